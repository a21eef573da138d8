/** `npm run generate [-- --check | --watch | --stubs] [-- --contract F --out DIR]`: compiles the contract. */
import { enableCompileCache } from 'node:module'
import { accepted, command } from '@contract-first/cli/command'
import { grammar, readOptions } from './generate/options.ts'
import { compileCache } from './project/compile-cache.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  // Caches the compiled code of the linter and TypeScript, megabytes of source: halves the time to load them.
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readOptions(line))
    const { printRun } = await import('./generate/print-run.ts')
    const { watchContract } = await import('./generate/watch.ts')
    if (options.watch) await watchContract(options)
    else process.exitCode = (await printRun(options)) ? 0 : 1
  })
}
