/** The command line of `npm run generate`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const project = resolve(import.meta.dirname, '../..')

export interface Options {
  readonly check: boolean
  readonly watch: boolean
  readonly stubs: boolean
  /** Absolute, as is `out`. */
  readonly contract: string
  readonly out: string
  /** The contract is the one that this service serves, so that its handlers are known. */
  readonly isOwn: boolean
}

/** What is told in place of a run: help, or a usage error. */
export interface Told {
  readonly exitCode: 0 | 2
  readonly text: string
}

const usage = `usage: npm run generate [-- OPTION…]

  --contract FILE  the contract [openapi.yaml]
  --out DIR        where the generated files go [generated]
  --check          write nothing; exit 1 when a file is not what the contract compiles to
  --watch          compile again whenever a file of the contract is saved
  --stubs          write a handler that answers 501 for every operation that has none`

const own = { contract: resolve(project, 'openapi.yaml'), out: resolve(project, 'generated') }
const flags = ['check', 'watch', 'stubs', 'help'] as const
const paths = ['contract', 'out'] as const
const known = new Map<string, 'boolean' | 'string'>([
  ...flags.map((name) => [name, 'boolean'] as const),
  ...paths.map((name) => [name, 'string'] as const)
])

export function readOptions(args: readonly string[]): Options | Told {
  const { values, tokens } = parse(args)
  for (const token of tokens) {
    const wrong = mistake(token)
    if (wrong !== undefined) return refuse(wrong)
  }
  const is = (name: string) => values[name] === true
  if (is('help')) return { exitCode: 0, text: usage }
  const modes = flags.filter((name) => is(name))
  if (modes.length > 1) return refuse(`--${modes.join(' and --')} can not be combined`)
  const path = (name: 'contract' | 'out') => resolve(String(values[name] ?? own[name]))
  const isOwn = path('contract') === own.contract && path('out') === own.out
  if (is('stubs') && !isOwn)
    return refuse('--stubs is for the contract that this service serves, and no other')
  return {
    check: is('check'),
    watch: is('watch'),
    stubs: is('stubs'),
    contract: path('contract'),
    out: path('out'),
    isOwn
  }
}

function parse(args: readonly string[]) {
  const options = Object.fromEntries([...known].map(([name, type]) => [name, { type }]))
  return parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true })
}

type Token = ReturnType<typeof parse>['tokens'][number]

function mistake(token: Token): string | undefined {
  if (token.kind === 'positional') return `${token.value} is not an option`
  if (token.kind !== 'option') return undefined
  const type = known.get(token.name)
  if (type === undefined) return `${token.rawName} is not an option`
  if (type === 'boolean') return token.value === undefined ? undefined : `${token.rawName} takes no value`
  return token.value === undefined || token.value === '' ? `${token.rawName} needs a value` : undefined
}

const refuse = (problem: string): Told => ({
  exitCode: 2,
  text: `${problem}; expected ${[...paths.map((name) => `--${name}`), ...flags.map((name) => `--${name}`)].join(', ')}`
})
