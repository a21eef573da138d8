/** The output of `npm run dev`: the current state without a history. In a terminal each state replaces the last one. */
import { toOutput as paint } from '@contract-first/cli/command'
import { printable } from '@contract-first/cli/printable'

/** Most lines that a server adds to one state, so that the state stays visible. */
const maxAdded = 40

export { paint }

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export class Screen {
  readonly #terminal: Terminal
  #head = ''
  #added = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Sets the text that stays at the top of a terminal; without a terminal it is written once. */
  set head(text: string) {
    if (text !== this.#head && !this.#terminal.isTTY) this.#terminal.write(text)
    this.#head = text
  }

  show(lines: readonly string[]): void {
    this.#added = 0
    const clear = '\x1b[H\x1b[J'
    const text = lines.join('\n')
    this.#terminal.write(`${this.#terminal.isTTY ? clear + this.#head : ''}\n${text}\n`)
  }

  /** Writes lines below the state. */
  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.#added++
      if (this.#added <= maxAdded) this.#terminal.write(`${line}\n`)
      if (this.#added === maxAdded + 1)
        this.#terminal.write(paint('dim', '… and more, not shown until the next change\n'))
    }
  }
}

/** `12:03:11`, local time. */
export const clock = (): string => paint('dim', new Date().toTimeString().slice(0, 8))

/** pino's levels (https://getpino.io/#/docs/api?id=logger-levels). */
const levels: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' }

/** Formats a line of the server's output: log entries become readable, other lines stay as they are. */
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
