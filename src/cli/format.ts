/**
 * Formats text of `npm start` and of every command for the terminal. Colours are used only on a terminal that supports
 * them, and never with `NO_COLOR` (no-color.org).
 */
import { styleText } from 'node:util'
import { printable } from './printable.ts'

/** Colours a text, or returns it unchanged. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export type Row = readonly [name: string, value: string]

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns true if text on a stream may be coloured.
 * @param stream the stream that the text is written to
 */
export function isColourful({ isTTY }: { readonly isTTY?: boolean }, environment: Environment): boolean {
  return isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
}

export function paintFor(stream: { readonly isTTY?: boolean }, environment: Environment): Paint {
  const colourful = isColourful(stream, environment)
  return (style, text) => (colourful ? styleText(style, text, { validateStream: false }) : text)
}

/** Writes indented rows with all values in one column, without a final line feed. */
export function formatRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}

/** Writes the lines of each problem, then the next step; never a stack. Texts of others are made printable. */
export function formatProblems(problems: readonly string[], paint: Paint, next?: string): string {
  const sentences = problems.flatMap(printableLines).map((line) => paint('red', line))
  return [...sentences, ...printableLines(next)].map((line) => `${line}\n`).join('')
}

const printableLines = (text = ''): string[] => (text === '' ? [] : text.split('\n').map(printable))

/** @returns `1 thing`, `1,234 things` */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

interface Format<T> {
  readonly item: (item: T) => string
  /** Formats the number of items left out. */
  readonly rest: (count: number) => string
}

/** Formats the first `max` items and a count of the rest; a rest of one is shown, because a count is not shorter. */
export function shortened<T>(items: readonly T[], max: number, { item, rest }: Format<T>): string[] {
  const left = items.length - max
  return left > 1 ? [...items.slice(0, max).map(item), rest(left)] : items.map(item)
}
