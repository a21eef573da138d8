/** The package.json of a packed package, made from that of its sources. */

export interface SourceManifest {
  readonly name: string
  readonly version: string
  /** Paths of TypeScript files. */
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  /**
   * Dependencies of a development-time package: `npm ci --omit=dev` in this repository leaves them out. Its users need
   * them.
   */
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

/** Folder of the compiled files, in the package. */
export const compiledFolder = 'dist'

/** Returns a manifest that points to compiled files instead of sources. */
export function publishedManifest({ scripts: _, devDependencies, ...manifest }: SourceManifest): object {
  return {
    ...manifest,
    ...(manifest.bin && { bin: mapValues(manifest.bin, compiled('.js')) }),
    exports: mapValues(manifest.exports, published),
    dependencies: { ...manifest.dependencies, ...devDependencies }
  }
}

const mapValues = <T>(values: Readonly<Record<string, string>>, map: (value: string) => T) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))

const compiled =
  (ending: string) =>
  (file: string): string =>
    file.replace(/^\.\/(.*)\.ts$/, `./${compiledFolder}/$1${ending}`)

const published = (file: string): string | object =>
  file.endsWith('.ts') ? { types: compiled('.d.ts')(file), default: compiled('.js')(file) } : file
