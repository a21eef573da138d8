/** `npm run generate [-- --check | --watch | --stubs] [-- --contract F --out DIR]`: compiles the contract. */

import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { accepted, command } from '@contract-first/cli/command'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '@contract-first/cli/command-line'
import type { Options } from './generate/run.ts'
import { compileCache, contractOptions, contractRoot, readProject } from './project/read-project.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  // Caches the compiled code of the linter and TypeScript, megabytes of source: halves the time to load them.
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readOptions(line))
    const { printRun, watchContract } = await import('./generate/run.ts')
    if (options.watch) await watchContract(options)
    else process.exitCode = (await printRun(options)) ? 0 : 1
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
