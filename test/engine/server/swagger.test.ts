/** The contract as `app.swagger()`: what the plugins that work with @fastify/swagger find. */
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { type Contract, createContractServer } from '../../../src/engine/server.ts'
import { compiled } from '../serve.ts'

const path = 'test/contracts/peers.yaml'
const text = readFileSync(path, 'utf8')

async function engine(given?: Partial<Contract>): Promise<FastifyInstance> {
  const { contract } = await compileInMemory(path)
  const names = contract.operations.map(({ operationId }) => operationId)
  return createContractServer({
    contract: { ...contract, ...given },
    handlers: Object.fromEntries(names.map((name) => [name, () => ({ status: 204 })])),
    security: {},
    errorBody: () => ({})
  })
}

/** A plugin as those around @fastify/swagger are: it depends on it by name, and reads the document for each request. */
const dependent = Object.assign(
  async (app: FastifyInstance) => {
    app.get('/document.json', { schema: {} }, () => app.swagger())
    app.get('/document.yaml', () => app.swagger({ yaml: true }))
  },
  { [Symbol.for('plugin-meta')]: { name: 'dependent', dependencies: ['@fastify/swagger'] } }
)

t.test('a plugin that depends on @fastify/swagger gets the contract', async (t) => {
  const app = await engine()
  t.teardown(() => app.close())
  app.register(dependent)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const theirs = await original()
  t.ok(app.hasPlugin('@fastify/swagger'))
  t.strictSame(await (await fetch(`${url}/document.json`)).json(), theirs.swagger())
  t.equal(await (await fetch(`${url}/document.yaml`)).text(), text)
  t.equal(app.swagger(), app.swagger(), 'parsed once')
})

/** @fastify/swagger itself, with the file of the contract. */
async function original(): Promise<FastifyInstance> {
  const app = fastify()
  await app.register(swagger, { mode: 'static', specification: { path, baseDir: '.' } })
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
  const app = await engine({ yaml: async () => 'a: {' })
  await app.ready()
  t.equal(app.swagger({ yaml: true }), 'a: {')
  t.throws(() => app.swagger(), { name: 'YAMLException' })
})
