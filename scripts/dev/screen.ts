/** What `npm run dev` shows: the state, never a history of it. In a terminal each state takes the place of the last one. */
import { toOutput as paint } from '../cli/command.ts'

/** Lines that a server may add to one state; it is the state that must stay in sight. */
const mostAdded = 40

export { paint }

export class Screen {
  #head = ''
  #added = 0

  /** Stays at the top of a terminal; elsewhere it is told once. */
  set head(text: string) {
    if (text !== this.#head && !process.stdout.isTTY) write(text)
    this.#head = text
  }

  /** @param lines the state in full */
  show(lines: readonly string[]): void {
    this.#added = 0
    const clear = '\x1b[H\x1b[J'
    const text = lines.join('\n')
    write(process.stdout.isTTY ? `${clear}${this.#head}\n${text}\n` : `${text}\n`)
  }

  /** Below the state. */
  add(lines: readonly string[]): void {
    for (const line of lines) {
      this.#added++
      if (this.#added <= mostAdded) write(`${line}\n`)
      if (this.#added === mostAdded + 1) write(paint('dim', '… and more, not shown until the next change\n'))
    }
  }
}

const write = (text: string): void => void process.stdout.write(text)

/** `12:03:11`, local time. */
export const clock = (): string => paint('dim', new Date().toTimeString().slice(0, 8))
