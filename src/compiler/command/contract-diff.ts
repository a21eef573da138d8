/** `npm run contract:diff [-- BASE] [-- --contract F --format FORMAT]`: compares the contract with an older one. */
import { enableCompileCache } from 'node:module'
import { accepted, command, toErrors, toOutput } from '@contract-first/cli/command'
import { grammar, readOptions } from './contract-diff/options.ts'
import { compileCache } from './project/compile-cache.ts'
import { print } from './project/print.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  // Caches the compiled code of the linter, megabytes of source.
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readOptions(line))
    const { runDiff } = await import('./contract-diff/run.ts')
    const result = await runDiff(options, { output: toOutput, errors: toErrors })
    print(result)
    process.exitCode = result.exitCode
  })
}
