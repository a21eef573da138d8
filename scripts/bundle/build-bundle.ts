/** Bundles the service and the packages that every start loads, because 30 files load faster than 349. */
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

/** Packages that are loaded on demand; their files need not be compared at each start. */
const external = [
  '@fastify/ajv-compiler',
  '@fastify/busboy',
  '@fastify/cors',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/rate-limit',
  '@fastify/swagger',
  '@scalar/fastify-api-reference',
  'jose',
  'light-my-request',
  'pino-pretty',
  'postgres',
  'prom-client'
]

interface Manifest {
  readonly workspaces: readonly string[]
  /** Files of the service's threads by their subpath imports (https://nodejs.org/api/packages.html#subpath-imports). */
  readonly imports: Readonly<Record<string, string>>
}

interface BundledFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

/**
 * Writes a bundle into a folder of its own, and makes it the current one.
 * @param project the folder of the project
 * @throws {Error} when a package is not installed, a file cannot be written, or the code has a syntax error
 */
export async function buildBundle(project: string): Promise<void> {
  const root = resolve(project)
  const bundles = join(root, 'node_modules/.cache/bundle')
  await mkdir(bundles, { recursive: true })
  const folder = join(bundles, `built-${process.pid}-${Date.now()}`)
  await mkdir(folder)
  try {
    const files = await writeBundle(root, folder)
    await writeFile(
      join(folder, 'index.json'),
      JSON.stringify({ root, entry: join(folder, 'main.js'), files })
    )
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
  const previous = await bundleOf(bundles)
  // Atomic: another process reads either the former index or this one.
  await rename(join(folder, 'index.json'), join(bundles, 'index.json'))
  await removeBundles(bundles, [basename(folder), previous])
}

/** @returns the sources of the bundle, and its own files */
async function writeBundle(root: string, folder: string): Promise<readonly BundledFile[]> {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const threads = Object.entries(manifest.imports).map(([name, file]) => [name.slice(1), file])
  const begun = Date.now()
  const { metafile } = await build({
    ...options,
    entryPoints: { main: 'src/main.ts', ...Object.fromEntries(threads) },
    absWorkingDir: root,
    outdir: folder
  })
  const imports = Object.fromEntries(threads.map(([name]) => [`#${name}`, `./${name}.js`]))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }))
  const inputs = await filesOf(root, [...Object.keys(metafile.inputs), ...settingFiles(manifest)])
  if (inputs.some(({ mtimeMs }) => mtimeMs > begun - clockStepMs))
    throw new Error('a source was edited during the build')
  // Without the source maps, which the bundle does not need to run.
  const code = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'))
  return [...inputs, ...(await filesOf(root, [...code, join(folder, 'package.json')]))]
}

/** Returns the files that determine how packages are resolved and how the bundle is built. */
const settingFiles = ({ workspaces }: Manifest): readonly string[] => [
  import.meta.filename,
  'package.json',
  'package-lock.json',
  ...workspaces.map((workspace) => `${workspace}/package.json`)
]

/** Resolution of the modification times of files. */
const clockStepMs = 10

const filesOf = (root: string, files: readonly string[]): Promise<BundledFile[]> =>
  Promise.all(
    [...new Set(files)].map(async (file) => {
      const path = resolve(root, file)
      const { size, mtimeMs } = await stat(path)
      return { path, size, mtimeMs }
    })
  )

/** Sets `import.meta.url` of each module to the URL of its source, so that relative paths stay valid. */
const sourceUrls: Plugin = {
  name: 'source-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.[jt]s$/, namespace: 'file' }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const url = JSON.stringify(pathToFileURL(path).href)
      return { contents: `const sourceUrl = ${url}; ${text}`, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  }
}

const options = {
  bundle: true,
  format: 'esm',
  splitting: true,
  platform: 'node',
  target: 'esnext',
  conditions: [],
  external,
  // The packages of Fastify call `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
  },
  define: { 'import.meta.url': 'sourceUrl' },
  plugins: [sourceUrls],
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'silent'
} satisfies BuildOptions

/** @returns the name of the current bundle */
async function bundleOf(bundles: string): Promise<string> {
  const text = await readFile(join(bundles, 'index.json'), 'utf8').catch(() => '{}')
  return basename(dirname(String(JSON.parse(text).entry)))
}

/** Age up to which another process may still be writing a bundle. */
const youngMs = 60_000

/** @param kept names of bundles; a service that runs from the former bundle may load further files of it */
async function removeBundles(bundles: string, kept: readonly string[]): Promise<void> {
  const others = (await readdir(bundles)).filter((name) => name.startsWith('built-') && !kept.includes(name))
  for (const name of others) {
    const { mtimeMs } = await stat(join(bundles, name))
    if (mtimeMs < Date.now() - youngMs) await rm(join(bundles, name), { recursive: true, force: true })
  }
}
