/** The command line of `npm run generate`. */
import { resolve } from 'node:path'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '../cli/command-line.ts'

const project = resolve(import.meta.dirname, '../..')

export interface Options {
  readonly check: boolean
  readonly watch: boolean
  readonly stubs: boolean
  /** Every warning is an error; always so for the own contract. */
  readonly strict?: true
  /** Absolute path. */
  readonly contract: string
  /** Absolute path. */
  readonly out: string
  /** Set for the contract that this service serves: its handlers are known. */
  readonly isOwn: boolean
}

const modes = ['check', 'watch', 'stubs'] as const

export const grammar: Grammar = {
  usage: `usage: npm run generate [-- OPTION…]

  --contract FILE  the contract [openapi.yaml]
  --out DIR        where the generated files go [generated]
  --check          write nothing; exit 1 when a file is not what the contract compiles to
  --watch          compile again whenever a file of the contract is saved
  --strict         refuse what the compiler warns about; openapi.yaml is always compiled so
  --stubs          write a handler that answers 501 for every operation that has none`,
  values: ['contract', 'out'],
  flags: [...modes, 'strict']
}

const own = { contract: resolve(project, 'openapi.yaml'), out: resolve(project, 'generated') }

/** Returns whether a warning refuses the contract. */
export const isStrict = ({ strict, contract }: Options): boolean =>
  strict === true || contract === own.contract

/** Returns the options, or the text to print and the exit code when they are wrong. */
export function readOptions({ is, value }: CommandLine): Options | EarlyExit {
  const asked = modes.filter(is)
  if (asked.length > 1) return refuse(`--${asked.join(' and --')} cannot be combined`, grammar)
  const contract = resolve(value('contract') ?? own.contract)
  const out = resolve(value('out') ?? own.out)
  const isOwn = contract === own.contract && out === own.out
  if (is('stubs') && !isOwn)
    return refuse('--stubs is for the contract that this service serves, and no other', grammar)
  const strict = is('strict') ? ({ strict: true } as const) : {}
  return { check: is('check'), watch: is('watch'), stubs: is('stubs'), ...strict, contract, out, isOwn }
}
