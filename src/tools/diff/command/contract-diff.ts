/** `npm run contract:diff [-- BASE] [-- --contract F --format FORMAT --fail-on LIST]`: compares the contract with an older one. */

import { resolve } from 'node:path'
import { finish, paints } from '@contract-first/cli/command'
import { type CommandLine, type Grammar, refuse, refuseUsage } from '@contract-first/cli/command-line'
import { runBriefly } from '../../../compiler/command/generate/brief-run.ts'
import {
  contractCommand,
  contractFile,
  contractOptions,
  refuseUrl
} from '../../../compiler/command/generate/read-project.ts'
import { formats } from '../../../compiler/command/generate/report-formats.ts'
import type { List } from '../diff.ts'
import type { Options } from './base.ts'
import type { DiffFormat } from './format.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    const options = readOptions(line)
    runBriefly()
    const { runDiff } = await import('./run.ts')
    await runDiff(options, paints).then(finish)
  })
}

const diffFormats: readonly DiffFormat[] = [...formats, 'html']

/** Lists that fail, by the value of `--fail-on`. */
const failures: ReadonlyMap<string, readonly List[]> = new Map([
  ['breaking', ['breaking']],
  ['undecided', ['breaking', 'undecided']]
])

export const grammar: Grammar = {
  usage: `usage: npm run contract:diff [-- BASE] [-- OPTION…]

  Lists what has changed in the contract since BASE, and what breaks a client that was right by the old contract.
  Exits 1 when something does (or may, with --fail-on undecided), 2 when the contracts cannot be compared.`,
  options: {
    BASE: 'a file, a git revision, or REVISION:FILE [HEAD]',
    ...contractOptions,
    '--format FORMAT': `${diffFormats.join(', ')} [text]; github: annotations of a workflow, markdown: a comment of a pull request`,
    '--fail-on LIST': 'breaking, or undecided for changes of either list [breaking]'
  },
  notes: 'Changes that contract-accepted.yaml lists beside the contract do not break: docs/contract-diff.md.',
  words: true
}

/** @throws {Mistake} for a wrong value */
export function readOptions(line: CommandLine, folder = '.'): Options {
  const [base = 'HEAD', surplus] = line.words
  if (surplus !== undefined) refuse(`${surplus} is a second BASE`, grammar)
  refuseUrl('BASE', base)
  const given = line.value('format') ?? 'text'
  const format = diffFormats.find((name) => name === given)
  if (format === undefined)
    refuseUsage(`--format ${given} is not a format; expected ${diffFormats.join(', ')}`)
  const least = line.value('fail-on') ?? 'breaking'
  const failing = failures.get(least)
  if (failing === undefined)
    refuseUsage(`--fail-on ${least} is not a list that fails; expected ${[...failures.keys()].join(', ')}`)
  return { base, format, failing, folder: resolve(folder), ...contractFile(line, undefined, folder) }
}
