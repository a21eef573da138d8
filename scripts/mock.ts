/** `npm run mock`: serves a contract without handlers, and follows its edits; Ctrl-C ends it. */
import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { command, Mistake, toErrors, toOutput } from './cli/command.ts'
import { grammar, readMockOptions } from './mock/options.ts'

enableCompileCache(resolve(import.meta.dirname, '../node_modules/.cache/compile'))

await command(grammar, async (line) => {
  const options = readMockOptions(line)
  if ('exitCode' in options) throw new Mistake([options.text], { exitCode: 2 })
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort())
  const { runMock } = await import('./mock/run-mock.ts')
  await runMock(options, {
    output: (text) => process.stdout.write(text),
    errors: (text) => process.stderr.write(text),
    paints: { output: toOutput, errors: toErrors },
    ending: ending.signal
  })
})
