/** The mock of a contract from its start to its end: every save replaces the server behind the same port. */

import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { Mistake, type Paints } from '@contract-first/cli/command'
import { formatRows, type Paint } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { byCause } from '@contract-first/contract'
import { BootError } from '@contract-first/engine/errors'
import { basePathOf, loadEnvFile, readBaseUrl } from '@contract-first/service/config'
import { exampleText } from '@contract-first/service/curl'
import { registerDocs } from '@contract-first/service/docs'
import { securityHeaders } from '@contract-first/service/headers'
import { listening, StartError } from '@contract-first/service/start-error'
import { FileWatcher } from '../../../compiler/command/generate/file-watcher.ts'
import type { ContractFile } from '../../../compiler/command/generate/read-project.ts'
import { assertIsFile, formatReport, problemText } from '../../../compiler/command/generate/report.ts'
import { compileInMemory, type InMemory } from '../../../compiler/compile/in-memory.ts'
import { createMock, Listener, type Mock, type Resources } from '../mock.ts'

export interface MockCommand extends ContractFile {
  readonly host: string
  readonly port: number
  readonly seed: number
  /** BASE_URL, whose path prefixes every route; by default the first server of the contract. */
  readonly baseUrl?: URL | undefined
  /** Keeps what requests make, until the mock ends. */
  readonly state?: 'memory'
  /** URL of a real server. */
  readonly proxy?: string
  /** File of answers, an absolute path. */
  readonly override?: string
}

interface Output {
  write(text: string): unknown
}

export interface MockTerminal {
  readonly output: Output
  readonly errors: Output
  readonly paints: Paints
  readonly ending: AbortSignal
}

/**
 * Returns BASE_URL, also from `.env`, as the service reads it.
 * @param load `process.loadEnvFile`
 * @throws {Mistake} for a wrong one
 */
export function configuredUrl(environment: NodeJS.ProcessEnv, load: (path: string) => void): URL | undefined {
  try {
    loadEnvFile(load)
    return readBaseUrl(environment)
  } catch (error) {
    throw error instanceof StartError ? new Mistake(error.problems) : error
  }
}

/**
 * Returns after `ending`, when the server has ended.
 * @throws {Mistake} when the contract is wrong, or the port is taken
 */
export async function runMock(options: MockCommand, terminal: MockTerminal): Promise<void> {
  await using opening = new AsyncDisposableStack()
  const watcher = opening.adopt(new FileWatcher(), (each) => each.close())
  const session = new MockSession(options, terminal, watcher)
  const first = await session.make().catch((error: unknown) => {
    throw mistakeOf(error)
  })
  const listener = opening.adopt(await listen(first, options), (each) => each.close())
  const ended = new Promise<void>((resolve) => {
    if (terminal.ending.aborted) resolve()
    terminal.ending.addEventListener('abort', () => resolve())
  })
  terminal.output.write(startText(first, listener.address, options, terminal.paints.output))
  await Promise.race([ended, session.follow(listener)])
}

async function listen({ app }: Mock, options: MockCommand): Promise<Listener> {
  return listening('--host and --port', Listener.open(app, options)).catch((error: StartError) => {
    throw new Mistake(error.problems)
  })
}

class MockSession {
  readonly #options: MockCommand
  readonly #terminal: MockTerminal
  readonly #watcher: FileWatcher
  readonly #resources: Resources = new Map()
  #reported = ''

  constructor(options: MockCommand, terminal: MockTerminal, watcher: FileWatcher) {
    this.#options = options
    this.#terminal = terminal
    this.#watcher = watcher
  }

  async make(): Promise<Mock> {
    const { contract: path, root, formats, seed } = this.#options
    this.#watcher.watch(path)
    await assertIsFile(path)
    const compiled = await compileInMemory(path, {
      root,
      formats,
      onFile: (file) => this.#watcher.watch(file)
    })
    this.#report(compiled)
    const { override: file, proxy, baseUrl } = this.#options
    if (file !== undefined) this.#watcher.watch(file)
    const mock = await createMock(compiled, {
      seed,
      basePath: basePathOf(baseUrl, compiled.contract.basePath),
      ...(this.#options.state && { resources: this.#resources }),
      ...(proxy !== undefined && { proxy }),
      ...(file !== undefined && { override: { file, text: await readOverride(file) } }),
      onWarning: (text) => this.#terminal.errors.write(`${printable(text)}\n`)
    })
    const { basePath } = mock
    const { page: headers } = securityHeaders(false)
    registerDocs(mock.app, { basePath, contract: compiled.contract, headers, maySeeInternal: () => true })
    return mock
  }

  /** Serves each saved contract; after a broken save, the last good one is still served. */
  async follow(listener: Listener): Promise<never> {
    for (;;) {
      await this.#watcher.next()
      try {
        const mock = await this.make()
        await listener.replace(mock.app)
        this.#terminal.output.write(`reloaded: ${printable(urlOf(mock, listener.address, this.#options))}\n`)
      } catch (error) {
        const { problems } = mistakeOf(error)
        this.#terminal.errors.write(
          `${problems.join('\n')}\nthe last good contract is served; waiting for the next change\n`
        )
      }
    }
  }

  /** Prints each warning once, not after each save. */
  #report({ problems }: InMemory): void {
    const paint = this.#terminal.paints.errors
    const text = formatReport(byCause(problems), { paint, maxWarnings: 3 })
    if (text !== '' && text !== this.#reported) this.#terminal.errors.write(`${text}\n`)
    this.#reported = text
  }
}

/** @throws {Mistake} for a file that cannot be read */
async function readOverride(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Mistake([
      `--override: ${file}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`
    ])
  })
}

/** @throws any error that the user cannot have caused: it is a defect, and keeps its stack */
function mistakeOf(error: unknown): Mistake {
  if (error instanceof BootError) return new Mistake([error.message])
  const paint: Paint = (_style, text) => text
  return new Mistake([problemText(error, (problems) => formatReport(byCause(problems), { paint }))])
}

/** The text that a person sees when the mock has started. Its first line is the URL, for programs. */
export function startText(mock: Mock, address: AddressInfo, options: MockCommand, paint: Paint): string {
  const url = urlOf(mock, address, options)
  const rows = formatRows([
    ['docs', `${url}/docs`],
    ['choose', "-H 'Prefer: code=404', 'Prefer: example=NAME', 'Prefer: dynamic=true'"]
  ])
  return `${url}\n\n${rows}\n${exampleText(mock.contract, { url, token: 'mock' }, paint)}`
}

/**
 * Returns the URL for clients, without a slash at the end. Clients cannot use a wildcard address, so it becomes
 * localhost.
 */
export function urlOf({ basePath }: Mock, { port }: AddressInfo, { host }: MockCommand): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}${basePath}`
}
