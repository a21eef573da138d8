/** Runs the generator and prints to standard output and standard error. */
import { toErrors, toOutput } from '@contract-first/service/command/command'
import type { Options } from './options.ts'
import { Progress } from './progress.ts'
import { runGenerate } from './run.ts'

/** @returns whether the contract compiled and, with `--check`, the files were up to date */
export async function printRun(options: Options, onFile?: (path: string) => void): Promise<boolean> {
  const paints = { output: toOutput, errors: toErrors }
  const progress = process.stderr.isTTY ? new Progress({ fd: process.stderr.fd }) : undefined
  const { isGood, output, errors } = await runGenerate(options, { paints, onFile, onPhase: progress?.begin })
  await progress?.end()
  process.stderr.write(errors)
  process.stdout.write(output)
  return isGood
}
