/** Coverage of a contract: what the requests of tests have seen, what they have not, and bounds that fail. */
import { AssertionError } from 'node:assert'
import { once } from 'node:events'
import { get } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../src/compiler/compile/in-memory.ts'
import { contractCoverage } from '../../src/engine/coverage.ts'
import { contractRoutes, createContractServer } from '../../src/engine/server.ts'

const { contract } = await compileInMemory('test/tools/conformance/desk.yaml')
const json = { 'content-type': 'application/json; charset=utf-8' }
const handler = async () => ({ status: 200, body: { id: 1, title: 'a', status: 'open', urgent: false } })
const handlers = {
  ...Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, handler])),
  listTickets: async () => ({ status: 200, body: [] }),
  login: async () => ({ status: 200, body: { token: 'x' } }),
  search: async () => ({ status: 200, body: [] })
}
const options = {
  contract,
  security: { bearer: (token: string) => token === 'right' },
  handlers,
  errorBody: ({ message }: { message: string }) => ({ message })
}
const headers = { authorization: 'Bearer right' }

/** Compiles paths in memory. */
const compiledOf = (t: Test, paths: string) => {
  const text = `openapi: 3.2.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}\n`
  return compileInMemory(`${t.testdir({ 'openapi.yaml': text })}/openapi.yaml`)
}

t.test('each part counts what was seen, also of refused requests', async (t) => {
  const coverage = contractCoverage(contract)
  const app = await createContractServer({ ...options, coverage })
  t.teardown(() => app.close())
  await app.inject({
    url: '/tickets?limit=1&label=a&label=b&%71=%zz',
    headers: { ...headers, 'x-trace': '0123abcd' }
  })
  await app.inject({ url: '/tickets?limit=1', headers })
  await app.inject('/tickets/7')
  await app.inject({ method: 'POST', url: '/login', payload: '{"user":"a","password":"b"}', headers: json })
  await app.inject('/nowhere')
  const { operations, statuses, mediaTypes, parameters } = coverage.report()
  t.match(operations, { declared: 10, seen: 2 })
  t.notOk(operations.never.includes('POST /login'))
  t.strictSame(
    statuses.never.filter((name) => /^(GET \/tickets|POST \/login) /.test(name)),
    ['GET /tickets 401', 'GET /tickets 406', 'POST /login 400', 'POST /login 401', 'POST /login 415']
  )
  t.notOk(statuses.never.includes('GET /tickets/{ticketId} 401'))
  t.strictSame(
    mediaTypes.never.filter((name) => /^(GET \/tickets|POST \/login) (200|body)/.test(name)),
    ['GET /tickets 200 text/csv']
  )
  t.strictSame(
    parameters.never.filter((name) => /^GET \/tickets(\/\{ticketId\})? /.test(name)),
    ['GET /tickets query status', 'GET /tickets query after']
  )
  t.equal(coverage.text().split('\n').length, 5)
  t.match(
    coverage.text(),
    /^operations 2 of 10; never seen: .*\n.*\nmedia types .*\nparameters 5 of \d+; never seen: /
  )
})

t.test('a stream that its client leaves counts as soon as its head was sent', async (t) => {
  const compiled = await compiledOf(
    t,
    `  /items:
    get:
      operationId: items
      responses: { 200: { description: items, content: { application/jsonl: { itemSchema: { type: object } } } } }`
  )
  async function* items() {
    yield { n: 1 }
    await new Promise(() => undefined)
  }
  const coverage = contractCoverage(compiled.contract)
  const { promise: left, resolve } = Promise.withResolvers<unknown>()
  const app = await createContractServer({
    ...{ contract: compiled.contract, coverage, security: {}, errorBody: () => ({}) },
    extend: (instance: FastifyInstance) => {
      instance.addHook('onRequest', async (_request, reply) => void once(reply.raw, 'close').then(resolve))
    },
    handlers: { items: async () => ({ status: 200, body: items() }) }
  })
  t.teardown(() => {
    app.server.closeAllConnections()
    app.close()
  })
  const request = get(`${await app.listen({ port: 0, host: '127.0.0.1' })}/items`)
  const [response] = await once(request, 'response')
  t.equal(response.statusCode, 200)
  request.destroy()
  await left
  const { statuses, mediaTypes } = coverage.report()
  t.strictSame([statuses.never, mediaTypes.never], [[], []])
})

t.test('a share below its bound fails, and names what is missing', async (t) => {
  const coverage = contractCoverage(contract)
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(contractRoutes, { ...options, coverage, prefix: '/v1' })
  await app.inject({ url: '/v1/tickets', headers })
  coverage.assert({})
  coverage.assert({ operations: 10 })
  t.throws(() => coverage.assert({ operations: 11, statuses: 1, parameters: 50 }), {
    constructor: AssertionError,
    message:
      /^the tests have seen too little of the contract:\noperations 1 of 10; never seen: .*; expected are 11 %\nparameters 0 of .*; expected are 50 %$/
  })
  contractCoverage({ operations: [] }).assert({ operations: 100 })
})

t.test('parameters of every style are recognised', async (t) => {
  const compiled = await compiledOf(
    t,
    `  /a:
    get:
      parameters:
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: 'page[size]', in: query, schema: { type: integer } }
        - { name: colour, in: query, schema: { type: object, properties: { red: { type: integer } } } }
        - { name: session, in: cookie, schema: { type: string } }
        - { name: other, in: cookie, schema: { type: string } }
      responses: { 200: { description: ok } }
  /b:
    get:
      parameters: [{ name: whole, in: querystring, content: { text/plain: { schema: { type: string } } } }]
      responses: { 200: { description: ok } }`
  )
  const coverage = contractCoverage(compiled.contract)
  const [a, b] = compiled.contract.operations
  const seen = { status: 200, contentType: undefined, headers: { cookie: 'x=1; session=2' } }
  if (a !== undefined)
    coverage.count(a, { ...seen, target: '/a?filter%5Bname%5D=1&red=2&page%5Bsize%5D=1&%zz=1' })
  if (b !== undefined) coverage.count(b, { ...seen, target: '/b' })
  t.strictSame(coverage.report().parameters.never, ['GET /a cookie other', 'GET /b querystring whole'])
})
