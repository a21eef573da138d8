/** Checks that methods which a path does not declare are refused with 405 and `Allow` (RFC 9110, section 15.5.6). */
import { pathMatcher } from '@contract-first/engine/steps'
import type { Draft } from '../samples/requests/draft.ts'
import { rawRequest } from '../samples/requests/raw-request.ts'
import { type Deviation, deviation, type Exchange } from './finding.ts'
import { isResponse, type Outcome } from './http-client.ts'
import type { OperationCheck } from './operation-check.ts'
import type { Session } from './session.ts'

/** Methods to try everywhere; HEAD and OPTIONS are left out, because a server may answer both for every path. */
const common = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']
const leftOut = ['HEAD', 'OPTIONS', 'TRACE']

/** @param all the operations of the whole contract, which declare the methods of each path */
export async function checkMethods(
  chosen: readonly OperationCheck[],
  all: readonly OperationCheck[],
  session: Session
): Promise<void> {
  for (const ofPath of Map.groupBy(chosen, ({ subject }) => subject.operation.path).values()) {
    const check = ofPath.find(({ bases, trials }) => bases.length > 0 && !trials.isStopped)
    const [base] = check?.bases ?? []
    if (check !== undefined && base !== undefined) await checkPath(base, check, all, session)
  }
}

/** @param base valid request from which requests with other methods are made */
async function checkPath(
  base: Draft,
  { subject, isLocked, trials }: OperationCheck,
  all: readonly OperationCheck[],
  session: Session
): Promise<void> {
  const { target, headers } = rawRequest(session.fed(base, 0))
  const [own = target] = target.split('?')
  const declared = new Set(
    all
      .map(({ subject: { operation } }) => operation)
      .filter(({ path }) => pathMatcher(path)(own) !== undefined)
      .map(({ method }) => method)
  )
  const { 'content-type': _type, ...rest } = headers
  const found: Found[] = []
  for (const method of methodsToTry(all)) {
    if (declared.has(method) || found.at(-1)?.deviation.check === 'time-out') continue
    const raw = trials.credentials({ method, target: own, headers: rest, body: undefined })
    const exchange = await session.exchange(base, raw)
    const deviation = deviationOf(exchange.outcome, declared, isLocked)
    if (deviation !== undefined) found.push({ method, exchange, deviation })
  }
  // A router may answer every undeclared method with 404: methods that are answered alike are reported once.
  for (const [message, same] of Map.groupBy(found, ({ deviation }) => deviation.message)) {
    const [{ method, exchange, deviation }, ...others] = same as [Found, ...Found[]]
    const also =
      others.length === 0 ? '' : `; so it does to ${others.map((other) => other.method).join(', ')}`
    const name = `${method} ${subject.operation.path}`
    session.add(name, { ...deviation, message: `${message}${also}` }, exchange)
  }
}

interface Found {
  readonly method: string
  readonly exchange: Exchange
  readonly deviation: Deviation
}

/** Returns the common methods, and those that the contract declares for other paths. */
function methodsToTry(checks: readonly OperationCheck[]): ReadonlySet<string> {
  const declared = checks.map(({ subject }) => subject.operation.method)
  return new Set([...common, ...declared.filter((method) => !leftOut.includes(method))])
}

function deviationOf(
  outcome: Outcome,
  declared: ReadonlySet<string>,
  isLocked: boolean
): Deviation | undefined {
  if (!isResponse(outcome)) return deviation(outcome.kind, '', outcome.reason)
  const { status, headers } = outcome
  // A proxy in front of the server may forbid the methods that it does not know.
  if (status === 403 || (isLocked && status === 401)) return undefined
  const undeclared = (message: string) => deviation('undeclared-method', '', message)
  if (status !== 405) return undeclared(`answers ${status} to a method that is not declared; expected is 405`)
  const allowed = headers['allow']?.split(',').map((name) => name.trim().toUpperCase())
  if (allowed === undefined) return undeclared('answers 405 without the header Allow')
  const missing = [...declared].filter((method) => !allowed.includes(method))
  if (missing.length === 0) return undefined
  return undeclared(`answers 405 with an Allow that leaves out ${missing.join(', ')}`)
}
