/** Uses of the types of contracts in test/contracts: a section for each, which is compiled beside its code. */

// conditions.yaml
import type { Handlers } from './contract.ts'

type Read = Handlers['read']
type Write = Handlers['write']
type Covers = Handlers['covers']
const body = { title: 'x' }

check<Read>(() => ({ status: 200, body }))
check<Read>(() => ({ status: 200, body, headers: { eTag: '"1"', 'X-Other': 1 } }))
check<Read>(() => ({ status: 304, headers: { ETag: '"1"' } }))
check<Covers>(() => ({ status: 200, body: [], headers: { 'X-Total': 1 } }))
check<Write>(() => ({ status: 204, headers: { ETag: '"1"' } }))

// @ts-expect-error a tag is a text
check<Read>(() => ({ status: 200, body, headers: { eTag: 1 } }))
// @ts-expect-error the tag of 304 is required
check<Read>(() => ({ status: 304 }))
// @ts-expect-error the other required header is missing
check<Covers>(() => ({ status: 200, body: [], headers: { ETag: '"1"' } }))
// @ts-expect-error no tag is made of no body
check<Covers>(() => ({ status: 205 }))
// @ts-expect-error no tag is made for a method that changes something
check<Write>(() => ({ status: 204 }))

// responses.yaml
import contract, { type Handlers } from './contract.ts'
import { type Around, createContractServer, type ErrorBody, type ErrorResponse } from 'ENGINE'
import { defineService, type ServiceStore } from 'SERVICE'

type List = Handlers['list']
type Clear = Handlers['clear']
const problem = { code: 'a', message: 'b' }

check<List>(() => ({ status: 200, body: ['a'], headers: { 'X-Total': 1 } }))
const structured = { 'X-Point': { x: 1 }, 'X-List': [1], 'X-Json': { id: 1n } }
check<List>(() => ({ status: 200, body: ['a'], headers: { 'X-Total': 1, ...structured } }))
check<List>(async () => ({ status: 404, body: problem }))
check<List>(() => ({ status: 503, body: problem }))
check<Clear>(() => ({ status: 204 }))

check<ErrorBody<typeof contract>>(({ code, message }) => ({ code, message }))
check<ErrorBody>(({ status }) => [status])
// @ts-expect-error another type of message
check<ErrorBody<typeof contract>>(({ code, status }) => ({ code, message: status }))
// @ts-expect-error the body of a success
check<ErrorBody<typeof contract>>(() => ['a'])

// @ts-expect-error a required header is missing
check<List>(() => ({ status: 200, body: ['a'] }))
// @ts-expect-error another type of item
check<List>(() => ({ status: 200, body: [1], headers: { 'X-Total': 1 } }))
// @ts-expect-error a body without a required property
check<List>(() => ({ status: 404, body: { code: 'a' } }))
// @ts-expect-error status 200 is declared on its own, so `default` does not cover it
check<List>(() => ({ status: 200, body: problem }))
// @ts-expect-error an undeclared status
check<Clear>(() => ({ status: 200 }))
// @ts-expect-error no body is declared
check<Clear>(() => ({ status: 204, body: 'x' }))
// @ts-expect-error undefined is not a response
check<List>(() => undefined)
// @ts-expect-error a handler is missing
check<Handlers>({ clear: () => ({ status: 204 }), list: () => ({ status: 503, body: problem }) })

check<Clear>(({ id, ip, method, url, allHeaders, operation, log }) => {
  const named: readonly ['clear', 'DELETE', '/things'] = [operation.operationId, operation.method, operation.path]
  const texts: readonly string[] = [id, ip, method, url, ...named, ...operation.tags]
  const agent: string | string[] | undefined = allHeaders['user-agent']
  log.info({ texts, agent, rules: operation.extensions['x-rules'] })
  return { status: 204 }
})
check<Clear>(({ operation }) => {
  // @ts-expect-error extensions are the same for all requests
  operation.extensions['x-rules'] = true
  // @ts-expect-error another operation
  return operation.operationId === 'list' ? { status: 304 } : { status: 204 }
})

