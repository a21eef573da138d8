/** `npm run build`: bundles the service and its packages into `dist/`, because 30 files load faster than 350. */
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { command } from '@contract-first/service/command/command'
import { build } from 'esbuild'

const usage = `usage: npm run build

  Bundles the service and its packages into dist/, for the image; "node dist/main.js" starts it.
  Stack traces name the sources with --enable-source-maps.`

const project = resolve(import.meta.dirname, '..')
const outdir = join(project, 'dist')

await command({ usage }, async () => {
  await rm(outdir, { recursive: true, force: true })
  await build({
    absWorkingDir: project,
    entryPoints: { main: 'src/main.ts', worker: 'src/store/sqlite/worker.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    // Resolves packages as Node does, not to their variants for bundlers.
    conditions: [],
    // Development only, and a package of which the docs page reads one file.
    external: ['pino-pretty', '@scalar/fastify-api-reference'],
    // Packages that are CommonJS call `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
    },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning'
  })
})
