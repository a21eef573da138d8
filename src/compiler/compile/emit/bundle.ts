/** Makes one self-contained ES module of generated modules and the run-time helpers that they call. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, transform } from 'esbuild'

const compiler = dirname(fileURLToPath(import.meta.url))
/** Folder that paths in comments are relative to. */
const engine = dirname(fileURLToPath(import.meta.resolve('@contract-first/engine/model')))

/** Most characters of a file that people may read; a larger one is written as short as it can be. */
export const maxReadable = 1_000_000

const sizeOf = (modules: ReadonlyMap<string, string>): number =>
  [...modules.values()].reduce((sum, { length }) => sum + length, 0)

/** As many as a compilation has. */
const maxBundles = 8

/** Bundles by the texts that they are made of, the last ones of this process: an edit repeats those that it concerns. */
const bundles = new Map<string, Promise<string>>()

/**
 * @param modules modules by name, the entry as `index`; other relative imports, and doors of the engine, stay imports
 */
export function bundleModules(modules: ReadonlyMap<string, string>): Promise<string> {
  const hash = createHash('sha256')
  for (const text of [...modules].flat()) hash.update(`${text.length} `).update(text)
  const key = hash.digest('base64')
  const bundle = bundles.get(key) ?? bundled(modules)
  bundles.delete(key)
  bundles.set(key, bundle)
  // What fails for another reason than its input, such as a bundler that was killed, is made again.
  bundle.catch(() => bundles.delete(key))
  const [oldest = ''] = bundles.keys()
  if (bundles.size > maxBundles) bundles.delete(oldest)
  return bundle
}

async function bundled(modules: ReadonlyMap<string, string>): Promise<string> {
  const isLarge = sizeOf(modules) > maxReadable
  const result = await build({
    entryPoints: ['index'],
    bundle: true,
    write: false,
    format: 'esm',
    minify: isLarge,
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    absWorkingDir: engine,
    // esbuild does not follow the links of a workspace, so that paths in comments are the same wherever packages are
    // installed.
    preserveSymlinks: true,
    external: ['@contract-first/*'],
    plugins: [generatedModules(modules)]
  })
  // A module is named by its package, because the folder of the package differs between projects.
  return result.outputFiles
    .map(({ text }) => text.replaceAll(moduleComment, '// @contract-first/engine/$1'))
    .join('')
}

const moduleComment = /^\/\/ (?!generated:)(\S+)\.[jt]s$/gm

function generatedModules(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'generated',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(index$|\.\.?\/)/ }, ({ path, namespace, kind }) =>
        namespace === 'generated' || kind === 'entry-point' ? resolved(modules, path) : undefined
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

/** Other files of the folder stay imports. */
const resolved = (modules: ReadonlyMap<string, string>, path: string) =>
  modules.has(path)
    ? { path, namespace: 'generated', pluginData: modules.get(path) }
    : { path, external: true }

/**
 * Returns JavaScript without white space, so that the bundle has the same layout from TypeScript and from the output of
 * `tsc`.
 */
async function withoutLayout(path: string): Promise<string> {
  const options = {
    loader: path.endsWith('.ts') ? 'ts' : 'js',
    minifyWhitespace: true,
    target: 'node24'
  } as const
  const { code } = await transform(await readFile(path, 'utf8'), options)
  return code
}