class Conflict extends Error {}
declare const handlers: Handlers
const required = { contract, handlers, security: {}, errorBody: () => problem }

createContractServer({
  ...required,
  errorResponse: (error) => (error instanceof Conflict ? { status: 409, body: problem } : undefined),
  around: (request, handle) => (request.log === undefined ? handle() : { status: 204 })
})
createContractServer({
  ...required,
  errorResponse: (_error: unknown) => ({ status: 409, body: problem }),
  around: async (_request, handle) => {
    const response = await handle()
    return response.status === 204 ? response : { status: 404, body: problem }
  }
})
createContractServer({ ...required, errorResponse: () => ({ status: 204 }), around: async () => ({ status: 204 }) })
const apart: ErrorResponse<typeof contract> = (error, { accepts }) =>
  error instanceof Conflict ? { status: 409, body: { ...problem, title: accepts.join() } } : undefined
const traced: Around<typeof contract> = async (request, handle) => {
  request.log.info({}, 'before')
  return await handle()
}
createContractServer({ ...required, errorResponse: apart, around: traced })

interface Store extends ServiceStore {
  transaction<T>(work: () => Promise<T>): Promise<T>
}
defineService({
  ...required,
  handlers: (_store: Store) => handlers,
  openStore: async (): Promise<Store> => Promise.reject(),
  errorResponse: (error) => (error instanceof Conflict ? { status: 409, body: problem } : undefined),
  around: (_request, handle, { store }) => store.transaction(handle)
})

// @ts-expect-error a body that no operation declares
createContractServer({ ...required, errorResponse: () => ({ status: 409, body: { code: 1 } }) })
// @ts-expect-error a status with a body that no operation declares for it
check<ErrorResponse<typeof contract>>(() => ({ status: 200, body: problem }))
// @ts-expect-error a promise
check<ErrorResponse<typeof contract>>(async () => ({ status: 409, body: problem }))
// @ts-expect-error the result of handle is missing
check<Around<typeof contract>>(async (_request, handle) => void (await handle()))

// streams.yaml
import contract, { type EventsResponse, type Handlers, type MixedResponse } from './contract.ts'
import { createContractServer } from 'ENGINE'

async function* plants() {
  yield { id: 1n, name: 'fern' }
  yield { id: 2n }
}

const right: Pick<Handlers, 'lines' | 'listed' | 'single' | 'events' | 'data' | 'mixed' | 'text'> = {
  lines: () => ({ status: 200, body: plants() }),
  listed: async () => ({ status: 200, body: [{ id: 1n }] }),
  single: () => ({ status: 200, body: new Set([{ id: 1n }]) }),
  events: () => ({
    status: 200,
    body: [{ data: { id: 1n, name: 'fern' } }, { data: { id: 2n }, event: 'plant', id: 3n, retry: 1000 }]
  }),
  data: () => ({ status: 200, body: plants() }),
  mixed: () => ({
    status: 200,
    body: [
      { event: 'word', data: 'hello' },
      { event: 'plant', data: { id: 1n } }
    ]
  }),
  text: () => ({ status: 200, body: 'data: 1\n\n' })
}

/** Names that editors show, plain. */
check<EventsResponse['body']>([{ data: { id: 1n } }])
check<MixedResponse['body']>([{ event: 'word' }])

const store: Handlers['store'] = async ({ body }) => {
  for await (const { id, name } of body) {
    check<bigint>(id)
    check<string | undefined>(name)
  }
  return { status: 204 }
}

async function* wrong() {
  yield { id: '1' }
}

