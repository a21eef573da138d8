/** `npm run conformance -- --url URL`: checks a running server against the contract, from outside. */
import { command, Mistake, terminal, toOutput } from './cli/command.ts'
import { grammar, readOptions } from './conformance/options.ts'
import { runConformance } from './conformance/run.ts'

await command(grammar, async (line) => {
  const options = readOptions(line)
  if ('exitCode' in options) throw new Mistake([options.text], { exitCode: 2 })
  const { text, findings } = await runConformance(options, { paint: toOutput, progress: terminal() })
  process.stdout.write(text)
  process.exitCode = findings === 0 ? 0 : 1
})
