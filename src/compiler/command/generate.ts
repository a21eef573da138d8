/** `npm run generate [-- --check | --watch | --stubs] [-- --contract F --out DIR]`: compiles the contract. */

import { resolve } from 'node:path'
import { type CommandLine, type Grammar, refuse, refuseValue } from '@contract-first/cli/command-line'
import { runBriefly } from './generate/brief-run.ts'
import { contractCommand, contractFile, contractOptions, readProject } from './generate/read-project.ts'
import { formats } from './generate/report-formats.ts'
import type { Options } from './generate/run.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    const options = readOptions(line)
    if (!options.watch) runBriefly()
    const { printRun, watchContract } = await import('./generate/run.ts')
    await (options.watch ? watchContract : printRun)(options)
  })
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
    '--all-warnings': 'list every warning by itself, however many there are',
    '--format FORMAT': `of what is wrong with the contract: ${formats.join(', ')} [text]`,
    '--stubs': 'write a handler that answers 501 for every operation that has none'
  }
}

/** @throws {Mistake} for options that exclude each other */
export function readOptions(line: CommandLine): Options {
  const { is, value } = line
  const asked = modes.filter(is)
  if (asked.length > 1) refuse(`--${asked.join(' and --')} cannot be combined`, grammar)
  const format = formats.find((name) => name === (value('format') ?? 'text'))
  if (format === undefined) refuseValue('format', value('format'), formats.join(', '))
  const project = readProject()
  const file = contractFile(line)
  const out = resolve(value('out') ?? project.out)
  const isServed = file.contract === project.contract
  const isOwn = isServed && out === project.out
  if (is('stubs') && !isOwn)
    refuse('--stubs is for the contract that this service serves, and no other', grammar)
  return {
    ...{ check: is('check'), watch: is('watch'), stubs: is('stubs') },
    allWarnings: is('all-warnings'),
    format,
    strict: is('strict') || (isServed && project.isStrict),
    ...{ ...file, out },
    ...(isOwn && { handlers: project.handlers, client: project.client })
  }
}
