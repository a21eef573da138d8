/** The command line of `npm run contract:diff`. */
import { resolve } from 'node:path'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '@contract-first/cli/command-line'
import { contractOptions, contractRoot, readProject } from '../project/read-project.ts'

const formats = ['text', 'json', 'github'] as const
export type Format = (typeof formats)[number]

export interface Options {
  /** A file or a git revision. */
  readonly base: string
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  readonly format: Format
  /** Folder that paths in messages are relative to. */
  readonly folder: string
}

export const grammar: Grammar = {
  usage: `usage: npm run contract:diff [-- BASE] [-- OPTION…]

  Lists what has changed in the contract since BASE, and what breaks a client that was right by the old contract.
  Exits 1 when something does, 2 when the contracts cannot be compared.`,
  options: {
    BASE: 'a file, a git revision, or REVISION:FILE [HEAD]',
    ...contractOptions,
    '--format FORMAT': 'text, json, or github for annotations of a workflow [text]'
  },
  notes: 'Changes that contract-accepted.yaml lists beside the contract do not break: docs/contract-life.md.',
  words: true
}

/** Returns the options, or the text to print and the exit code when they are wrong. */
export function readOptions({ value, words }: CommandLine, folder = '.'): Options | EarlyExit {
  const [base = 'HEAD', surplus] = words
  if (surplus !== undefined) return refuse(`${surplus} is a second BASE`, grammar)
  const format = formats.find((name) => name === (value('format') ?? 'text'))
  if (format === undefined)
    return {
      exitCode: 2,
      text: `--format ${value('format')} is not a format; expected ${formats.join(', ')}`
    }
  const contract = resolve(folder, value('contract') ?? readProject().contract)
  const root = contractRoot(contract, value('root'), folder)
  return { base, format, folder: resolve(folder), contract, root }
}
