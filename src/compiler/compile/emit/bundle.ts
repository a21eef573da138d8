/** Makes one self-contained ES module of generated modules and the run-time helpers that they call. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, transform } from 'esbuild'

const compiler = dirname(fileURLToPath(import.meta.url))
/** Paths in comments are below it. */
const engine = dirname(fileURLToPath(import.meta.resolve('@contract-first/engine/server')))

/** Up to this many characters the code keeps its white space; beyond, indentation would be half of what is loaded. */
const maxReadable = 1_000_000

const sizeOf = (modules: ReadonlyMap<string, string>): number =>
  [...modules.values()].reduce((sum, { length }) => sum + length, 0)

/** @param modules by name, the entry as `index` */
export async function bundleModules(modules: ReadonlyMap<string, string>, banner: string): Promise<string> {
  const result = await build({
    entryPoints: ['index'],
    bundle: true,
    write: false,
    format: 'esm',
    minifyWhitespace: sizeOf(modules) > maxReadable,
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    absWorkingDir: engine,
    // The links of a workspace are not followed, so that paths in comments are the same wherever packages are installed.
    preserveSymlinks: true,
    banner: { js: banner },
    plugins: [generatedModules(modules)]
  })
  return result.outputFiles
    .map(({ text }) => text.replaceAll(moduleComment, named).replaceAll(moduleKey, keyed))
    .join('')
}

const moduleComment = /^\/\/ (?!generated:)(\S+)\.[jt]s$/gm
/** A CommonJS module of another package, by its path. */
const moduleKey = /"(\.\.\/[\w@./+-]+\.js)"(?=\()/g

/** Names a module by its package, because it lies elsewhere in each project. */
const named = (_comment: string, path: string): string =>
  `// ${path.startsWith('../') ? inPackage(path) : `@contract-first/engine/${path}`}`

const keyed = (_key: string, path: string): string => `"${inPackage(path)}"`

const inPackage = (path: string): string => path.replace(/^(?:.*node_modules\/|(?:\.\.\/)+)/, '')

function generatedModules(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'generated',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(index$|\.\/)/ }, ({ path, namespace, kind }) =>
        namespace === 'generated' || kind === 'entry-point'
          ? { path, namespace: 'generated', pluginData: modules.get(path) }
          : undefined
      )
      onLoad({ filter: /\.[jt]s$/, namespace: 'file' }, async ({ path }) => ({
        contents: await withoutLayout(path),
        loader: 'js'
      }))
      onLoad({ filter: /./, namespace: 'generated' }, ({ pluginData }) => ({
        contents: pluginData,
        loader: 'js',
        resolveDir: compiler
      }))
    }
  }
}

/** Returns JavaScript without white space: the bundle is then laid out alike from TypeScript and from what `tsc` made of it. */
async function withoutLayout(path: string): Promise<string> {
  const options = {
    loader: path.endsWith('.ts') ? 'ts' : 'js',
    minifyWhitespace: true,
    target: 'node24'
  } as const
  const { code } = await transform(await readFile(path, 'utf8'), options)
  return code
}
