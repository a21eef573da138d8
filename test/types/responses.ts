/** Uses of the types of contracts in test/contracts: a section for each, which is compiled beside its code. */

// conditions.yaml
import type { Handlers } from './contract.ts'

type Read = Pick<Handlers, 'read'>
type Write = Pick<Handlers, 'write'>
type Covers = Pick<Handlers, 'covers'>
const body = { title: 'x' }

export const made: Read = { read: () => ({ status: 200, body }) }
export const given: Read = { read: () => ({ status: 200, body, headers: { eTag: '"1"', 'X-Other': 1 } }) }
export const unchanged: Read = { read: () => ({ status: 304, headers: { ETag: '"1"' } }) }
export const total: Covers = { covers: () => ({ status: 200, body: [], headers: { 'X-Total': 1 } }) }
export const written: Write = { write: () => ({ status: 204, headers: { ETag: '"1"' } }) }

// @ts-expect-error a tag is a text
export const numbered: Read = { read: () => ({ status: 200, body, headers: { eTag: 1 } }) }
// @ts-expect-error the tag of 304 is required
export const bare: Read = { read: () => ({ status: 304 }) }
// @ts-expect-error the other required header is missing
export const other: Covers = { covers: () => ({ status: 200, body: [], headers: { ETag: '"1"' } }) }
// @ts-expect-error no tag is made of no body
export const empty: Covers = { covers: () => ({ status: 205 }) }
// @ts-expect-error no tag is made for a method that changes something
export const untagged: Write = { write: () => ({ status: 204 }) }

// responses.yaml
import contract, { type Handlers } from './contract.ts'
import { type Around, createContractServer, type ErrorBody, type ErrorResponse } from 'ENGINE'
import { defineService, type ServiceStore } from 'SERVICE'

type List = Pick<Handlers, 'list'>
const problem = { code: 'a', message: 'b' }

export const ok: List = { list: () => ({ status: 200, body: ['a'], headers: { 'X-Total': 1 } }) }
export const structured: List = {
  list: () => ({
    status: 200,
    body: ['a'],
    headers: { 'X-Total': 1, 'X-Point': { x: 1 }, 'X-List': [1], 'X-Json': { id: 1n } }
  })
}
export const theirs: List = { list: async () => ({ status: 404, body: problem }) }
export const any: List = { list: () => ({ status: 503, body: problem }) }
export const none: Pick<Handlers, 'clear'> = { clear: () => ({ status: 204 }) }

export const errorBody: ErrorBody<typeof contract> = ({ code, message }) => ({ code, message })
export const untyped: ErrorBody = ({ status }) => [status]
// @ts-expect-error another type of message
export const misread: ErrorBody<typeof contract> = ({ code, status }) => ({ code, message: status })
// @ts-expect-error the body of a success
export const success: ErrorBody<typeof contract> = () => ['a']

// @ts-expect-error a required header is missing
export const headless: List = { list: () => ({ status: 200, body: ['a'] }) }
// @ts-expect-error another type of item
export const mistyped: List = { list: () => ({ status: 200, body: [1], headers: { 'X-Total': 1 } }) }
// @ts-expect-error a body without a required property
export const lacking: List = { list: () => ({ status: 404, body: { code: 'a' } }) }
// @ts-expect-error status 200 is declared on its own, so `default` does not cover it
export const mixed: List = { list: () => ({ status: 200, body: problem }) }
// @ts-expect-error an undeclared status
export const undeclared: Pick<Handlers, 'clear'> = { clear: () => ({ status: 200 }) }
// @ts-expect-error no body is declared
export const full: Pick<Handlers, 'clear'> = { clear: () => ({ status: 204, body: 'x' }) }
// @ts-expect-error undefined is not a response
export const nothing: List = { list: () => undefined }
// @ts-expect-error a handler is missing
export const missing: Handlers = { ...ok, ...none }

