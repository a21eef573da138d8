/** Writes to the streams of the process. */

/** Loaded when something is shown: node:util, which it imports, would delay the start. */
export const terminal = () => import('../terminal/format.ts')

export function write(text: string): void {
  process.stdout.write(text)
}

/** Prints mistakes of the user, one sentence each, without a stack. Exits because an IPC channel would keep the process alive. */
export async function fail(problems: readonly string[]): Promise<never> {
  const { formatProblems, paintFor } = await terminal()
  process.stderr.write(formatProblems(problems, paintFor(process.stderr, process.env)))
  process.exit(1)
}
