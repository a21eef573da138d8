/** Checks a running server against a contract, operation by operation, one request at a time. */

import type { Contract as Model } from '@contract-first/contract'
import type { Contract, Operation } from '@contract-first/engine/model'
import { type Subject, subjectsOf } from '../samples/requests/draft.ts'
import { Credentials } from './credentials.ts'
import type { Report } from './finding.ts'
import { NoAnswer, reach } from './http-client.ts'
import { checkMethods } from './method-check.ts'
import { OperationCheck } from './operation-check.ts'
import { type GivenCredentials, Secrets } from './secrets.ts'
import { Session } from './session.ts'

export interface CheckOptions extends GivenCredentials, Selection {
  readonly contract: Contract
  readonly model: Model
  /** Base URL, to which the paths of the contract are appended. */
  readonly url: URL
  /** Seed of the run, 1 by default; equal seeds give equal findings. */
  readonly seed?: number
  /** Number of valid requests by chance per operation, after those that are always sent; 200 by default. */
  readonly requests?: number
  /** Time-out for one answer; 10 s by default. */
  readonly timeoutMs?: number
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface Progress {
  /** Operation that is checked next. */
  readonly operation: string
  readonly index: number
  readonly operations: number
  readonly requests: number
  readonly findings: number
}

export interface Checked {
  readonly report: Report
  /** Names of all operations: `POST /pets`. */
  readonly checked: readonly string[]
  /** Operations that require credentials when none were given. */
  readonly locked: readonly string[]
  /** Operations for which no valid request was found. */
  readonly unchecked: readonly string[]
  /** A sentence about each of these operations, which names the part that has no value. */
  readonly unmade: readonly string[]
  /** Operations of which requests were left out because they are too large. */
  readonly cut: readonly string[]
  /** Operations that were not chosen. */
  readonly skipped: readonly string[]
}

/**
 * Checks the server.
 * @throws {NoAnswer} when no server answers
 */
export async function checkServer(options: CheckOptions): Promise<Checked> {
  const { contract, model, url, seed = 1, requests = 200, timeoutMs = 10_000 } = options
  await reach(url)
  const credentials = new Credentials(contract.securitySchemes, options)
  const subjects = subjectsOf(contract, model)
  const chosen = subjects.filter(({ operation }) => isSelected(operation, options))
  const session = new Session({
    code: await contract.load(),
    model,
    chosen,
    url,
    credentials,
    secrets: new Secrets(options, contract.securitySchemes),
    seed,
    timeoutMs
  })
  try {
    const all = inOrder(subjects.map((subject) => new OperationCheck(subject, session)))
    for (const check of all) check.producer = all.find(({ subject }) => creates(subject, check.subject))
    const checks = all.filter(({ subject: { operation } }) => isSelected(operation, options))
    await run(checks, session, { ...options, requests })
    if (!session.isGone) await checkMethods(checks, all, session)
    const named = (some: readonly OperationCheck[]) => some.map(({ subject }) => subject.name)
    return {
      report: {
        seed,
        operations: checks.length,
        requests: session.requests,
        findings: [...session.findings.values()],
        coverage: session.coverage.report()
      },
      checked: named(checks),
      locked: named(checks.filter(({ isLocked }) => isLocked)),
      unchecked: named(checks.filter(({ bases }) => bases.length === 0)),
      unmade: checks.flatMap(({ unmade }) => unmade),
      cut: named(checks.filter(({ isCut }) => isCut)),
      skipped: named(all.filter((check) => !checks.includes(check)))
    }
  } finally {
    session.close()
  }
}

async function run(
  checks: readonly OperationCheck[],
  session: Session,
  { onProgress, requests: max }: CheckOptions & { readonly requests: number }
): Promise<void> {
  const producers = new Set(checks.flatMap(({ producer }) => producer ?? []))
  for (const producer of producers) if (!checks.includes(producer)) await producer.prepare()
  for (const check of checks) {
    await check.begin()
    if (!session.hasResponded && session.requests > 0) await assertSpeaksHttp(session)
  }
  for (const [index, check] of checks.entries()) {
    const { requests, findings } = session
    onProgress?.({
      operation: check.subject.name,
      index,
      operations: checks.length,
      requests,
      findings: findings.size
    })
    await check.run(max)
  }
}

/** Recognises a POST to the path above: `/pets` creates the resource of `/pets/{id}`. */
function creates({ operation }: Subject, { operation: other }: Subject): boolean {
  return (
    operation.method === 'POST' &&
    new RegExp(/^\/\{[^/]*\}/).test(other.path.slice(operation.path.length)) &&
    other.path.startsWith(`${operation.path}/`)
  )
}

/** Methods in their order; any other method stands before DELETE. */
const turns = ['POST', 'PUT', 'GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE', 'PATCH', undefined, 'DELETE']

/** Sorts operations that create first, and operations that delete last; short paths before longer ones. */
function inOrder(checks: readonly OperationCheck[]): readonly OperationCheck[] {
  const turnOf = (method: string) => turns.indexOf(turns.includes(method) ? method : undefined)
  const rank = ({ subject }: OperationCheck) => turnOf(subject.operation.method)
  const depth = ({ subject }: OperationCheck) => subject.operation.path.split('{').length
  return checks.toSorted((a, b) => rank(a) - rank(b) || depth(a) - depth(b))
}

/** Sends a first request: a listener that answers none is not a server. */
async function assertSpeaksHttp(session: Session): Promise<void> {
  await session.sendRaw({ method: 'GET', target: '/', headers: {}, body: undefined })
  if (!session.hasResponded)
    throw new NoAnswer(
      `nobody answers at ${session.options.url.origin}: it accepts connections, and speaks no HTTP`
    )
}

/** Choice of operations by name: an operationId, `METHOD /path`, a path, or one of these with `*` for any characters. */
export interface Selection {
  /** Names of the operations to check; all without one. */
  readonly only?: readonly string[] | undefined
  /** Names of operations to leave out. */
  readonly skip?: readonly string[] | undefined
}

function isSelected(operation: Operation, { only = [], skip = [] }: Selection): boolean {
  const isNamed = (names: readonly string[]) => names.some((name) => isName(name, operation))
  return (only.length === 0 || isNamed(only)) && !isNamed(skip)
}

/** Returns the names that no operation has. */
export const unknownNames = (
  operations: readonly Operation[],
  { only = [], skip = [] }: Selection
): readonly string[] =>
  [...only, ...skip].filter((name) => !operations.some((operation) => isName(name, operation)))

function isName(name: string, { operationId, method, path }: Operation): boolean {
  const pattern = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`)
  return [operationId, `${method} ${path}`, path].some((text) => pattern.test(text))
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`)
