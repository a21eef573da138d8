/** What must agree before a server may start: generated code with its contract, handlers with its operations. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract } from '../model/compiled-contract.ts'

/** The server can not start: the message says what does not fit, and what to do. */
export class BootError extends Error {
  override readonly name = 'BootError'
}

type Functions = Readonly<Record<string, unknown>>

/** @throws {BootError} */
export async function checkBoot(contract: Contract, handlers: object, security: object): Promise<void> {
  if (contract.format !== 1)
    throw new BootError('the generated code is of another version of the engine: run "npm run generate"')
  await checkFresh(contract)
  const operations = contract.operations.map(({ operationId }) => operationId)
  const schemes = new Set(
    contract.operations.flatMap((operation) => operation.security.flat()).map(({ scheme }) => scheme)
  )
  const problems = [
    ...missing(operations, handlers as Functions).map((name) => `operation ${name} has no handler`),
    ...surplus(operations, handlers as Functions).map(
      (name) => `handler ${name} is for no operation of the contract`
    ),
    ...missing([...schemes], security as Functions).map((name) => `security scheme ${name} has no handler`),
    ...surplus(Object.keys(contract.securitySchemes), security as Functions).map(
      (name) => `security handler ${name} is for no scheme of the contract`
    )
  ]
  if (problems.length > 0) throw new BootError(problems.join('\n'))
}

/** Compares every file of the contract with what the code was generated from. One that is gone can not have changed. */
async function checkFresh({ sources, url }: Contract): Promise<void> {
  const checks = sources.map(async ({ file, sha256 }) => {
    const path = new URL(file, url)
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes === undefined || digest(bytes) === sha256) return []
    return [
      `${basename(fileURLToPath(path))} has changed since generated/ was written: run "npm run generate"`
    ]
  })
  const stale = (await Promise.all(checks)).flat()
  if (stale.length > 0) throw new BootError(stale.join('\n'))
}

/** As the compiler reads the file: line endings do not matter. */
function digest(bytes: Buffer): string {
  const text = bytes.includes('\r\n') ? bytes.toString('utf8').replaceAll('\r\n', '\n') : bytes
  return createHash('sha256').update(text).digest('hex')
}

/** Own functions only: an operation named toString is not handled by every object. */
function missing(names: readonly string[], functions: Functions): string[] {
  return names.filter((name) => !Object.hasOwn(functions, name) || typeof functions[name] !== 'function')
}

function surplus(names: readonly string[], functions: Functions): string[] {
  const known = new Set(names)
  return Object.keys(functions).filter((name) => !known.has(name))
}
