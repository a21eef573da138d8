/** Formats a line of the server's output: log entries become readable, other lines stay as they are. */
import { printable } from '@contract-first/cli/printable'

/** pino's levels (https://getpino.io/#/docs/api?id=logger-levels). */
const levels: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' }

export function serverLine(line: string): string[] {
  const entry = logEntry(line)
  if (entry === undefined) return [line]
  const { level, msg = '', err, failure } = entry
  const head = `${levels[level] ?? 'log'}: ${msg === 'request' ? requestText(entry) : msg}`
  // A FailureError is expected, and a response that breaks the contract has no useful frame: the message is enough.
  const isExplained = err?.type === 'FailureError' || failure === 'response-mismatch'
  const stack = isExplained ? [] : (err?.stack?.split('\n').slice(0, 6) ?? [])
  return [head, ...stack.map((each) => `  ${each}`)].map(printable)
}

/** Members that src/service/observability/request-log.ts and pino write. */
interface LogEntry {
  readonly level: number
  readonly msg?: string
  readonly failure?: string
  readonly err?: { readonly type?: string; readonly stack?: string }
  readonly method?: string
  readonly route?: string
  readonly status?: number
}

const requestText = ({ method, route, status }: LogEntry): string => `${method} ${route} answered ${status}`

function logEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{"level":')) return undefined
  try {
    return JSON.parse(line) as LogEntry
  } catch {
    return undefined
  }
}
