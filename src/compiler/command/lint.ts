/** `npm run lint:contract [-- --contract F]`: Redocly's rules on the contract, chosen by the project's `redocly.yaml`. */
import { Mistake } from '@contract-first/cli/command'
import type { Grammar } from '@contract-first/cli/command-line'
import { reasonOf } from '@contract-first/contract'
import { contractCommand, contractFile, contractOptions } from './generate/read-project.ts'
import { assertIsFile, shortPath } from './generate/report.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    if (!(await passes(contractFile(line).contract))) process.exitCode = 1
  })
}

export const grammar: Grammar = {
  usage: `usage: npm run lint:contract [-- OPTION…]

  Lists what the rules of Redocly find in the contract. redocly.yaml of this folder chooses them:
  https://redocly.com/docs/cli/rules. Exits 1 when one of them is an error.`,
  options: { '--contract FILE': contractOptions['--contract FILE'] }
}

/**
 * Prints what the rules find.
 * @returns false when one of it is an error
 * @throws {Mistake} for a contract or a configuration that cannot be read
 */
async function passes(contract: string): Promise<boolean> {
  const { BaseResolver, findConfig, formatProblems, getTotals, lint, loadConfig, ResolveError } =
    await import('@redocly/openapi-core')
  /** Reads files only: like the other commands, this one fetches nothing over a network. */
  class LocalResolver extends BaseResolver {
    override async loadExternalRef(reference: string) {
      if (!/^https?:/.test(reference)) return super.loadExternalRef(reference)
      throw new ResolveError(new Error('references to URLs are not followed'))
    }
  }
  try {
    await assertIsFile(contract)
    // Plugins are programs: those beside a contract of another author are not run.
    const configPath = findConfig()
    const config = await loadConfig(configPath === undefined ? {} : { configPath })
    const problems = await lint({ ref: contract, config, externalRefResolver: new LocalResolver() })
    const totals = getTotals(problems)
    formatProblems(problems, { format: 'stylish', totals })
    return totals.errors === 0
  } catch (error) {
    throw new Mistake([`${shortPath(contract)} cannot be linted: ${reasonOf(error)}`])
  }
}
