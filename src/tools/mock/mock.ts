/**
 * The entry of the mock, for development time: serves a contract without handlers, from examples and instances of its
 * schemas.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { injectFetch } from '@contract-first/engine/client'
import { FailureError } from '@contract-first/engine/errors'
import type { Contract, Operation } from '@contract-first/engine/model'
import { createContractServer } from '@contract-first/engine/server'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { compileInMemory, type InMemory } from '../../compiler/compile/in-memory.ts'
import { shownParts } from '../../compiler/compile/shapes/serializers.ts'
import { type Subject, subjectsOf } from '../samples/requests/draft.ts'
import { exampleRequest } from '../samples/requests/example-request.ts'
import { addCoding } from './content-coding.ts'
import { errorBodies } from './error-bodies.ts'
import { Memory, type Resources } from './memory.ts'
import { OperationMock } from './operation-mock.ts'
import { readOverrides, Turns } from './overrides.ts'
import { parsePrefer } from './prefer.ts'
import { isForeign, mismatchHeader, RealServer } from './real-server.ts'

export { Listener } from './listener.ts'
export type { Resources } from './memory.ts'

export interface MockOptions {
  /** Seed; equal seeds give equal answers. */
  readonly seed: number
  /** Path that prefixes every route; by default that of the first server URL. */
  readonly basePath?: string
  /** Is called with a sentence about an invalid example, which is not sent. */
  readonly onWarning?: (warning: string) => void
  /** Resources that requests have made, which later answers hold. Without it, each answer is independent of others. */
  readonly resources?: Resources
  /** URL of a real server, with its base path, which is asked first. */
  readonly proxy?: string
  /** File of answers in place of those that are made: its path and its text. */
  readonly override?: { readonly file: string; readonly text: string }
}

export interface Mock {
  /** App that does not listen yet. */
  readonly app: FastifyInstance
  /** Path that prefixes every route. */
  readonly basePath: string
  /** The contract as served; its example is a request that succeeds. */
  readonly contract: Contract
}

/** @throws {BootError} when the contract cannot be served */
export async function createMock(
  { contract: compiled, model }: InMemory,
  options: MockOptions
): Promise<Mock> {
  const { seed, onWarning = () => undefined } = options
  const contract = { ...compiled, operations: compiled.operations.map(withoutCertificates(compiled)) }
  const { operations } = contract
  const subjects = subjectsOf(contract, model)
  const code = await contract.load()
  const shown = shownParts()
  const requests = new AsyncLocalStorage<FastifyRequest>()
  const memory = options.resources && new Memory(operations, options.resources)
  const basePath = options.basePath ?? compiled.basePath ?? ''
  const served = { code, basePath, onWarning }
  const real = options.proxy === undefined ? undefined : new RealServer(options.proxy, served)
  const { file, text } = options.override ?? {}
  const overrides = file === undefined ? undefined : readOverrides(String(text), file, { operations, code })
  const handlerOf = (subject: Subject) => {
    const mock = new OperationMock(subject, { code, shown, seed, onWarning })
    const { operation } = subject
    const turns = new Turns(overrides?.get(operation.operationId))
    return async (asked: Asked) => {
      const { params, query, body, signal, url } = asked
      const request = requests.getStore() as FastifyRequest
      const { headers } = request
      const preferences = parsePrefer(headers['prefer'])
      const own = turns.next(preferences.get('code'))
      if (own !== undefined) return own
      // Each item of a sequence is validated as it is read.
      if (isSequence(body)) for await (const _item of body);
      if (await real?.answers(subject, request, signal)) throw new FailureError('not-implemented')
      const made = mock.answer(preferences, headers.accept)
      const sent = { path: String(url.split('?')[0]), params, query, body }
      const {
        waitMs,
        accepts: _accepts,
        schema: _schema,
        ...answer
      } = memory?.answer(operation, sent, made) ?? made
      return waitMs ? { ...answer, body: paced(answer.body as readonly unknown[], waitMs, signal) } : answer
    }
  }
  const app = await createContractServer({
    contract: contract as Contract<{ handlers: object; security: object }>,
    handlers: Object.fromEntries(
      subjects.map((subject) => [subject.operation.operationId, handlerOf(subject)])
    ),
    security: Object.fromEntries(
      Object.keys(contract.securitySchemes).map((name) => [name, () => ({ scheme: name })])
    ),
    errorBody: errorBodies({ subjects, code, shown, seed }),
    basePath
  })
  app.addHook('onRequest', (request, _reply, done) => requests.run(request, done))
  addCoding(app)
  real?.addTo(app)
  await allowAllOrigins(app, contract, real !== undefined)
  const easiest = operations.toSorted((a, b) => cost(a) - cost(b))
  const example = exampleRequest({ operations: easiest, model, validators: code.validators })
  return { app, basePath, contract: { ...contract, ...(example && { example }) } }
}

