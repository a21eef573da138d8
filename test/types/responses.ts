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
