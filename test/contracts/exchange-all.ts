/** Compiles and boots a contract, and sends valid and invalid requests to every operation. */
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { generate, type Outcome, type Served, serve } from './drive.ts'
import { type Exchange, exchangesOf } from './exchanges.ts'

/** @param path path of the root file, relative to this folder */
export async function exchangeAll(t: Test, name: string, path: string): Promise<void> {
  const { contract } = await generate(t, path)
  const served = await serve(t, contract)
  const reached = new Set<string>()
  for (const exchange of exchangesOf(name)) {
    const outcome = await served.exchange(exchange)
    if (outcome.seen.operation !== undefined) reached.add(outcome.seen.operation)
    check(t, exchange, outcome)
  }
  t.strictSame(
    [...reached].sort(),
    contract.operations.map(({ operationId }) => operationId).sort(),
    'every operation'
  )
  await refuseBodies(t, contract, served)
}

export function check(t: Test, exchange: Exchange, { status, headers, body, seen }: Outcome): void {
  const label = `${JSON.stringify(exchange.send)} → ${exchange.want}`
  t.equal(status, exchange.want, label, { body, seen })
  if (exchange.message !== undefined) t.match(body, exchange.message, `${label}: ${exchange.message}`)
  if (exchange.refusal !== undefined || exchange.problems !== undefined) {
    const { code, message, problems } = JSON.parse(body)
    t.equal(`${code}: ${message}`, exchange.refusal ?? `${code}: ${message}`, label)
    if (exchange.problems !== undefined)
      t.strictSame(problems.toSorted(), exchange.problems.toSorted(), label)
  }
  for (const [member, value] of Object.entries(exchange.seen ?? {})) {
    const found = plain(seen[member])
    t.ok(isDeepStrictEqual(found, value), `${label}: ${member}`, { found, wanted: value })
  }
  if (exchange.got !== undefined)
    t.strictSame(typeof exchange.got === 'string' ? body : JSON.parse(body), exchange.got, `${label}: body`)
  for (const [name, value] of Object.entries(exchange.gotHeaders ?? {}))
    t.equal(headers[name], value, `${label}: ${name}`)
}

/** Returns the value with ordinary objects instead of objects without a prototype. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** Asserts that every operation refuses a body of an undeclared media type. */
async function refuseBodies(t: Test, { operations }: Contract, { exchange }: Served): Promise<void> {
  for (const { method, path, operationId, requestBody } of operations) {
    // The text of a contract may break the output format of the test.
    const label = operationId.replaceAll(/[^\w-]/g, '?')
    const takesAll = requestBody?.content.some(({ mediaType }) => mediaType.startsWith('*')) === true
    if (takesAll || ['HEAD', 'TRACE'].includes(method)) continue
    const url = encodeURI(path.replaceAll(/\{[^{}]*\}/g, '1'))
      .replaceAll('%25', '%')
      .replaceAll(/[?#]/g, encodeURIComponent)
    const headers = { 'content-type': 'application/x-undeclared' }
    const { status, seen } = await exchange({ send: `${method} ${url}`, headers, body: 'x', want: 400 })
    t.ok([400, 401, 415].includes(status), `${label} refuses an undeclared body`, {
      status
    })
    t.equal(seen.operation, undefined, `${label} is not reached`)
  }
}
