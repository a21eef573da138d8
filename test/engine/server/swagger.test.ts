/** The contract as `app.swagger()`: what the plugins that work with @fastify/swagger find. */
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import contract from '../../../generated/contract.ts'
import { buildApp } from '../../../src/app.ts'
import { createContractServer } from '../../../src/engine/server.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { openStore } from '../../../src/store/open.ts'
import { compiled } from '../serve.ts'

const text = readFileSync('openapi.yaml', 'utf8')

const engine = (given: object = contract) =>
  createContractServer({
    contract: given as typeof contract,
    handlers: { createPlant: async () => ({ status: 200, body: { name: 'a' } }) },
    security: { bearerAuth: () => undefined },
    errorBody: ({ status, message }) => ({ error: status, message })
  })

async function service(t: Test): Promise<FastifyInstance> {
  const read = readConfig({})
  if ('problems' in read) throw new Error(read.problems.join())
  const store = await openStore(`sqlite:${t.testdir({})}/plants.db`)
  t.teardown(() => store.close())
  return buildApp({ config: read.config, store, authenticate: () => undefined })
}

/** A plugin as those around @fastify/swagger are: it depends on it by name, and reads the document for each request. */
const dependent = Object.assign(
  async (app: FastifyInstance) => {
    app.get('/document.json', { schema: {} }, () => app.swagger())
    app.get('/document.yaml', () => app.swagger({ yaml: true }))
  },
  { [Symbol.for('plugin-meta')]: { name: 'dependent', dependencies: ['@fastify/swagger'] } }
)

for (const [name, build] of [
  ['createContractServer', () => engine()],
  ['the service', service]
] as const)
  t.test(`${name}: a plugin that depends on @fastify/swagger gets the contract`, async (t) => {
    const app = await build(t)
    t.teardown(() => app.close())
    app.register(dependent)
    app.register(scalar, { routePrefix: '/reference' })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const theirs = await original()
    t.ok(app.hasPlugin('@fastify/swagger'))
    t.strictSame(await (await fetch(`${url}/document.json`)).json(), theirs.swagger())
    t.strictSame(await (await fetch(`${url}/reference/openapi.json`)).json(), theirs.swagger())
    t.equal(await (await fetch(`${url}/document.yaml`)).text(), text)
    t.equal(app.swagger(), app.swagger(), 'parsed once')
  })

/** @fastify/swagger itself, with the file of the contract. */
async function original(): Promise<FastifyInstance> {
  const app = fastify()
  await app.register(swagger, { mode: 'static', specification: { path: 'openapi.yaml', baseDir: '.' } })
  return app
}

t.test('numbers are numbers, as JSON.parse gives them', async (t) => {
  const large = await compiled(t, { paths: {}, 'x-large': 9223372036854775807n })
  const app = await createContractServer({
    contract: large,
    handlers: {},
    security: {},
    errorBody: () => ({})
  })
  await app.ready()
  t.match(app.swagger(), { 'x-large': 2 ** 63 })
  t.match(app.swagger({ yaml: true }), '9223372036854775807')
})

t.test('the text is parsed at the first call', async (t) => {
  const app = await engine({ ...contract, yaml: async () => 'a: {' })
  await app.ready()
  t.equal(app.swagger({ yaml: true }), 'a: {')
  t.throws(() => app.swagger(), { name: 'YAMLException' })
})
