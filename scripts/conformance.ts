/** `npm run conformance -- --url URL`: checks a running server against the contract, from outside. */
import { command, Mistake, terminal, toErrors, toOutput } from './cli/command.ts'
import { grammar, readOptions } from './conformance/options.ts'

await command(grammar, async (line) => {
  const options = readOptions(line)
  if ('exitCode' in options) throw new Mistake([options.text], { exitCode: 2 })
  const { runConformance } = await import('./conformance/run.ts')
  const paints = { output: toOutput, errors: toErrors }
  const { text, findings } = await runConformance(options, { paints, progress: terminal() })
  process.stdout.write(text)
  process.exitCode = findings === 0 ? 0 : 1
})
