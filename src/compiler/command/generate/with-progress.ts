/** Shows the phases of a command when standard error is a terminal. */
import { Progress } from './progress.ts'

export async function withProgress<Result>(
  run: (onPhase: ((phase: string) => void) | undefined) => Promise<Result>
): Promise<Result> {
  if (!process.stderr.isTTY) return run(undefined)
  const progress = new Progress({ fd: process.stderr.fd })
  return run(progress.begin).finally(() => progress.end())
}
