/** `npm run conformance -- --url URL`: checks a running server against the contract over HTTP. */
import { accepted, command, terminal, toErrors, toOutput } from '@contract-first/cli/command'
import { grammar, readOptions } from './conformance/options.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await command(grammar, async (line) => {
    const options = accepted(readOptions(line))
    const { runConformance } = await import('./conformance/run.ts')
    const paints = { output: toOutput, errors: toErrors }
    const { text, findings } = await runConformance(options, { paints, progress: terminal() })
    process.stdout.write(text)
    process.exitCode = Number(findings > 0)
  })
}