export const sent: Pick<Handlers, 'clear'> = {
  clear: ({ id, ip, method, url, allHeaders, operation, log }) => {
    const named: readonly ['clear', 'DELETE', '/things'] = [operation.operationId, operation.method, operation.path]
    const texts: readonly string[] = [id, ip, method, url, ...named, ...operation.tags]
    const agent: string | string[] | undefined = allHeaders['user-agent']
    log.info({ texts, agent, rules: operation.extensions['x-rules'] })
    return { status: 204 }
  }
}
export const changed: Pick<Handlers, 'clear'> = {
  clear: ({ operation }) => {
    // @ts-expect-error extensions are the same for all requests
    operation.extensions['x-rules'] = true
    // @ts-expect-error another operation
    return operation.operationId === 'list' ? { status: 304 } : { status: 204 }
  }
}

class Conflict extends Error {}
declare const handlers: Handlers
const required = { contract, handlers, security: {}, errorBody: () => problem }

export const mapped = createContractServer({
  ...required,
  errorResponse: (error) => (error instanceof Conflict ? { status: 409, body: problem } : undefined),
  around: (request, handle) => (request.log === undefined ? handle() : { status: 204 })
})
export const annotated = createContractServer({
  ...required,
  errorResponse: (_error: unknown) => ({ status: 409, body: problem }),
  around: async (_request, handle) => {
    const response = await handle()
    return response.status === 204 ? response : { status: 404, body: problem }
  }
})
export const constant = createContractServer({
  ...required,
  errorResponse: () => ({ status: 204 }),
  around: async () => ({ status: 204 })
})
export const apart: ErrorResponse<typeof contract> = (error, { accepts }) =>
  error instanceof Conflict ? { status: 409, body: { ...problem, title: accepts.join() } } : undefined
export const traced: Around<typeof contract> = async (request, handle) => {
  request.log.info({}, 'before')
  return await handle()
}
export const both = createContractServer({ ...required, errorResponse: apart, around: traced })

interface Store extends ServiceStore {
  transaction<T>(work: () => Promise<T>): Promise<T>
}
export const service = defineService({
  ...required,
  handlers: (_store: Store) => handlers,
  openStore: async (): Promise<Store> => Promise.reject(),
  errorResponse: (error) => (error instanceof Conflict ? { status: 409, body: problem } : undefined),
  around: (_request, handle, { store }) => store.transaction(handle)
})

// @ts-expect-error a body that no operation declares
export const wrongBody = createContractServer({ ...required, errorResponse: () => ({ status: 409, body: { code: 1 } }) })
// @ts-expect-error a status with a body that no operation declares for it
export const wrongStatus: ErrorResponse<typeof contract> = () => ({ status: 200, body: problem })
// @ts-expect-error a promise
export const promised: ErrorResponse<typeof contract> = async () => ({ status: 409, body: problem })
// @ts-expect-error the result of handle is missing
export const forgotten: Around<typeof contract> = async (_request, handle) => void (await handle())

// streams.yaml
import contract, { type EventsResponse, type Handlers, type MixedResponse } from './contract.ts'
import { createContractServer } from 'ENGINE'

async function* plants() {
  yield { id: 1n, name: 'fern' }
  yield { id: 2n }
}

export const right: Pick<Handlers, 'lines' | 'listed' | 'single' | 'events' | 'data' | 'mixed' | 'text'> = {
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
export const event: EventsResponse['body'] = [{ data: { id: 1n } }]
export const mixed: MixedResponse['body'] = [{ event: 'word' }]

export const received: Pick<Handlers, 'store'> = {
  store: async ({ body }) => {
    for await (const { id, name } of body) {
      const exact: bigint = id
      const text: string | undefined = name
      if (exact === 0n || text === '') break
    }
    return { status: 204 }
  }
}

async function* wrong() {
  yield { id: '1' }
}

// @ts-expect-error the item of a generator has another type
export const generated: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: wrong() }) }
// @ts-expect-error an item without a required property
export const lacking: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: [{ name: 'fern' }] }) }
// @ts-expect-error a single item
export const single: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: { id: 1n } }) }
// @ts-expect-error bytes beside a schema
export const bytes: Pick<Handlers, 'lines'> = { lines: () => ({ status: 200, body: Buffer.from('{}') }) }
// @ts-expect-error an event without data
export const dataless: Pick<Handlers, 'events'> = { events: () => ({ status: 200, body: [{ id: 1n }] }) }
// @ts-expect-error another type of data
export const text: Pick<Handlers, 'events'> = { events: () => ({ status: 200, body: [{ data: 'fern' }] }) }
// @ts-expect-error an event in place of its data
export const whole: Pick<Handlers, 'data'> = { data: () => ({ status: 200, body: [{ data: { id: 1n } }] }) }