/**
 * Compiles a contract, and mocks it without a port, for the tests of a front end.
 * @param contract path of its root file
 * @returns a `fetch`; the origin of a URL does not count, and a URL may be a path
 * @throws {ContractError} with every problem of the contract
 */
export async function mockFetch(contract: string, options: Partial<MockOptions> = {}): Promise<typeof fetch> {
  const { app, basePath } = await createMock(await compileInMemory(contract), { seed: 1, ...options })
  const send = injectFetch(Object.assign(app, { basePath }))
  return async (input, init) => {
    const target = input instanceof Request ? input : new URL(input, 'http://localhost')
    const request = new Request(target, init)
    const { url, method, headers, signal } = request
    const body = request.body === null ? null : await request.arrayBuffer()
    return send(url, { method, headers, body, signal })
  }
}

interface Asked {
  /** Target as sent. */
  readonly url: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal: AbortSignal
}

const isSequence = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** Yields items in intervals, until the client leaves or the server ends. */
async function* paced(items: readonly unknown[], waitMs: number, signal: AbortSignal) {
  for (const [index, item] of items.entries()) {
    if (index > 0) await setTimeout(waitMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    yield item
  }
}

/** Removes client certificates, which no client can send without TLS: they count as sent. */
function withoutCertificates({ securitySchemes }: Contract): (operation: Operation) => Operation {
  const isSendable = ({ scheme }: { readonly scheme: string }) =>
    securitySchemes[scheme]?.type !== 'mutualTLS'
  return (operation) => ({ ...operation, security: operation.security.map((all) => all.filter(isSendable)) })
}

/** Rates how hard an operation is to call. */
const cost = ({ method, parameters, requestBody }: Operation): number =>
  (method === 'GET' ? 0 : 10) +
  (requestBody === undefined ? 0 : 20) +
  parameters.filter(({ required }) => required).length

/**
 * Allows cross-origin requests to operations from any page (Fetch Standard, section 3.2), cookies included where the data
 * is made up. Routes that are added later are not included: the contract itself is none of a foreign page's business.
 * Must be called before authentication is hooked in, because a preflight carries no credentials.
 * @param isReal true for answers of a real server, whose data a foreign page may not read by the cookies of its user
 */
async function allowAllOrigins(
  app: FastifyInstance,
  { operations }: Contract,
  isReal: boolean
): Promise<void> {
  const methods = new Set(['GET', 'HEAD', ...operations.map(({ method }) => method)])
  const headers = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => response.headers)
  )
  const exposed = [
    'preference-applied',
    mismatchHeader,
    'www-authenticate',
    'allow',
    ...headers.map(({ name }) => name)
  ]
  const granted = { methods: [...methods], exposedHeaders: [...new Set(exposed)] }
  const others = new Set<string | undefined>()
  app.addHook('onRoute', ({ method, url }) => {
    if ([method].flat().includes('GET')) others.add(url)
  })
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      decide(null, {
        ...granted,
        preflight: 'access-control-request-method' in request.headers,
        ...(others.has(request.routeOptions.url) ? { origin: false } : originsOf(request, isReal))
      })
    }
  })
}

function originsOf(request: FastifyRequest, isReal: boolean) {
  const { origin } = request.headers
  return origin === undefined || (isReal && isForeign(request))
    ? { origin: '*' }
    : { origin, credentials: true }
}
