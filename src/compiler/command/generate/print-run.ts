/** Runs the generator and prints to standard output and standard error. */
import { toErrors, toOutput } from '@contract-first/cli/command'
import { print } from '../project/print.ts'
import type { Options } from './options.ts'
import { runGenerate } from './run.ts'
import { withProgress } from './with-progress.ts'

/** @returns true when the contract compiled and, with `--check`, the files were up to date */
export async function printRun(options: Options, onFile?: (path: string) => void): Promise<boolean> {
  const paints = { output: toOutput, errors: toErrors }
  const { isGood, output, errors } = await withProgress((onPhase) =>
    runGenerate(options, { paints, onFile, onPhase })
  )
  print({ errors, output })
  return isGood
}
