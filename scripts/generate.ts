/** `npm run generate [-- --check | --watch | --stubs] [-- --contract F --out DIR]`: compiles the contract. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'

// The linter and TypeScript are megabytes of source: their code is kept, which halves the time to load them.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compile'))

const { readOptions } = await import('./generate/options.ts')
const options = readOptions(process.argv.slice(2))
if ('exitCode' in options) {
  process[options.exitCode === 0 ? 'stdout' : 'stderr'].write(`${options.text}\n`)
  process.exitCode = options.exitCode
} else {
  const { generateOnce } = await import('./generate/once.ts')
  const { watchContract } = await import('./generate/watch.ts')
  if (options.watch) await watchContract(options)
  else process.exitCode = (await generateOnce(options)) ? 0 : 1
}
