import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { type FailureCode, FailureError } from '../../../src/engine/errors.ts'
import { noteCredentialProblem } from '../../../src/service/credentials/principal.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { createMetrics } from '../../../src/service/observability/metrics.ts'
import {
  errorResponseReporter,
  failureReporter,
  refusalOf
} from '../../../src/service/observability/request-log.ts'

type Details = ConstructorParameters<typeof FailureError>[1]

/** Returns a failure with the body that a client got. */
const answered = (code: FailureCode, details?: Details) => ({
  ...new FailureError(code, details).failure,
  body: { type: code }
})

const bodies = {
  errorLabel: (body: unknown) => String(Object(body).type),
  errorReason: (body: unknown) => `because ${Object(body).type}`
}

const taken = { status: 409, body: { type: 'taken' } }
const unobserved = { log: undefined, metrics: undefined }

/** Returns a request with the members that are used. */
const request = () => ({ routeOptions: { config: {} } }) as unknown as FastifyRequest

test('error bodies of the engine and of handlers are counted by the label of the product', async (t) => {
  const metrics = createMetrics()
  const observers = { log: undefined, metrics }
  errorResponseReporter(observers, bodies)(taken, request())
  failureReporter(observers, bodies)(answered('not-found'), undefined, {})
  const lines = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('http_refusals'))
  t.strictSame(lines, ['http_refusals_total{error="taken"} 1', 'http_refusals_total{error="not-found"} 1'])
})

test('a refusal by a handler is noted for the log line of its request', async (t) => {
  const [refused, answered] = [request(), request()]
  errorResponseReporter(unobserved, bodies)(taken, refused)
  t.match(refusalOf(refused), { error: 'taken', reason: 'because taken' })
  t.equal(refusalOf(answered), undefined)
})

const names = new Set(['labels', 'name'])
const problems = [
  { place: 'body/labels/hunter2/0', message: 'must be string' },
  { place: 'body/name', message: 'is required' }
]
const noted: readonly {
  readonly what: string
  readonly code: FailureCode
  readonly details?: Details
  readonly credential?: string
  readonly reason: string
}[] = [
  {
    what: 'a mismatch: its places, without names that the client made',
    code: 'mismatch',
    details: { problems },
    reason: 'body/labels/*/0 must be string; body/name is required'
  },
  { what: 'no credentials', code: 'no-credentials', reason: 'no credentials were sent' },
  {
    what: 'a message that quotes the client: another text',
    code: 'unsupported-media-type',
    details: { message: 'media type text/hunter2 is not supported', reason: 'another media type' },
    reason: 'another media type'
  },
  {
    what: 'a refused credential',
    code: 'credentials-refused',
    credential: 'exp: has expired',
    reason: 'exp: has expired'
  },
  {
    what: 'a header that holds no credential',
    code: 'credentials-refused',
    reason: 'the credentials do not have the form that the contract declares'
  }
]

for (const { what, code, details, credential, reason } of noted) {
  test(`the log learns the reason: ${what}`, async (t) => {
    const refused = request()
    if (credential !== undefined) noteCredentialProblem(refused, credential)
    failureReporter(unobserved, bodies, { names })(answered(code, details), refused)
    t.match(refusalOf(refused), { error: code, reason })
  })
}

const crash = (): never => {
  throw new Error('secret')
}
const wrong: Readonly<Record<string, () => unknown>> = {
  throws: crash,
  rejects: async () => crash(),
  'returns a promise': async () => 'late',
  'returns a symbol': () => Symbol('label'),
  'returns a list': () => ['label'],
  'returns a cycle': () => globalThis
}

for (const [what, run] of Object.entries(wrong)) {
  test(`errorLabel and errorReason: for one that ${what} the status counts, and it is logged once`, async (t) => {
    const lines: Record<string, unknown>[] = []
    const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
    const metrics = createMetrics()
    const functions = { errorLabel: run as () => string, errorReason: run as () => string }
    const [refused, failed] = [request(), request()]
    errorResponseReporter({ log, metrics }, functions)(taken, refused)
    t.match(refusalOf(refused), { error: 409, reason: undefined })
    t.strictSame(
      lines.map(({ callback }) => callback),
      ['errorLabel', 'errorReason']
    )
    failureReporter({ log, metrics }, functions)(answered('not-found'), failed)
    t.match(refusalOf(failed), { error: 404, reason: 'no such path' })
    t.equal(lines.length, 3)
    t.match(await metrics.registry.metrics(), /http_refusals_total\{error="409"\} 1\n.*error="404"\} 1/)
  })
}

test('a failure without a body has its status as the label', async (t) => {
  const failed = request()
  failureReporter(unobserved, { errorLabel: crash })({ ...answered('timeout'), body: undefined }, failed)
  t.match(refusalOf(failed), { error: 408 })
})

test('labels and reasons are bounded, whatever a client has sent', async (t) => {
  const long = 'x'.repeat(100_000)
  const [refused, failed] = [request(), request()]
  errorResponseReporter(unobserved, { errorLabel: () => long, errorReason: () => long })(taken, refused)
  t.match(refusalOf(refused), { error: 'x'.repeat(64), reason: 'x'.repeat(1_000) })
  const place = `body${'/*'.repeat(5_000)}`
  const details = { problems: Array(20).fill({ place, message: 'is required' }) }
  failureReporter(unobserved, {})(answered('mismatch', details), failed)
  t.equal(refusalOf(failed)?.reason?.length, 1_000)
})
