/** Parses the arguments after `npm run NAME --`, and refuses mistakes in them. */
import { parseArgs } from 'node:util'
import { formatRows } from './format.ts'

export interface Grammar {
  /** Text for `--help`, above the options. */
  readonly usage: string
  /**
   * Help for each option, by its name and that of its value, as `--contract FILE`; one without a value is a flag. A row
   * without dashes explains a word. `--help` is always an option.
   */
  readonly options?: Readonly<Record<string, string>>
  /** Text for `--help`, below the options. */
  readonly notes?: string
  /** Allowed arguments without dashes; true: any. */
  readonly words?: readonly string[] | true
}

export interface CommandLine {
  readonly is: (flag: string) => boolean
  readonly value: (name: string) => string | undefined
  /** Returns the values of an option that may be repeated. */
  readonly all: (name: string) => readonly string[]
  readonly words: readonly string[]
}

/** Error of the user or of the machine, reported as sentences without a stack. */
export class Mistake extends Error {
  readonly problems: readonly string[]
  /** Remedy, if the problems do not name it. */
  readonly next: string | undefined
  readonly exitCode: 1 | 2

  constructor(problems: readonly string[], { next, exitCode = 1 }: { next?: string; exitCode?: 1 | 2 } = {}) {
    super(problems.join('\n'))
    this.problems = problems
    this.next = next
    this.exitCode = exitCode
  }
}

/** @throws {Mistake} for an argument that the grammar does not have */
export function readCommandLine(args: readonly string[], grammar: Grammar): CommandLine {
  const { values, positionals, tokens } = parse(args, grammar)
  for (const token of tokens) {
    const wrong = mistake(token, grammar)
    if (wrong !== undefined) refuse(wrong, grammar)
  }
  const all = (name: string) => [values[name] ?? []].flat().map(String)
  return { is: (flag) => values[flag] === true, value: (name) => all(name).at(-1), all, words: positionals }
}

export function helpText({ usage, options, notes }: Grammar): string {
  const rows = options === undefined ? [] : [formatRows(Object.entries(options))]
  return [usage, ...rows, ...(notes === undefined ? [] : [`  ${notes}`])].join('\n\n')
}

/** Returns the names of the options, true for those that need a value. */
function optionsOf({ options = {} }: Grammar): ReadonlyMap<string, boolean> {
  const named = Object.keys(options).filter((row) => row.startsWith('--'))
  const found = named.map((row) => [row.replace(/^--| .*/g, ''), row.includes(' ')] as const)
  return new Map([...found, ['help', false]])
}

/** @throws {Mistake} about the command line */
export function refuseUsage(problem: string): never {
  throw new Mistake([problem], { exitCode: 2 })
}

/** @throws {Mistake} about the value of an option */
export function refuseValue(name: string, given: string | undefined, expected: string): never {
  refuseUsage(`--${name} is "${given}"; expected ${expected}`)
}

/** @throws {Mistake} with the problem and the expected options */
export function refuse(problem: string, grammar: Grammar): never {
  const { words = [] } = grammar
  const names = [...optionsOf(grammar).keys()].map((name) => `--${name}`)
  refuseUsage(`${problem}; expected ${[...(words === true ? [] : words), ...names].join(', ')}`)
}

function parse(args: readonly string[], grammar: Grammar) {
  const options = Object.fromEntries(
    [...optionsOf(grammar)].map(([name, takesValue]) => [
      name,
      takesValue ? ({ type: 'string', multiple: true } as const) : ({ type: 'boolean' } as const)
    ])
  )
  return parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
}

type Token = ReturnType<typeof parse>['tokens'][number]

function mistake(token: Token, grammar: Grammar): string | undefined {
  const { words = [] } = grammar
  if (token.kind === 'positional')
    return words === true || words.includes(token.value) ? undefined : `${token.value} is not an option`
  if (token.kind !== 'option') return undefined
  const takesValue = optionsOf(grammar).get(token.name)
  if (takesValue === undefined) return `${token.rawName} is not an option`
  if (takesValue) return token.value ? undefined : `${token.rawName} needs a value`
  return token.value === undefined ? undefined : `${token.rawName} takes no value`
}
