/** Packs the packages of this engine as plain JavaScript with npm, for projects that install them from files. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { nearestLock } from './write.ts'

const run = promisify(execFile)

const scope = '@contract-first/'
/** Published packages in the order of their dependencies; other ones become a part of those that import them. */
const names: readonly string[] = ['engine', 'service', 'contract', 'compiler']

/** Names of the published packages, as projects install them. */
export const packageNames = names.map((name) => `${scope}${name}`)

/** Returns the folders of the packages that this file belongs to. */
export const packageFolders = (): string[] =>
  packageNames.map((name) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))))

/** Returns the version that all packages have. */
export const packagesVersion = (): string => manifestOf(packageFolders()[0] ?? '').version

/**
 * Copies the tarballs of the packages that this command belongs to into `vendor/` of a project.
 * @param cache folder that keeps the tarballs until a file of a package changes
 */
export async function vendorPackages(
  project: string,
  folders = packageFolders(),
  cache = join(dirname(nearestLock() ?? ''), 'node_modules/.cache/vendor')
): Promise<void> {
  const packed = join(cache, digestOf([...folders, ...folders.filter(isSource).flatMap(furtherFolders)]))
  if (!existsSync(packed)) await packOnce(packed, folders)
  const vendor = join(project, 'vendor')
  await mkdir(vendor, { recursive: true })
  for (const file of readdirSync(packed)) copyFileSync(join(packed, file), join(vendor, file))
}