type Lines = Handlers['lines']
// @ts-expect-error the item of a generator has another type
check<Lines>(() => ({ status: 200, body: wrong() }))
// @ts-expect-error an item without a required property
check<Lines>(() => ({ status: 200, body: [{ name: 'fern' }] }))
// @ts-expect-error a single item
check<Lines>(() => ({ status: 200, body: { id: 1n } }))
// @ts-expect-error bytes beside a schema
check<Lines>(() => ({ status: 200, body: Buffer.from('{}') }))
// @ts-expect-error an event without data
check<Handlers['events']>(() => ({ status: 200, body: [{ id: 1n }] }))
// @ts-expect-error another type of data
check<Handlers['events']>(() => ({ status: 200, body: [{ data: 'fern' }] }))
// @ts-expect-error an event in place of its data
check<Handlers['data']>(() => ({ status: 200, body: [{ data: { id: 1n } }] }))

const options = { contract, security: {}, errorBody: () => ({}) }
const others = { ...right, store }
async function* identified() {
  yield { id: 1n }
}
createContractServer({
  ...options,
  handlers: { ...others, lines: async () => ({ status: 200, body: plants() }), data: () => ({ status: 200, body: identified() }) }
})
// @ts-expect-error the item of an inline generator has another type
createContractServer({ ...options, handlers: { ...others, lines: () => ({ status: 200, body: wrong() }) } })

// security.yaml
import contract, { type Handlers, type SecurityHandlers } from './contract.ts'
import { contractRoutes, createContractServer, type Handlers as HandlersOf } from 'ENGINE'
import { defineService, type Principal } from 'SERVICE'

const exact: SecurityHandlers = {
  token: (token) => token.length > 0,
  basic: ({ username, password }) => username === password,
  key: (key, { request }) => key === request.method,
  queryKey: async (key) => key,
  cookieKey: (key) => key,
  oauth: (token, { scopes }) => scopes.includes(token),
  oidc: (token) => token
}

const { oidc, ...others } = exact
// @ts-expect-error a security handler is missing
check<SecurityHandlers>(others)
// @ts-expect-error the contract has no such scheme
check<SecurityHandlers>({ ...others, oidc, other: () => true })
// @ts-expect-error a Basic credential is not a string
check<SecurityHandlers['basic']>((credential: string) => credential)

interface User {
  readonly id: string
}
interface Session {
  readonly cookie: string
}
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const is: <A>() => <B>(_of: (_value: B) => void, _same: Is<A, B>) => { status: 204 }
declare const app: Awaited<ReturnType<typeof createContractServer>>
declare const user: (token: string) => Promise<User | undefined>
declare const session: (cookie: string) => Session | false | Error | null | '' | 0
const errorBody = () => ({})

/** Principals of the operations, by what the security handlers return. */
const security = {
  token: user,
  key: session,
  basic: async ({ username }: { username: string }) => user(username),
  cookieKey: session,
  oauth: user,
  oidc: user,
  queryKey: user
}
const handlers = {
  default: (request: { principal: User }) => ({ status: 204, id: request.principal.id }) as const,
  open: (request: { principal: undefined }) => ({ status: 204, none: request.principal }) as const,
  optional: (request: { principal: User | undefined }) => ({ status: 204, id: request.principal?.id }) as const,
  either: ({ principal }: { principal: User | Session }) =>
    ({ status: 204, id: 'id' in principal ? principal.id : principal.cookie }) as const,
  both: ({ principal }: { principal: { basic: User; cookieKey: Session } }) =>
    ({ status: 204, id: principal.basic.id + principal.cookieKey.cookie }) as const,
  scoped: () => ({ status: 204 }) as const,
  query: () => ({ status: 204 }) as const,
  openId: () => ({ status: 204 }) as const
}
const options = { contract, security, handlers, errorBody }
createContractServer(options)
app.register(contractRoutes, { ...options, prefix: '/v1' })
defineService({ ...options, handlers: () => handlers })

