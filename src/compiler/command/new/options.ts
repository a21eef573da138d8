/** The command line of `npm run new`. */
import { resolve } from 'node:path'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '@contract-first/cli/command-line'
import { contractOptions, contractRoot } from '../project/read-project.ts'

export interface NewCommand {
  /** Absolute path of the folder to make. */
  readonly folder: string
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  /** True when handlers answer the examples of the contract. */
  readonly mock: boolean
}

export const grammar: Grammar = {
  usage: `usage: npm run new -- DIR [OPTION…]

  Makes a project in DIR that serves a contract: a handler for each operation, error bodies in the contract's own shape, a test.`,
  options: {
    ...contractOptions,
    '--mock': 'handlers answer the examples of the contract; without it they answer 501'
  },
  words: true
}

/** Returns the options, or the text to print and the exit code when they are wrong. */
export function readNewOptions({ is, value, words }: CommandLine): NewCommand | EarlyExit {
  const [folder, ...others] = words
  const expected = { ...grammar, words: ['DIR'] }
  if (folder === undefined) return refuse('no folder is named', expected)
  if (others.length > 0)
    return refuse(`one folder is made, not ${words.length}: ${words.join(', ')}`, expected)
  const contract = resolve(value('contract') ?? 'openapi.yaml')
  return { folder: resolve(folder), contract, root: contractRoot(contract, value('root')), mock: is('mock') }
}
