/** The tools that are compared: the same contract and handler, set up as the README of each says. */
import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

export const secret = 'hunter2'

/** Returns the contract as OpenAPI 3.0, which all of them read. */
function document() {
  const { components, paths } = load(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'))
  const { operationId, requestBody, responses } = paths['/plants'].post
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Plant Store', version: '1.0.0' },
    security: [{ bearerAuth: [] }],
    paths: { '/plants': { post: { operationId, requestBody, responses } } },
    components
  })
  return JSON.parse(text, (key, value) => (key === 'examples' ? undefined : value))
}
const listen = (app) =>
  new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server))
  })
const originOf = (server) => `http://127.0.0.1:${server.address().port}`

/** Starters of the tools, each with `create` as its only handler, or none, and with or without a security handler. */
export const tools = (load) => ({
  async here({ create, secure }) {
    const { default: contract } = await import('../../generated/contract.ts')
    const { createContractServer } = await import('@contract-first/engine/server')
    const app = await createContractServer({
      contract,
      handlers: create ? { createPlant: async ({ body }) => create(body) } : {},
      security: secure ? { bearerAuth: async (token) => (token === secret ? { id: 'x' } : undefined) } : {},
      errorBody: ({ status, message }) => ({ error: status * 10, message })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { origin: originOf(app.server), close: () => app.close() }
  },

  async 'fastify-openapi-glue'({ create, secure }) {
    const [{ default: Fastify }, { default: glue }] = [
      await load('fastify'),
      await load('fastify-openapi-glue')
    ]
    const app = Fastify()
    const bearerAuth = async (request) => {
      if (request.headers.authorization !== `Bearer ${secret}`) throw new Error('no')
    }
    app.setErrorHandler((error, _request, reply) => reply.code(error.statusCode ?? 500).send(errorOf(error)))
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorOf({ message: 'no such path' })))
    app.register(glue, {
      specification: document(),
      serviceHandlers: create ? { createPlant: async ({ body }, reply) => answer(reply, create(body)) } : {},
      ...(secure && { securityHandlers: { bearerAuth } })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { origin: originOf(app.server), close: () => app.close() }
    function answer(reply, { status, body }) {
      reply.code(status)
      return body
    }
  },

  async 'openapi-backend'({ create, secure }) {
    const [{ default: express }, { OpenAPIBackend }] = [await load('express'), await load('openapi-backend')]
    const api = new OpenAPIBackend({ definition: document() })
    api.register({
      ...(create && {
        createPlant: (c, _request, response) => send(response, create(c.request.requestBody))
      }),
      validationFail: (_c, _request, response) => response.status(400).json(errorOf({ message: 'invalid' })),
      notFound: (_c, _request, response) => response.status(404).json(errorOf({ message: 'no such path' })),
      unauthorizedHandler: (_c, _request, response) => response.status(401).json(errorOf({ message: 'no' }))
    })
    if (secure)
      api.registerSecurityHandler('bearerAuth', (c) => c.request.headers.authorization === `Bearer ${secret}`)
    await api.init()
    const app = express()
    app.use(express.json())
    app.use((request, response) => api.handleRequest(request, request, response))
    app.use(errorHandler)
    const server = await listen(app)
    return { origin: originOf(server), close: () => server.close() }
  },

  async 'express-openapi-validator'({ create, secure }) {
    const [{ default: express }, validator] = [await load('express'), await load('express-openapi-validator')]
    const app = express()
    app.use(express.json())
    const bearerAuth = ({ headers }) => headers.authorization === `Bearer ${secret}`
    app.use(
      validator.middleware({
        apiSpec: document(),
        validateRequests: true,
        validateResponses: true,
        ...(secure && { validateSecurity: { handlers: { bearerAuth } } })
      })
    )
    if (create) app.post('/plants', (request, response) => send(response, create(request.body)))
    app.use(errorHandler)
    const server = await listen(app)
    return { origin: originOf(server), close: () => server.close() }
  }
})

const errorOf = ({ message }) => ({ error: 1, message })
const errorHandler = (error, _request, response, _next) =>
  response.status(error.status || 500).json(errorOf(error))
const send = (response, { status, body }) => response.status(status).json(body)
