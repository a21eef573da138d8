/** Parses the arguments after `npm run NAME --`, and reports mistakes in them. */
import { parseArgs } from 'node:util'

export interface Grammar {
  /** Text for `--help`. */
  readonly usage: string
  /** Options without a value; `--help` is always one. */
  readonly flags?: readonly string[]
  /** Options that need a value. */
  readonly values?: readonly string[]
  /** Options that need a value and may be repeated. */
  readonly lists?: readonly string[]
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

/** Result that ends the command before it runs: the help, or a usage error. */
export interface EarlyExit {
  readonly exitCode: 0 | 2
  readonly text: string
}

export function readCommandLine(args: readonly string[], grammar: Grammar): CommandLine | EarlyExit {
  const { values, positionals, tokens } = parse(args, grammar)
  for (const token of tokens) {
    const wrong = mistake(token, grammar)
    if (wrong !== undefined) return refuse(wrong, grammar)
  }
  if (values['help'] === true) return { exitCode: 0, text: grammar.usage }
  return {
    is: (flag) => values[flag] === true,
    value: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    all: (name) => [values[name] ?? []].flat().map(String),
    words: positionals
  }
}

/** Refuses the value of an option. */
export function refuseValue(name: string, given: string | undefined, expected: string): EarlyExit {
  return { exitCode: 2, text: `--${name} is "${given}"; expected ${expected}` }
}

/**
 * Returns a usage error.
 * @param problem the sentence to which the expected options are appended
 */
export function refuse(problem: string, { flags = [], values = [], lists = [], words }: Grammar): EarlyExit {
  const named = words === undefined || words === true ? [] : words
  const expected = [...named, ...[...values, ...lists, ...flags, 'help'].map((name) => `--${name}`)]
  return { exitCode: 2, text: `${problem}; expected ${expected.join(', ')}` }
}

function parse(args: readonly string[], { flags = [], values = [], lists = [] }: Grammar) {
  const options = Object.fromEntries([
    ...[...flags, 'help'].map((name) => [name, { type: 'boolean' }] as const),
    ...values.map((name) => [name, { type: 'string' }] as const),
    ...lists.map((name) => [name, { type: 'string', multiple: true }] as const)
  ])
  return parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
}

type Token = ReturnType<typeof parse>['tokens'][number]

function mistake(
  token: Token,
  { flags = [], values = [], lists = [], words = [] }: Grammar
): string | undefined {
  if (token.kind === 'positional')
    return words === true || words.includes(token.value) ? undefined : `${token.value} is not an option`
  if (token.kind !== 'option') return undefined
  if (values.includes(token.name) || lists.includes(token.name))
    return token.value === undefined || token.value === '' ? `${token.rawName} needs a value` : undefined
  if (![...flags, 'help'].includes(token.name)) return `${token.rawName} is not an option`
  return token.value === undefined ? undefined : `${token.rawName} takes no value`
}
