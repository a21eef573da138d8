/** `npm run contract:diff [-- BASE] [-- --contract F --format FORMAT]`: compares the contract with an older one. */

import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { accepted, command, finish, toErrors, toOutput } from '@contract-first/cli/command'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '@contract-first/cli/command-line'
import type { Options } from './contract-diff/base.ts'
import type { Format } from './contract-diff/format.ts'
import { compileCache, contractOptions, contractRoot, readProject } from './project/read-project.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  // Caches the compiled code of the linter, megabytes of source.
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readOptions(line))
    const { runDiff } = await import('./contract-diff/run.ts')
    await runDiff(options, { output: toOutput, errors: toErrors }).then(finish)
  })
}

const formats: readonly Format[] = ['text', 'json', 'github']

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
