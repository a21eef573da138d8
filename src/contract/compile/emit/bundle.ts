/** Makes one self-contained ES module of generated modules and the run-time helpers that they call. */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const compiler = dirname(fileURLToPath(import.meta.url))
const project = resolve(compiler, '../../../..')

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
    absWorkingDir: project,
    // The paths in comments are those of the project, wherever its packages are installed.
    preserveSymlinks: true,
    banner: { js: banner },
    plugins: [generatedModules(modules)]
  })
  return result.outputFiles.map(({ text }) => text).join('')
}

function generatedModules(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'generated',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(index$|\.\/)/ }, ({ path, namespace, kind }) =>
        namespace === 'generated' || kind === 'entry-point'
          ? { path, namespace: 'generated', pluginData: modules.get(path) }
          : undefined
      )
      onLoad({ filter: /./, namespace: 'generated' }, ({ pluginData }) => ({
        contents: pluginData,
        loader: 'js',
        resolveDir: compiler
      }))
    }
  }
}
