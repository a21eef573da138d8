/** `npm run new -- DIR --contract FILE`: makes a project that serves a contract. */

import { enableCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { accepted, command, finish, toErrors, toOutput } from '@contract-first/cli/command'
import { type CommandLine, type EarlyExit, type Grammar, refuse } from '@contract-first/cli/command-line'
import type { NewCommand } from './new/run.ts'
import { compileCache, contractOptions, contractRoot } from './project/read-project.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  enableCompileCache(compileCache())
  await command(grammar, async (line) => {
    const options = accepted(readNewOptions(line))
    const [{ runNew }, { vendorPackages }, { install }] = await Promise.all([
      import('./new/run.ts'),
      import('./new/pack.ts'),
      import('./new/write.ts')
    ])
    const paints = { output: toOutput, errors: toErrors }
    const onStep = (step: string) => process.stderr.write(toErrors('dim', `${step}\n`))
    await runNew(options, { paints, vendor: vendorPackages, install, onStep }).then(finish)
  })
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