/** Packs into a new folder, which takes the place of the earlier ones when it is complete. */
async function packOnce(packed: string, folders: readonly string[]): Promise<void> {
  const cache = dirname(packed)
  await mkdir(cache, { recursive: true })
  const [earlier, unfinished] = [readdirSync(cache), await mkdtemp(join(cache, 'unfinished-'))]
  try {
    await packPackages(unfinished, folders)
    for (const name of earlier.filter((each) => !each.startsWith('unfinished-')))
      await rm(join(cache, name), { recursive: true, force: true })
    await rename(unfinished, packed).catch((error) => {
      // Another process has packed the same.
      if (!existsSync(packed)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Returns a digest of every file that the tarballs are made of. */
function digestOf(folders: readonly string[]): string {
  const digest = createHash('sha256')
  for (const folder of folders) {
    const shared = isSource(folder) ? ['../../LICENSE', '../../CHANGELOG.md', '../../tsconfig.json'] : []
    const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => !/^node_modules\b/.test(file)
    )
    for (const file of [...shared, ...own.sort()])
      if (statSync(join(folder, file), { throwIfNoEntry: false })?.isFile())
        digest.update(`${file}\0`).update(readFileSync(join(folder, file)))
  }
  return digest.digest('hex')
}

const manifestOf = (folder: string): SourceManifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * Writes a tarball of each package. Packages that are sources, as in this repository, are compiled first.
 * @param destination folder, which is created
 */
export async function packPackages(
  destination: string,
  folders: readonly string[] = packageFolders()
): Promise<void> {
  const staging = await mkdtemp(join(tmpdir(), 'packages-'))
  try {
    await compile(folders.filter(isSource))
    const packed = folders.map((folder) => (isSource(folder) ? staged(folder, staging) : folder))
    await mkdir(destination, { recursive: true })
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', destination, ...packed])
  } finally {
    await rm(staging, { recursive: true })
  }
}

const isSource = (folder: string): boolean => existsSync(join(folder, 'tsconfig.package.json'))

function staged(folder: string, staging: string): string {
  const target = join(staging, basename(folder))
  writePackage(folder, target)
  return target
}

/** Compiles packages and their dependencies; unchanged files are not compiled again. */
async function compile(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
  const projects = folders.map((folder) => join(folder, 'tsconfig.package.json'))
  // The type check of this repository takes two thirds of the time, and is a command of its own.
  await run(process.execPath, [compiler, '-b', '--noCheck', ...projects])
}

/**
 * Writes a package as its users install it: plain JavaScript and declarations.
 * @param sources folder of the package, for which `tsc -b` has written the files that `compiledFiles` names
 */
export function writePackage(sources: string, target: string): void {
  const compiled = join(target, compiledFolder)
  writeCompiled(sources, compiled)
  for (const folder of includedIn(sources)) {
    writeCompiled(folder, join(compiled, basename(folder)))
    importFrom(folder, compiled)
  }
  copyFileSync(join(sources, 'README.md'), join(target, 'README.md'))
  for (const file of ['LICENSE', 'CHANGELOG.md'])
    copyFileSync(resolve(sources, '../..', file), join(target, file))
  const { root } = compilation(sources)
  const manifest = publishedManifest(manifestOf(sources), join(compiledFolder, relative(root, sources)))
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function writeCompiled(sources: string, target: string): void {
  const { root, folders, output } = compilation(sources)
  for (const folder of folders) {
    const [from, to] = [output, target].map((base) => join(base, relative(root, folder))) as [string, string]
    // The output may hold files that were compiled from deleted sources.
    const hasSource = (path: string) => existsSync(join(folder, relative(from, path).replace(suffix, '.ts')))
    cpSync(from, to, { recursive: true, filter: hasSource })
    for (const file of assets(folder)) cpSync(join(folder, file), join(to, file))
  }
}

const suffix = /(?:\.js|\.d\.ts)$/

interface Compilation {
  /** Folders of the sources of a package: its own, and those beside it that belong to it. */
  readonly folders: readonly string[]
  /** Folder that holds them all. */
  readonly root: string
  readonly output: string
}

/** Reads `tsconfig.package.json`. */
function compilation(sources: string): Compilation {
  const { compilerOptions, include } = JSON.parse(
    readFileSync(join(sources, 'tsconfig.package.json'), 'utf8')
  )
  return {
    folders: (include as string[])
      .filter((glob) => glob.endsWith('*.ts'))
      .map((glob) => resolve(sources, glob.replace(/\*.*/, ''))),
    root: resolve(sources, compilerOptions.rootDir),
    output: resolve(sources, compilerOptions.outDir)
  }
}

/** Returns the files that are neither TypeScript nor meant for the root of the package. */
function assets(sources: string): readonly string[] {
  const folders = readdirSync(sources, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules'
  )
  return folders
    .flatMap(({ name }) =>
      readdirSync(join(sources, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
    )
    .filter((file) => !file.endsWith('.ts') && statSync(join(sources, file)).isFile())
}

/** Returns the folders beside a package whose files are packed with it. */
const furtherFolders = (sources: string): readonly string[] => [
  ...compilation(sources).folders.filter((folder) => folder !== sources),
  ...includedIn(sources)
]

/** Returns the folders of the packages that are not published, and that a package depends on. */
function includedIn(sources: string): readonly string[] {
  const { dependencies, devDependencies } = manifestOf(sources)
  return Object.keys({ ...dependencies, ...devDependencies })
    .filter(isUnpublished)
    .map((name) => resolve(sources, '..', name.slice(scope.length)))
}

const isUnpublished = (name: string): boolean =>
  name.startsWith(scope) && !names.includes(name.slice(scope.length))

/** Makes compiled files import a package from its folder beside them instead of by its name. */
function importFrom(folder: string, compiled: string): void {
  const { name, exports } = manifestOf(folder)
  const specifier = new RegExp(`(['"])${name}(/[\\w/-]+)\\1`, 'g')
  for (const file of readdirSync(compiled, { recursive: true, encoding: 'utf8' }).filter(isCode)) {
    const path = join(compiled, file)
    const beside = (_text: string, quote: string, subpath: string) => {
      const target = join(compiled, basename(folder), String(exports[`.${subpath}`]).replace(/\.ts$/, '.js'))
      return `${quote}${relative(dirname(path), target).replace(/^(?!\.)/, './')}${quote}`
    }
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(specifier, beside))
  }
}

const isCode = (file: string): boolean => suffix.test(file)

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
  /** True, because sources are not published. */
  readonly private?: boolean
}

/** Folder of the compiled files, in the package. */
const compiledFolder = 'dist'

/**
 * Returns a manifest that points to compiled files instead of sources. One that serves both would need a condition of
 * exports that holds in the workspace only: Node has none, and runs no TypeScript below node_modules.
 * @param folder folder of the compiled files, in the package
 */
export function publishedManifest(
  { private: _, devDependencies, ...manifest }: SourceManifest,
  folder = compiledFolder
): object {
  const compiled = (file: string, ending: string) => file.replace(/^\.\/(.*)\.ts$/, `./${folder}/$1${ending}`)
  const published = (file: string) =>
    file.endsWith('.ts') ? { types: compiled(file, '.d.ts'), default: compiled(file, '.js') } : file
  const dependencies = Object.entries({ ...manifest.dependencies, ...devDependencies })
  return {
    ...manifest,
    files: [compiledFolder, 'CHANGELOG.md'],
    publishConfig: { access: 'public', provenance: true },
    ...(manifest.bin && { bin: mapValues(manifest.bin, (file) => compiled(file, '.js')) }),
    exports: mapValues(manifest.exports, published),
    dependencies: Object.fromEntries(dependencies.filter(([name]) => !isUnpublished(name)))
  }
}

const mapValues = <T>(values: Readonly<Record<string, string>>, map: (value: string) => T) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))
