/** Checks at boot: generated code against its contract, handlers against its operations. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompiledCode, Contract } from '../model/compiled-contract.ts'
import { format } from '../model/format.ts'
import { generatedFolder, otherModules, strayFiles } from './build-check.ts'

/** Error that stops the boot; the message names the disagreement and the remedy. */
export class BootError extends Error {
  override readonly name = 'BootError'
}

type Functions = Readonly<Record<string, unknown>>

export interface BootOptions {
  readonly contract: Contract
  readonly handlers: object
  readonly security: object
  readonly checkedAtBuild?: boolean
}

/**
 * Checks what only TypeScript checks of the options otherwise.
 * @throws {BootError}
 */
export function checkOptions({
  contract,
  handlers,
  security,
  errorBody
}: Readonly<Record<'contract' | 'handlers' | 'security' | 'errorBody', unknown>>): void {
  const isMissing: readonly (readonly [boolean, string])[] = [
    [
      !Array.isArray(Object(contract).operations),
      'contract: give the default export of generated/contract.ts'
    ],
    [Object(handlers) !== handlers, 'handlers: give an object with a function for each operationId'],
    [
      Object(security) !== security,
      'security: give an object with a function for each security scheme, or {}'
    ],
    [typeof errorBody !== 'function', 'errorBody: give a function that returns the body of an error']
  ]
  assertNone(isMissing.flatMap(([is, problem]) => (is ? [problem] : [])))
}

/** @throws {BootError} */
export async function checkBoot(options: BootOptions): Promise<void> {
  const { contract, handlers, security, checkedAtBuild } = options
  checkFormat(contract)
  checkBuild(contract, checkedAtBuild)
  if (checkedAtBuild !== true) await checkFresh(contract)
  assertNone([
    ...handlerProblems(contract, handlers as Functions),
    ...securityProblems(contract, security as Functions)
  ])
}

function assertNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new BootError(problems.join('\n'))
}

function checkFormat(contract: Contract): void {
  if (contract.format === format) return
  const { name, command } = generatedFolder(contract)
  throw new BootError(`the generated code in ${name} is of another version of the engine: run "${command}"`)
}

/**
 * Checks that the generated code is of one build.
 * @param isBundled true to compare only what is loaded
 * @throws {BootError}
 */
export function checkBuild(contract: Contract, isBundled = false): void {
  const { url, build } = contract
  // A contract that is compiled in memory is in no file.
  if (build === undefined) return
  const found = isBundled || url === undefined ? undefined : strayFiles(url, build)
  const others = new Set([...otherModules(build.id, build.loaded), ...(found?.others ?? [])])
  assertOneBuild(contract, { missing: found?.missing ?? [], others: [...others].sort() })
}

/**
 * Checks compiled code that was loaded after the boot.
 * @throws {BootError}
 */
export function checkLoaded(contract: Contract, { builds = {} }: CompiledCode): void {
  const others = otherModules(String(contract.build?.id), builds)
  assertOneBuild(contract, { missing: [], others })
}

function assertOneBuild(contract: Contract, { missing, others }: ReturnType<typeof strayFiles>): void {
  if (missing.length + others.length === 0) return
  const { name, command } = generatedFolder(contract)
  const problems = [
    ...(missing.length === 0 ? [] : [`${name} lacks ${missing.join(', ')}`]),
    ...(others.length === 0
      ? []
      : [`${others.join(', ')} in ${name} and contract.ts are of different builds`])
  ]
  throw new BootError(`${problems.join('; ')}: run "${command}"`)
}

function handlerProblems({ operations }: Contract, handlers: Functions): string[] {
  const ids = operations.map(({ operationId }) => operationId)
  return [
    ...missing(ids, handlers).map((name) => `operation ${name} has no handler`),
    ...surplus(ids, handlers).map((name) => `handler ${name} is for no operation of the contract`)
  ]
}

function securityProblems({ operations, securitySchemes }: Contract, security: Functions): string[] {
  const required = operations.flatMap((operation) => operation.security.flat()).map(({ scheme }) => scheme)
  return [
    ...missing([...new Set(required)], security).map((name) => `security scheme ${name} has no handler`),
    ...surplus(Object.keys(securitySchemes), security).map(
      (name) => `security handler ${name} is for no scheme of the contract`
    )
  ]
}

/** Compares every file of the contract with its digest in the generated code. A missing file counts as unchanged. */
async function checkFresh(contract: Contract): Promise<void> {
  const { url, sources } = contract
  if (url === undefined) return
  const { name, command } = generatedFolder(contract)
  const checks = sources.map(async ({ file, sha256 }) => {
    const path = new URL(file, url)
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes === undefined || digest(bytes) === sha256) return []
    return [`${basename(fileURLToPath(path))} has changed since ${name} was written: run "${command}"`]
  })
  const stale = (await Promise.all(checks)).flat()
  assertNone(stale)
}

/** Digests a text and ignores the difference between line endings, like the compiler. */
function digest(bytes: Buffer): string {
  const text = bytes.includes('\r\n') ? bytes.toString('utf8').replaceAll('\r\n', '\n') : bytes
  return createHash('sha256').update(text).digest('hex')
}

/** Returns the names without an own function: an inherited `toString` handles no operation of that name. */
function missing(names: readonly string[], functions: Functions): string[] {
  return names.filter((name) => !Object.hasOwn(functions, name) || typeof functions[name] !== 'function')
}

function surplus(names: readonly string[], functions: Functions): string[] {
  const known = new Set(names)
  return Object.keys(functions).filter((name) => !known.has(name))
}
