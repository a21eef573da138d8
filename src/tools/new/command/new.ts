/** `npm run new -- DIR --contract FILE`: makes a project that serves a contract. */

import { resolve } from 'node:path'
import { finish, paints, toErrors } from '@contract-first/cli/command'
import { type CommandLine, type Grammar, refuse } from '@contract-first/cli/command-line'
import {
  contractCommand,
  contractFile,
  contractOptions
} from '../../../compiler/command/generate/read-project.ts'
import { packedPackages, vendorPackages } from './pack.ts'
import type { NewCommand } from './run.ts'

/** Reads the command line of the process, and sets its exit code. */
export async function run(): Promise<void> {
  await contractCommand(grammar, async (line) => {
    const options = readNewOptions(line)
    const { begin, end } = new Steps((line) => process.stderr.write(toErrors('dim', line)))
    // tsc compiles the packages while this process loads the compiler of the contract.
    const packed = options.registry ? undefined : packedPackages()
    // Its failure is reported where it is awaited, and not while the contract is read.
    packed?.catch(() => undefined)
    const vendor = (folder: string) => vendorPackages(folder, packed)
    const { runNew } = await import('./run.ts')
    await runNew(options, { paints, onStep: begin, vendor }).finally(end).then(finish)
  })
}

export const grammar: Grammar = {
  usage: `usage: npm run new -- DIR [OPTION…]

  Makes a project in DIR that serves a contract: a handler for each operation, error bodies in the contract's own shape,
  tests, a git repository.`,
  options: {
    ...contractOptions,
    '--mock': 'handlers answer the examples of the contract; without it they answer 501',
    '--registry': 'depend on the packages of the npm registry; without it, on tarballs in vendor/'
  },
  words: true
}

/** @throws {Mistake} unless one folder is named */
export function readNewOptions(line: CommandLine): NewCommand {
  const { is, words } = line
  const [folder, ...others] = words
  const expected = { ...grammar, words: ['DIR'] }
  if (folder === undefined) refuse('no folder is named', expected)
  if (others.length > 0) refuse(`one folder is made, not ${words.length}: ${words.join(', ')}`, expected)
  return {
    folder: resolve(folder),
    ...contractFile(line, 'openapi.yaml'),
    mock: is('mock'),
    registry: is('registry')
  }
}

/** Names each step of a long command when it begins, with its time when it ends. */
export class Steps {
  readonly #write: (text: string) => unknown
  readonly #timer: NodeJS.Timeout
  #began: number | undefined

  /** @param intervalMs time after which the time so far is written */
  constructor(write: (text: string) => unknown, intervalMs = 10_000) {
    this.#write = write
    this.#timer = setInterval(() => this.#write(` … ${this.#seconds(0)}`), intervalMs)
  }

  readonly begin = (step: string): void => {
    this.#finish()
    this.#began = performance.now()
    this.#write(step)
    this.#timer.refresh()
  }

  readonly end = (): void => {
    this.#finish()
    clearInterval(this.#timer)
  }

  #finish(): void {
    if (this.#began !== undefined) this.#write(`: ${this.#seconds(1)}\n`)
    this.#began = undefined
  }

  #seconds(digits: number): string {
    return `${((performance.now() - (this.#began ?? performance.now())) / 1000).toFixed(digits)} s`
  }
}