const others = { ...right, ...received }
export const inline = () =>
  createContractServer({
    contract,
    security: {},
    handlers: {
      ...others,
      lines: async () => ({ status: 200, body: plants() }),
      data: () => ({
        status: 200,
        body: (async function* () {
          yield { id: 1n }
        })()
      })
    },
    errorBody: () => ({})
  })
export const inlineWrong = () =>
  createContractServer({
    contract,
    security: {},
    // @ts-expect-error the item of an inline generator has another type
    handlers: { ...others, lines: () => ({ status: 200, body: wrong() }) },
    errorBody: () => ({})
  })

// security.yaml
import contract, { type Handlers, type SecurityHandlers } from './contract.ts'
import { contractRoutes, createContractServer, type Handlers as HandlersOf } from 'ENGINE'
import { defineService, type Principal } from 'SERVICE'

export const exact: SecurityHandlers = {
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
export const missing: SecurityHandlers = others
// @ts-expect-error the contract has no such scheme
export const surplus: SecurityHandlers = { ...others, oidc, other: () => true }
// @ts-expect-error a Basic credential is not a string
export const basic: Pick<SecurityHandlers, 'basic'> = { basic: (credential: string) => credential }

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
export const server = createContractServer(options)
export const plugin = app.register(contractRoutes, { ...options, prefix: '/v1' })
export const service = defineService({ ...options, handlers: () => handlers })

export const inline = createContractServer({
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
export const inlinePlugin = app.register(contractRoutes, {
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
export const inlineService = defineService({
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
export const userServer = createContractServer(ofUsers)
export const userPlugin = app.register(contractRoutes, ofUsers)
export const userService = defineService({ ...ofUsers, handlers: () => mine })
export const userMaker = defineService({ ...ofUsers, security: () => users, handlers: async () => mine })
export const mixed = createContractServer({
  ...ofUsers,
  security: { ...users, token: async (token) => user(token) },
  handlers: mine
})
export const byContract: HandlersOf<typeof contract, typeof users> = mine
export const unknowns: HandlersOf<typeof contract> = {} as Handlers
export const byScheme = createContractServer({
  ...options,
  handlers: {} as Handlers<User, User, Session, User, Session, User, User>
})

// @ts-expect-error a session is not a user
export const wrongServer = createContractServer({ contract, security, handlers: mine, errorBody })
// @ts-expect-error a session is not a user
export const wrongPlugin = app.register(contractRoutes, { contract, security, handlers: mine, errorBody })
// @ts-expect-error a session is not a user
export const wrongService = defineService({ contract, security, handlers: () => mine, errorBody })
// @ts-expect-error a session is not a user
export const wrongMaker = defineService({ contract, security: () => security, handlers: () => mine, errorBody })
// @ts-expect-error the results of the security handlers are unknown
export const anybody = createContractServer({ contract, security: exact, handlers: mine, errorBody })
export const order = createContractServer({
  contract,
  handlers: { ...handlers, default: ({ principal }) => ({ status: principal === undefined ? 204 : 204 }) },
  // @ts-expect-error it stands behind the handlers
  security: { ...security, token: (token) => token },
  errorBody
})

/** The request of `around` and `errorResponse` has the principal of any operation. */
export const wrapped = createContractServer({
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
export const wrappedService = defineService({
  contract,
  security: (authenticate) => ({ ...security, token: authenticate }),
  handlers: () => ({ ...handlers, default: () => ({ status: 204 }), either: () => ({ status: 204 }), optional: () => ({ status: 204 }) }),
  around: ({ principal }, handle) => {
    const found: undefined | User | Session | Principal | { basic: User; cookieKey: Session } = principal
    return found === undefined ? handle() : handle()
  },
  errorBody
})
