/** Bundles tap into one file: each test file then loads 1 module instead of 338, which halves the time that an empty one takes. */
import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** @returns when `file` holds a module with the exports of the package `tap` that is installed in the project */
export async function bundleTap(project: string, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  // Another run may read the file at this moment.
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

/** tap loads React at its start, and needs it to print an element of React only. */
const loadReactLater: Plugin = {
  name: 'load-react-later',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]tcompare[\\/].*[\\/]react-element-to-jsx-string\.js$/ }, () => ({
      contents: `import { createRequire } from 'node:module'
export default (...values) => createRequire(import.meta.url)('react-element-to-jsx-string').default(...values)`
    }))
  }
}
