/** `npm run dev`: the edit loop. What is saved is compiled, served and type-checked; Ctrl-C ends it. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { command } from './cli/command.ts'

const usage = `usage: npm run dev

  Serves, and follows every edit of the contract, of the sources and of .env; Ctrl-C ends it.`

const cache = resolve(import.meta.dirname, '../node_modules/.cache/compile')

await command({ usage }, async () => {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())
  enableCompileCache(cache)
  const { develop } = await import('./dev/develop.ts')
  await develop(cache, ending.signal)
  process.exit(0)
})
