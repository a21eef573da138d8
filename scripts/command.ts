/** What the commands share: the environment with `.env`, and how a user's mistake is told. */
import { existsSync } from 'node:fs'

/** Without what only a server needs: a command that reads the store must not ask for tokens. */
export function environment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { DATABASE_URL } = process.env
  return DATABASE_URL === undefined ? {} : { DATABASE_URL }
}

/** One sentence each, no stack. */
export function fail(...problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  process.exitCode = 1
}

/** Where a person can see progress; not where it would end up in a log. */
export function terminal(): ((text: string) => void) | undefined {
  return process.stderr.isTTY ? (text) => process.stderr.write(text) : undefined
}
