/**
 * The edit loop: waits for a save, compiles, replaces the server, shows the outcome, checks the types. `node --watch`
 * beside `tsc --watch` would be 60 lines, and 1 to 2 s from a save to the new server. Here it takes half a second: the
 * compiler stays warm, and the next server has loaded its packages before it is needed, and takes over the port.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseEnv } from 'node:util'
import { type ContractProblem, formatProblem } from '@contract-first/contract'
import { credentialVariables } from '@contract-first/service/config'
import { requiredScopes } from '@contract-first/service/scopes'
import { digestLine, newToken, scopeToken } from '@contract-first/service/tokens'
import { welcome } from '@contract-first/service/welcome'
import { FileWatcher } from '../generate/file-watcher.ts'
import { compileCache, readProject } from '../generate/read-project.ts'
import { formatReport } from '../generate/report.ts'
import { ContractStep } from './contract-step.ts'
import { isCompiler, isPackaged } from './preload-packages.ts'
import { clock, paint, Screen, serverLine } from './screen.ts'
import { type Replaced, Servers } from './servers.ts'
import { TypeChecker } from './type-checker.ts'

/** One token for all servers of this run, so that the docs page stays authorised across restarts. */
const runToken = newToken('dev_')

export interface ServerEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** The token that this run made; undefined when credentials are configured. */
  readonly token: string | undefined
}

/** Reads `.env` again for each server, because it may have been edited. */
export function serverEnvironment(tokensFile: string): ServerEnvironment {
  const given = { ...environmentFile(), ...process.env }
  const token = credentialVariables.some((name) => given[name]) ? undefined : runToken
  const logLevel = given['LOG_LEVEL'] || 'warn'
  return {
    variables: { LOG_LEVEL: logLevel, ...(token !== undefined && { AUTH_TOKENS_FILE: tokensFile }) },
    token
  }
}

/** Returns the line of a token file for the token of this run, with all scopes that the contract requires. */
export function tokenLine(contract: Parameters<typeof requiredScopes>[0]): string {
  const scopes = requiredScopes(contract).filter((scope) => scopeToken.test(scope))
  return `${[digestLine(runToken), ...scopes].join(' ')}\n`
}

/** Returns the token to show, when clients of the service send bearer tokens. */
export const shownToken = ({ usesTokens }: { readonly usesTokens: boolean }): string | undefined =>
  usesTokens ? serverEnvironment('').token : undefined

/** Returns no variables when the file cannot be read: the server reports it. */
function environmentFile(): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch {
    return {}
  }
}

const project = process.cwd()
const sources = resolve(project, 'src')

export interface DevelopOptions {
  readonly checksTypes: boolean
  readonly ending: AbortSignal
}

/** Runs the edit loop; returns after `ending`, when every process has ended. */
export async function develop(options: DevelopOptions): Promise<void> {
  const { ending } = options
  const loop = new EditLoop(options)
  const ended = Promise.withResolvers<void>()
  ending.addEventListener('abort', () => ended.resolve())
  if (!ending.aborted) await Promise.race([loop.run(), ended.promise])
  await loop.close()
}

class EditLoop {
  readonly #screen = new Screen(process.stdout)
  readonly #watcher = new FileWatcher()
  readonly #checker = new TypeChecker()
  readonly #contract = new ContractStep(readProject(), (path) => this.#watcher.watch(path))
  readonly #servers: Servers
  readonly #ending: AbortSignal
  readonly #checksTypes: boolean
  /** Holds the digest of the token of this run, and its scopes. */
  readonly #tokensFile = join(mkdtempSync(join(tmpdir(), 'dev-')), 'tokens')
  /** The last save is not served yet. */
  #isStale = true

  constructor({ checksTypes, ending }: DevelopOptions) {
    this.#ending = ending
    this.#checksTypes = checksTypes
    this.#servers = new Servers({
      environment: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
      atStart: () => {
        writeFileSync(this.#tokensFile, tokenLine(this.#contract.shownContract))
        return serverEnvironment(this.#tokensFile).variables
      },
      onLine: (line) => this.#screen.add(serverLine(line)),
      onCrash: (code) =>
        this.#screen.add([paint('red', `the server ended (${code}); it starts again with the next change`)])
    })
  }

