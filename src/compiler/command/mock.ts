/** `npm run mock`: serves a contract without handlers, and follows its edits; Ctrl-C ends it. */
import { enableCompileCache } from 'node:module'
import { accepted, command, toErrors, toOutput } from '@contract-first/cli/command'
import { grammar, readMockOptions } from './mock/options.ts'
import { compileCache } from './project/compile-cache.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readMockOptions(line))
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())
    const { runMock } = await import('./mock/run-mock.ts')
    await runMock(options, {
      output: process.stdout,
      errors: process.stderr,
      paints: { output: toOutput, errors: toErrors },
      ending: ending.signal
    })
  })
}