createContractServer({
  contract,
  security: {
    ...security,
    token: async (token) => (await user(token)) ?? undefined,
    key: (key, { request }) => request.method === 'GET' && session(key),
    queryKey: async () => 0 as const
  },
  handlers: {
    default: ({ principal }) => is<User>()((_value: typeof principal) => undefined, true),
    open: ({ principal }) => is<undefined>()((_value: typeof principal) => undefined, true),
    optional: async ({ principal }) => is<User | undefined>()((_value: typeof principal) => undefined, true),
    either: ({ principal }) => is<User | Session>()((_value: typeof principal) => undefined, true),
    both: ({ principal: { basic, cookieKey } }) => {
      is<User>()((_value: typeof basic) => undefined, true)
      return is<Session>()((_value: typeof cookieKey) => undefined, true)
    },
    scoped: () => ({ status: 204 }),
    query: ({ principal }) => is<never>()((_value: typeof principal) => undefined, true),
    // @ts-expect-error the principal is a user
    openId: ({ principal }) => is<Session>()((_value: typeof principal) => undefined, true)
  },
  errorBody
})
app.register(contractRoutes, {
  contract,
  security: { ...security, token: async (token) => user(token) },
  handlers: {
    ...handlers,
    default: ({ principal }) => is<User>()((_value: typeof principal) => undefined, true),
    either: ({ principal }) => is<User | Session>()((_value: typeof principal) => undefined, true)
  },
  errorBody,
  prefix: '/v1'
})
defineService({
  contract,
  security: (authenticate) => ({ ...security, token: authenticate, key: (key) => session(key) }),
  handlers: () => ({
    ...handlers,
    default: ({ principal }) => is<Principal>()((_value: typeof principal) => undefined, true),
    either: ({ principal }) => is<Principal | Session>()((_value: typeof principal) => undefined, true),
    optional: ({ principal }) => is<Principal | undefined>()((_value: typeof principal) => undefined, true)
  }),
  errorBody
})

/** `Handlers<User>` fits security handlers that return users. */
declare const mine: Handlers<User>
const users = { ...security, key: user, cookieKey: user }
const ofUsers = { contract, security: users, handlers: mine, errorBody }
createContractServer(ofUsers)
app.register(contractRoutes, ofUsers)
defineService({ ...ofUsers, handlers: () => mine })
defineService({ ...ofUsers, security: () => users, handlers: async () => mine })
createContractServer({ ...ofUsers, security: { ...users, token: async (token) => user(token) } })
check<HandlersOf<typeof contract, typeof users>>(mine)
check<HandlersOf<typeof contract>>({} as Handlers)
createContractServer({ ...options, handlers: {} as Handlers<User, User, Session, User, Session, User, User> })

// @ts-expect-error a session is not a user
createContractServer({ contract, security, handlers: mine, errorBody })
// @ts-expect-error a session is not a user
app.register(contractRoutes, { contract, security, handlers: mine, errorBody })
// @ts-expect-error a session is not a user
defineService({ contract, security, handlers: () => mine, errorBody })
// @ts-expect-error a session is not a user
defineService({ contract, security: () => security, handlers: () => mine, errorBody })
// @ts-expect-error the results of the security handlers are unknown
createContractServer({ contract, security: exact, handlers: mine, errorBody })
createContractServer({
  contract,
  handlers: { ...handlers, default: ({ principal }) => ({ status: principal === undefined ? 204 : 204 }) },
  // @ts-expect-error it stands behind the handlers
  security: { ...security, token: (token) => token },
  errorBody
})

/** The request of `around` and `errorResponse` has the principal of any operation. */
createContractServer({
  ...options,
  around: (request, handle) => {
    const principal: undefined | User | Session | { basic: User; cookieKey: Session } = request.principal
    request.log.info({ principal, operation: request.operation.operationId })
    return handle()
  },
  errorResponse: (_error, { principal }) => {
    // @ts-expect-error some operations have no principal
    return principal.id === 'x' ? { status: 204 } : undefined
  }
})
defineService({
  contract,
  security: (authenticate) => ({ ...security, token: authenticate }),
  handlers: () => ({ ...handlers, default: () => ({ status: 204 }), either: () => ({ status: 204 }), optional: () => ({ status: 204 }) }),
  around: ({ principal }, handle) => {
    const found: undefined | User | Session | Principal | { basic: User; cookieKey: Session } = principal
    return found === undefined ? handle() : handle()
  },
  errorBody
})
