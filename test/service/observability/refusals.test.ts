import type { FastifyRequest } from 'fastify'
import { test } from 'tap'
import { type FailureCode, FailureError } from '../../../src/contract/errors.ts'
import { noteCredentialProblem } from '../../../src/service/credentials/problem.ts'
import { createMetrics } from '../../../src/service/observability/metrics.ts'
import {
  errorResponseReporter,
  failureReporter,
  refusalOf
} from '../../../src/service/observability/refusals.ts'

const bodies = {
  errorBody: ({ code }: { code: string }) => ({ type: code }),
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
  failureReporter(observers, bodies)(new FailureError('not-found').failure)
  const lines = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('http_refusals'))
  t.strictSame(lines, ['http_refusals_total{error="taken"} 1', 'http_refusals_total{error="not-found"} 1'])
})

test('a refusal by a handler is noted for the log line of its request', async (t) => {
  const [refused, answered] = [request(), request()]
  errorResponseReporter(unobserved, bodies)(taken, refused)
  t.strictSame(refusalOf(refused), { error: 'taken', reason: 'because taken' })
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
  readonly details?: ConstructorParameters<typeof FailureError>[1]
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
    failureReporter(unobserved, bodies, names)(new FailureError(code, details).failure, refused)
    t.strictSame(refusalOf(refused), { error: code, reason })
  })
}
