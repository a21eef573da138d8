/** `npm run build`: bundles the service and its packages into `dist/`, because 30 files load faster than 350. */
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { build } from 'esbuild'

const usage = `usage: npm run build

  Bundles the service and its packages into dist/, for the image; "node dist/main.js" starts it.`

const project = resolve(import.meta.dirname, '..')
const outdir = join(project, 'dist')

/** Packages that no start loads: those of development, of Fastify's schemas and of its `inject`. */
const external = [
  'pino-pretty',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request'
]

await command({ usage }, async () => {
  await rm(outdir, { recursive: true, force: true })
  await build({
    absWorkingDir: project,
    entryPoints: ['src/main.ts', 'src/store/sqlite/worker.ts', 'src/store/sqlite/checkpointer.ts'],
    entryNames: '[name]',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    // Resolves packages as Node does, not to their variants for bundlers.
    conditions: [],
    external,
    // Packages that are CommonJS call `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)"
    },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning'
  })
})
