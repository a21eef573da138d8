/**
 * The one voice of `npm start` and of every command: a heading, rows below each other, the next step last. Colour only on a
 * terminal, and never with `NO_COLOR` (no-color.org) or on a terminal that can not show it.
 */
import { styleText } from 'node:util'

/** Colours a text, or does not. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export type Row = readonly [name: string, value: string]

type Environment = Readonly<Record<string, string | undefined>>

/** @param stream where the text goes */
export function isColourful({ isTTY }: { readonly isTTY?: boolean }, environment: Environment): boolean {
  return isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
}

export function paintFor(stream: { readonly isTTY?: boolean }, environment: Environment): Paint {
  const colourful = isColourful(stream, environment)
  return (style, text) => (colourful ? styleText(style, text, { validateStream: false }) : text)
}

/** Indented, each value in the column of the others; without a line feed at the end. */
export function formatRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}

/** Of a user's mistake: a sentence for each, what is to be done last, and never a stack. */
export function formatProblems(problems: readonly string[], paint: Paint, next?: string): string {
  const sentences = problems.map((problem) => paint('red', problem))
  return [...sentences, ...(next === undefined ? [] : [next])].map((line) => `${line}\n`).join('')
}
