/** A line that the server wrote: of its log what a person wants to read, anything else as it is. */

/** pino's levels (https://getpino.io/#/docs/api?id=logger-levels). */
const levels: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' }

export function serverLine(line: string): string[] {
  const entry = logEntry(line)
  if (entry === undefined) return [line]
  const { level, msg, err } = entry
  const head = `${levels[level] ?? 'log'}: ${msg ?? ''}`
  const stack = err?.stack?.split('\n').slice(0, 6) ?? []
  return [head, ...stack.map((each) => `  ${each}`)]
}

interface LogEntry {
  readonly level: number
  readonly msg?: string
  readonly err?: { readonly stack?: string }
}

function logEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{"level":')) return undefined
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    return undefined
  }
}