  async run(): Promise<void> {
    this.#watcher.watchFolder(sources)
    this.#watcher.watch(resolve(project, '.env'))
    let saved: ReadonlySet<string> | undefined
    for (;;) {
      const next = this.#watcher.next()
      await this.#turn(saved, next)
      saved = await next
    }
  }

  async close(): Promise<void> {
    this.#watcher.close()
    await Promise.all([this.#checker.stop(), this.#servers.close()])
    rmSync(dirname(this.#tokensFile), { recursive: true, force: true })
  }

  /** @param saved undefined for the first run, which counts every file as saved */
  async #turn(saved: ReadonlySet<string> | undefined, overtaken: Promise<unknown>): Promise<void> {
    const began = performance.now()
    this.#checker.interrupt()
    const files = [...(saved ?? [])]
    if (files.some((file) => isServed(file) && isPackaged(file))) this.#servers.renew()
    const contract = await this.#contract.run(saved)
    this.#ending.throwIfAborted()
    if (files.some(isServed) || contract.isNew || !this.#servers.isServing) this.#isStale = true
    const note = files.some((path) => isCompiler(path))
      ? ['the compiler has changed: start npm run dev again to use it']
      : []
    // The new server does not wait for the comparison of contracts.
    const lines = async () => [...(await contract.report()), ...note]
    if (!contract.isGood) {
      this.#servers.tell({ title: 'the contract is broken', text: String(contract.notice) })
      return this.#show([...(await lines()), this.#waitingLine()])
    }
    if (this.#isStale) {
      const replaced = await this.#servers.replace(overtaken)
      this.#ending.throwIfAborted()
      if (replaced === 'overtaken') return
      this.#isStale = !('url' in replaced)
      this.#report(replaced, performance.now() - began, await lines())
    } else {
      this.#servers.tell(undefined)
      this.#show([...(await lines()), `${clock()} ${paint('green', 'serving')} as before`])
    }
    if (this.#checksTypes) await this.#checkTypes(overtaken)
  }

  #show(lines: readonly string[]): void {
    this.#screen.show(lines)
    this.#contract.shown()
  }

  #report(replaced: Exclude<Replaced, 'overtaken'>, time: number, lines: readonly string[]): void {
    if ('url' in replaced) {
      const { shownContract: contract } = this.#contract
      this.#screen.head = welcome({ url: replaced.url, token: shownToken(replaced), contract }, paint)
      this.#show([...lines, `${clock()} ${paint('green', 'serving')} after ${Math.round(time)} ms`])
    } else {
      const output = replaced.output.flatMap(serverLine).slice(-20)
      this.#servers.tell({ title: notStarted, text: causeIn(output) })
      this.#show([...lines, paint('red', 'the server did not start:'), ...output, this.#waitingLine()])
    }
  }

  #waitingLine(): string {
    const fate = this.#servers.isServing ? 'the last good server goes on' : 'no server is running'
    return `\n${clock()} ${fate}; waiting for the next change`
  }

  async #checkTypes(overtaken: Promise<unknown>): Promise<void> {
    const began = performance.now()
    const problems = await Promise.race([this.#checker.check(), overtaken.then(() => undefined)])
    // A result about files that have been saved since is not shown.
    if (problems === undefined || this.#watcher.hasChanged()) return
    for (const { file } of problems) this.#watcher.watch(file)
    const [first] = problems
    const title = this.#isStale ? notStarted : 'the types are wrong'
    if (first !== undefined) this.#servers.tell({ title, text: formatProblem(first, project) })
    this.#screen.add(typeReport(problems, { folder: project, time: performance.now() - began }))
  }
}

const notStarted = 'the server did not start'

/** Returns the line that names the error: Node prints the place and the source line before it. */
function causeIn(output: readonly string[]): string {
  return String([...output.filter((line) => /^(?:\w*Error|error)\b/.test(line)), ...output][0])
}

const isServed = (path: string): boolean =>
  (path.startsWith(sources + sep) && !isCompiler(path)) || relative(project, path) === '.env'

/** @param time duration of the check in milliseconds */
export function typeReport(
  problems: readonly ContractProblem[],
  { folder, time }: { readonly folder: string; readonly time: number }
): string[] {
  const seconds = `${(time / 1000).toFixed(1)} s`
  if (problems.length === 0) return [paint('dim', `types are right (${seconds})`)]
  const report = formatReport(problems, { folder, paint, maxErrors: 3 })
  return ['', ...report.split('\n'), paint('dim', `types are wrong (${seconds})`)]
}
