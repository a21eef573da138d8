#!/usr/bin/env node
/** `contract COMMAND`: every command of the compiler, for the contract of the working directory. */
import { toErrors } from '@contract-first/cli/command'
import { formatProblems, formatRows } from '@contract-first/cli/format'

/** The commands, each with its description and its module; the module reads the rest of the command line. */
const commands = {
  generate: ['compiles the contract into generated/', () => import('./generate.ts')],
  dev: ['serves, and follows every edit', () => import('./dev.ts')],
  mock: ['serves a contract without handlers', () => import('./mock.ts')],
  diff: ['what changed since a revision, and whom it breaks', () => import('./contract-diff.ts')],
  lint: ["what Redocly's rules of redocly.yaml find in the contract", () => import('./lint.ts')],
  conformance: ['checks a running server against the contract', () => import('./conformance.ts')],
  new: ['makes a project that serves a contract', () => import('./new.ts')]
} as const

const usage = `usage: contract COMMAND [OPTION…]

${formatRows(Object.entries(commands).map(([name, [does]]) => [name, does]))}

  contract COMMAND --help lists the options of a command.
`

async function run(name: keyof typeof commands): Promise<void> {
  const [, load] = commands[name]
  const command = await load()
  await command.run()
}

const [name = '--help'] = process.argv.splice(2, 1)
if (name === '--help') process.stdout.write(usage)
else if (Object.hasOwn(commands, name)) await run(name as keyof typeof commands)
else {
  const known = Object.keys(commands).join(', ')
  process.stderr.write(formatProblems([`${name} is not a command; expected ${known}`], toErrors))
  process.exitCode = 2
}
