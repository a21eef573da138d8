/** `npm run dev`: the edit loop. What is saved is compiled, served and type-checked; Ctrl-C ends it. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

const cache = resolve(import.meta.dirname, '../node_modules/.cache/compile')
const [option] = process.argv.slice(2)
if (option === undefined) {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())
  enableCompileCache(cache)
  const { develop } = await import('./dev/develop.ts')
  await develop(cache, ending.signal)
  process.exit(0)
}
process.stderr.write(`${option} is not an option: npm run dev takes none\n`)
process.exitCode = 2
