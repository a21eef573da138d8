/** `npm run generate [-- --check | --watch | --stubs] [-- --contract F --out DIR]`: compiles the contract. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { command, Mistake } from './cli/command.ts'
import { grammar, readOptions } from './generate/options.ts'

// Caches the compiled code of the linter and TypeScript, megabytes of source: halves the time to load them.
enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compile'))

await command(grammar, async (line) => {
  const options = readOptions(line)
  if ('exitCode' in options) throw new Mistake([options.text], { exitCode: 2 })
  const { printRun } = await import('./generate/print-run.ts')
  const { watchContract } = await import('./generate/watch.ts')
  if (options.watch) await watchContract(options)
  else process.exitCode = (await printRun(options)) ? 0 : 1
})
