/** The server as a Fastify instance, to which a service may add routes and hooks. */
import { spawnSync } from 'node:child_process'
import { request as clientRequest } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { lateCompilers } from '../../src/contract/server/fastify-options.ts'
import { request, serve, taking } from './serve.ts'

const contract = { paths: { '/things': taking('takeThing', { type: 'object' }) } }
const handlers = { takeThing: async () => ({ status: 200, body: {} }) }
const root = join(import.meta.dirname, '../..')

t.test('routes beside the contract have schemas of their own', async (t) => {
  const { ask } = await serve(t, contract, {
    handlers,
    extend: (app) => {
      app.get(
        '/beside',
        {
          schema: {
            querystring: { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
            response: { 200: { type: 'object', properties: { size: { type: 'integer' } } } }
          }
        },
        async ({ query }) => ({ ...Object(query), more: true })
      )
    }
  })
  t.same((await ask(request('GET /beside?size=3'))).value, { size: 3 })
  t.equal((await ask(request('GET /beside?size=x'))).status, 400)
})

t.test('in a bundle Fastify loads its schema compilers itself', async (t) => {
  t.equal(lateCompilers(undefined), undefined)
})

t.test('no schema compiler is loaded to serve a contract', async (t) => {
  const script = `
    import { createContractServer } from './src/contract/server.ts'
    import contract from './generated/contract.ts'
    const given = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, () => {}]))
    const app = await createContractServer({ contract, handlers: given, security: { bearerAuth: () => {} }, errorBody: () => ({}) })
    await app.ready()
    await app.close()
    const { createRequire } = await import('node:module')
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((file) => /(ajv|stringify)-compiler/.test(file)).length)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: root,
    encoding: 'utf8'
  })
  t.equal(stdout, '0\n', stderr)
})

t.test("Node's own client reads the 413 while it still sends", async (t) => {
  const { port } = await serve(t, contract, { handlers, fastify: { bodyLimit: 1000 } })
  for (let round = 0; round < 5; round++) {
    const status = await new Promise((resolve, reject) => {
      const sent = clientRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/things',
        headers: { 'content-type': 'application/json' }
      })
      sent.on('response', (got) => got.resume().on('end', () => resolve(got.statusCode))).on('error', reject)
      for (let piece = 0; piece < 50; piece++) sent.write('x'.repeat(20_000))
      sent.end()
    })
    t.equal(status, 413)
  }
})
