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
