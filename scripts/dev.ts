/** `npm run dev`: the edit loop. Every save is compiled, served and type-checked; Ctrl-C ends it. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { command } from './cli/command.ts'

const usage = `usage: npm run dev [-- OPTION]

  Serves, and follows every edit of the contract, of the sources and of .env; Ctrl-C ends it.

  --no-types       leave the types unchecked`

const cache = resolve(import.meta.dirname, '../node_modules/.cache/compile')

await command({ usage, flags: ['no-types'] }, async (line) => {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())
  enableCompileCache(cache)
  const { develop } = await import('./dev/develop.ts')
  await develop({ cache, checksTypes: !line.is('no-types'), ending: ending.signal })
  process.exit(0)
})
