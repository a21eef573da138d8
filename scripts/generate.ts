/** `npm run generate [-- --check | --watch | --stubs] [-- --contract F --out DIR]`: compiles the contract. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { command, Mistake } from './cli/command.ts'
import { grammar, readOptions } from './generate/options.ts'

// The linter and TypeScript are megabytes of source: their code is kept, which halves the time to load them.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compile'))

await command(grammar, async (line) => {
  const options = readOptions(line)
  if ('exitCode' in options) throw new Mistake([options.text], { exitCode: 2 })
  const { generateOnce } = await import('./generate/run.ts')
  const { watchContract } = await import('./generate/watch.ts')
  if (options.watch) await watchContract(options)
  else process.exitCode = (await generateOnce(options)) ? 0 : 1
})
