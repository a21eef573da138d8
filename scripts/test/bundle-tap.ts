/** Bundles tap into one file: a test file then loads 1 module instead of 338, which halves the time of an empty one. */
import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Writes a module with the exports of the package `tap` that is installed in the project. */
export async function bundleTap(project: string, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  // Another run may read the file at the same time.
  const unfinished = `${file}.${process.pid}`
  await build({
    stdin: { contents: "export * from 'tap'\nexport { default } from 'tap'\n", resolveDir: project },
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'\nconst require = requireOf(import.meta.url)"
    },
    plugins: [loadReactLater],
    logLevel: 'error'
  })
  renameSync(unfinished, file)
}

/** Loads React on demand: tap needs it only to print React elements. */
const loadReactLater: Plugin = {
  name: 'load-react-later',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]tcompare[\\/].*[\\/]react-element-to-jsx-string\.js$/ }, () => ({
      contents: `import { createRequire } from 'node:module'
export default (...values) => createRequire(import.meta.url)('react-element-to-jsx-string').default(...values)`
    }))
  }
}
