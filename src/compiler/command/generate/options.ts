/** The command line of `npm run generate`. */
import { resolve } from 'node:path'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '@contract-first/cli/command-line'
import { contractOptions, contractRoot, readProject } from '../project/read-project.ts'

export interface Options {
  readonly check: boolean
  readonly watch: boolean
  readonly stubs: boolean
  /** True to count every warning as an error. */
  readonly strict: boolean
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  /** Absolute path. */
  readonly out: string
  /** Folder of the handlers; known only for the contract that the project of the working directory serves. */
  readonly handlers?: string
}

const modes = ['check', 'watch', 'stubs'] as const

export const grammar: Grammar = {
  usage: `usage: npm run generate [-- OPTION…]`,
  options: {
    ...contractOptions,
    '--out DIR': 'where the generated files go [generated]',
    '--check': 'write nothing; exit 1 when a file is not what the contract compiles to',
    '--watch': 'compile again whenever a file of the contract is saved',
    '--strict': 'refuse what the compiler warns about, as "strict" in package.json does',
    '--stubs': 'write a handler that answers 501 for every operation that has none'
  }
}

/** Returns the options, or the text to print and the exit code when they are wrong. */
export function readOptions({ is, value }: CommandLine): Options | EarlyExit {
  const asked = modes.filter(is)
  if (asked.length > 1) return refuse(`--${asked.join(' and --')} cannot be combined`, grammar)
  const project = readProject()
  const contract = resolve(value('contract') ?? project.contract)
  const out = resolve(value('out') ?? project.out)
  const isServed = contract === project.contract
  const isOwn = isServed && out === project.out
  if (is('stubs') && !isOwn)
    return refuse('--stubs is for the contract that this service serves, and no other', grammar)
  return {
    ...{ check: is('check'), watch: is('watch'), stubs: is('stubs') },
    strict: is('strict') || (isServed && project.isStrict),
    ...{ contract, out, root: contractRoot(contract, value('root')) },
    ...(isOwn && { handlers: project.handlers })
  }
}
