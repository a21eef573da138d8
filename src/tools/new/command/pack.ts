/** Packs the packages of this engine as plain JavaScript, for projects that install them from files. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync
} from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { nearestLock, writeTree } from './write.ts'

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

/** Returns `node_modules/` of this repository, or of the project that installed this package. */
const modulesFolder = (): string => join(dirname(nearestLock() ?? ''), 'node_modules')

/** Copies the tarballs of a folder into `vendor/` of a project. */
export async function vendorPackages(project: string, packed = packedPackages()): Promise<void> {
  const [tarballs, vendor] = [await packed, join(project, 'vendor')]
  await mkdir(vendor, { recursive: true })
  for (const file of readdirSync(tarballs)) copyFileSync(join(tarballs, file), join(vendor, file))
}

/**
 * Packs the packages that this command belongs to.
 * @param cache folder that keeps the tarballs until a file of a package changes
 * @returns the folder of the tarballs
 */
export async function packedPackages(
  folders = packageFolders(),
  cache = join(modulesFolder(), '.cache/vendor')
): Promise<string> {
  const packed = join(cache, digestOf([...folders, ...folders.filter(isSource).flatMap(furtherFolders)]))
  if (!existsSync(packed)) await packOnce(packed, folders)
  return packed
}

/**
 * Packs into a new folder, which takes the place of the earlier ones when it is complete. Nothing is awaited before tsc
 * starts, because loading modules blocks the event loop.
 */
async function packOnce(packed: string, folders: readonly string[]): Promise<void> {
  const cache = dirname(packed)
  mkdirSync(cache, { recursive: true })
  const [earlier, unfinished] = [readdirSync(cache), mkdtempSync(join(cache, 'unfinished-'))]
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
    for (const file of [...shared, ...filesIn(folder).sort()])
      if (existsSync(join(folder, file))) digest.update(`${file}\0`).update(readFileSync(join(folder, file)))
  }
  return digest.digest('hex')
}

/** Returns the paths of the files in a folder without those of its dependencies. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      !/^node_modules\b/.test(file) && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile()
  )

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
  await compile(folders.filter(isSource))
  await mkdir(destination, { recursive: true })
  const staging = await mkdtemp(join(tmpdir(), 'packages-'))
  try {
    const published = folders.map(async (folder) => {
      if (!isSource(folder)) return folder
      const staged = join(staging, basename(folder))
      await writeTree(staged, publishedFiles(folder))
      return staged
    })
    const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', destination]
    await promisify(execFile)('npm', ['pack', ...options, ...(await Promise.all(published))])
  } finally {
    await rm(staging, { recursive: true })
  }
}

const isSource = (folder: string): boolean => existsSync(join(folder, 'tsconfig.package.json'))

const contentsOf = (folder: string, paths: readonly string[]): Files =>
  paths.map((path) => [path, readFileSync(join(folder, path))])

/** Compiles packages and their dependencies; unchanged files are not compiled again. */
async function compile(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return
  // Takes a quarter of the time of TypeScript 5, whose API the compiler of contracts calls.
  const compiler = join(modulesFolder(), 'typescript-7/bin/tsc')
  const projects = folders.map((folder) => join(folder, 'tsconfig.package.json'))
  // The type check of this repository is a command of its own.
  await promisify(execFile)(process.execPath, [compiler, '-b', '--noCheck', ...projects])
}

/**
 * Returns a package as its users install it: plain JavaScript and declarations.
 * @param sources folder of the package, which `tsc -b` has compiled
 */
export function publishedFiles(sources: string): Files {
  const included = includedIn(sources)
  const beside = included.flatMap((folder) => below(basename(folder), compiledFiles(folder)))
  const { root } = compilation(sources)
  const manifest = publishedManifest(manifestOf(sources), join(compiledFolder, relative(root, sources)))
  return [
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ...contentsOf(sources, ['README.md']),
    ...contentsOf(resolve(sources, '../..'), ['LICENSE', 'CHANGELOG.md']),
    ...below(compiledFolder, included.reduce(importFrom, [...compiledFiles(sources), ...beside]))
  ]
}

const below = (folder: string, files: Files): Files =>
  files.map(([path, content]) => [join(folder, path), content])

/** Returns the compiled files of a package, and its files that are neither TypeScript nor meant for its root. */
function compiledFiles(sources: string): Files {
  const { root, folders, output } = compilation(sources)
  return folders.flatMap((folder) => {
    const paths = filesIn(folder).map((file) => relative(root, join(folder, file)))
    const assets = paths.filter((path) => !path.endsWith('.ts') && dirname(resolve(root, path)) !== folder)
    const code = paths
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => ['.js', '.d.ts'].map((ending) => path.replace(/\.ts$/, ending)))
      .filter((path) => existsSync(join(output, path)))
    return [...contentsOf(root, assets), ...contentsOf(output, code)]
  })
}

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
function importFrom(files: Files, folder: string): Files {
  const { name, exports } = manifestOf(folder)
  const specifier = new RegExp(`(['"])${name}(/[\\w/-]+)\\1`, 'g')
  return files.map(([path, content]) => {
    if (!/\.(?:js|d\.ts)$/.test(path)) return [path, content]
    const beside = (_text: string, quote: string, subpath: string) => {
      const target = join(basename(folder), String(exports[`.${subpath}`]).replace(/\.ts$/, '.js'))
      return `${quote}${relative(dirname(path), target).replace(/^(?!\.)/, './')}${quote}`
    }
    return [path, Buffer.from(String(content).replaceAll(specifier, beside))]
  })
}

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

type Files = readonly (readonly [path: string, content: Buffer])[]
