/**
 * `npm run bench:peers`: the same questions to other tools that serve a contract, each set up as its own README says and with
 * error handlers that write the contract's Error, and to this one. What it prints is the comparison in the README.
 * The packages are installed into a folder for temporary files.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const versions = {
  'fastify-openapi-glue': '4.11.4',
  fastify: '5.12.8',
  'openapi-backend': '5.21.2',
  'express-openapi-validator': '5.6.2',
  express: '5.3.0'
}
const folder = mkdtempSync(join(tmpdir(), 'peers-'))
const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent']
execFileSync('npm', [...install, ...Object.entries(versions).map((pair) => pair.join('@'))])
const require = createRequire(join(folder, 'index.js'))
const load = (name) => import(require.resolve(name))

/** The contract of the plants as OpenAPI 3.0, which all of them read. */
function document() {
  const { components, paths } = JSON.parse(
    readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')
  )
  const { operationId, requestBody, responses } = paths['/plants'].post
  const told = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Plant Store', version: '1.0.0' },
    security: [{ bearerAuth: [] }],
    paths: { '/plants': { post: { operationId, requestBody, responses } } },
    components
  })
  return JSON.parse(told, (key, value) => (key === 'examples' ? undefined : value))
}
const secret = 'hunter2'
const listen = (app) =>
  new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server))
  })
const originOf = (server) => `http://127.0.0.1:${server.address().port}`

/** Each: a server whose one handler is `create`, or none; whose security handler is there, or not. */
const tools = {
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
  },

  async 'Plant Store'({ create, secure }) {
    const { default: contract } = await import('../generated/contract.ts')
    const { createContractServer } = await import('../src/contract/server.ts')
    const app = await createContractServer({
      contract,
      handlers: create ? { createPlant: async ({ body }) => create(body) } : {},
      security: secure ? { bearerAuth: async (token) => (token === secret ? { id: 'x' } : undefined) } : {},
      errorBody: ({ status, message }) => ({ error: status * 10, message })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { origin: originOf(app.server), close: () => app.close() }
  }
}

const errorOf = ({ message }) => ({ error: 1, message })
const errorHandler = (error, _request, response, _next) =>
  response.status(error.status || 500).json(errorOf(error))
const send = (response, { status, body }) => response.status(status).json(body)

/** Of a request, with a token unless there is to be none. */
async function ask({ origin }, body, { token = secret, path = '/plants', type = 'application/json' } = {}) {
  const headers = { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(origin + path, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

function raw({ origin }, text) {
  return new Promise((resolve) => {
    const socket = connect(new URL(origin).port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (data) => (answer += data)).on('error', () => {})
    socket.on('close', () => resolve({ text: answer.split('\r\n\r\n')[1] ?? '' }))
  })
}

function isError({ text }) {
  try {
    const { error, message } = JSON.parse(text)
    return Number.isInteger(error) && typeof message === 'string'
  } catch {
    return false
  }
}

const plant = '{"id":1,"name":"x"}'
const fine = () => ({ status: 200, body: { name: 'x' } })
const yes = (holds) => (holds ? 'yes' : 'no')

const questions = {
  'a text is not taken for a number, nor null for a text': async (start) => {
    const server = await start({ create: fine, secure: true })
    const coerced = [await ask(server, '{"id":"12","name":"x"}'), await ask(server, '{"id":1,"name":null}')]
    await server.close()
    return yes(coerced.every(({ status }) => status === 400))
  },
  'an id of 9007199254740993 reaches the handler as it is': async (start) => {
    let id
    const create = (body) => {
      id = body.id
      return fine()
    }
    const server = await start({ create, secure: true })
    await ask(server, '{"id":9007199254740993,"name":"x"}')
    await server.close()
    return `${yes(String(id) === '9007199254740993')} (${id})`
  },
  'failures that have the body of the contract: broken JSON, wrong body, no such path, no credentials, broken HTTP':
    async (start) => {
      const server = await start({ create: fine, secure: true })
      const failures = [
        await ask(server, '{"id":1,'),
        await ask(server, '{"id":1}'),
        await ask(server, plant, { path: '/nowhere' }),
        await ask(server, plant, { token: '' }),
        await raw(server, 'GET / HTTP/1.1\r\nbroken header\r\n\r\n')
      ]
      await server.close()
      return `${failures.filter(isError).length} of ${failures.length}`
    },
  'without credentials a broken body is not looked at: 401': async (start) => {
    const server = await start({ create: fine, secure: true })
    const { status } = await ask(server, '{"id":1,', { token: '' })
    await server.close()
    return `${yes(status === 401)} (${status})`
  },
  'no security handler: it does not start (else what a wrong token is answered)': (start) =>
    refusal(start, { create: fine, secure: false }, { token: 'wrong' }),
  'no handler for an operation: it does not start': (start) => refusal(start, { secure: true }, {}),
  'an answer that breaks its schema is not sent': async (start) => {
    const server = await start({ create: () => ({ status: 200, body: { nonsense: 'told' } }), secure: true })
    const { status, text } = await ask(server, plant)
    await server.close()
    return `${yes(status === 500 && !text.includes('told'))} (${status})`
  },
  'a status that is not declared is not sent': async (start) => {
    const server = await start({ create: () => ({ status: 202, body: { name: 'x' } }), secure: true })
    const { status } = await ask(server, plant)
    await server.close()
    return `${yes(status === 500)} (${status})`
  }
}

/** Yes, or how the request is answered. */
async function refusal(start, given, options) {
  const server = await start(given).catch(() => undefined)
  if (server === undefined) return 'yes'
  const { status } = await ask(server, plant, options)
  await server.close()
  return `no (${status})`
}

process.on('uncaughtException', ({ message }) => console.error(`uncaught: ${message}`))
try {
  console.log(JSON.stringify(versions))
  for (const [question, answer] of Object.entries(questions)) {
    console.log(`\n${question}`)
    for (const [name, start] of Object.entries(tools))
      console.log(`  ${name.padEnd(28)}${await answer(start)}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
