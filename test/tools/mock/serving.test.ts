/** A mock on its listener, as a `fetch`, and of a large contract. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { DefinitionCompiler } from '../../../src/compiler/compile/validators/validators.ts'
import { registerDocs } from '../../../src/service/docs/register.ts'
import { mockFetch } from '../../../src/tools/mock/mock.ts'
import { largeContract } from '../../contracts/large-contract.ts'
import { json, mocked } from './mocked.ts'

const post = (word: string) => ({
  post: {
    operationId: 'a',
    requestBody: { content: { 'application/json': {} } },
    responses: { 200: json({ const: word }) }
  }
})

/** Sends all of a request but its last byte. */
async function begun(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write('POST /a HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n1')
  return socket
}

t.test('a request that has begun is answered by the server that received it', async (t) => {
  const [first, second] = [
    await mocked(t, { paths: { '/a': post('one') } }),
    await mocked(t, { paths: { '/a': post('two') } })
  ]
  const { listener } = first
  const received = once(first.app.server, 'request')
  const socket = await begun(t, listener.address.port)
  await received
  const replaced = listener.replace(second.app)
  socket.write('2')
  t.match(await text(socket), /"one"$/)
  await replaced
  const { text: answer } = await first.get('/a', {}, { method: 'POST' })
  t.equal(answer, '"two"')
})

t.test('a request that is never complete is cut off', async (t) => {
  const { app, listener } = await mocked(t, { paths: { '/a': post('one') } })
  const received = once(app.server, 'request')
  const socket = await begun(t, listener.address.port)
  await received
  const next = await mocked(t, { paths: {} })
  await listener.replace(next.app)
  t.equal(await text(socket), '')
})

t.test('the docs leave paths to the operations that have them', async (t) => {
  const get = { get: { operationId: 'a', responses: { 200: json({ const: 'mine' }) } } }
  const paths = { '/': get, '/openapi.yaml': { get: { ...get.get, operationId: 'b' } } }
  const { app } = await mocked(t, { paths }, 1, async (app, { contract }) =>
    registerDocs(app, { basePath: '', contract, headers: {} })
  )
  for (const url of ['/', '/openapi.yaml']) t.equal((await app.inject(url)).body, '"mine"')
  t.match((await app.inject('/docs')).body, /<title>x/)
})

const plants = (fields: object, more: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { authorization: 'Bearer mock', 'content-type': 'application/json', ...more },
  body: JSON.stringify(fields)
})

t.test('answers by the contract', async (t) => {
  const answer = await mockFetch('openapi.yaml')
  const fern = plants({ id: 1, name: 'Fern' })
  const rows: readonly (readonly [string, Parameters<typeof fetch>, number, RegExp])[] = [
    ['a URL', ['https://api.example/plants', fern], 200, /^\{"name":"Monstera deliciosa"/],
    ['a URL object', [new URL('https://api.example/plants'), fern], 200, /Monstera/],
    ['a path', ['/plants', fern], 200, /Monstera/],
    ['a Request', [new Request('https://api.example/plants', fern)], 200, /Monstera/],
    ['a Request and options', [new Request('https://api.example/plants'), fern], 200, /Monstera/],
    ['a preference', ['/plants', plants({ id: 1, name: 'Fern' }, { prefer: 'code=400' })], 400, /"error":/],
    ['a wrong body', ['/plants', plants({ id: 'one', name: 'Fern' })], 400, /body\/id/],
    [
      'no credentials',
      ['/plants', { ...fern, headers: { 'content-type': 'application/json' } }],
      401,
      /"error":/
    ],
    ['an unknown path', ['/weeds'], 404, /"error":/]
  ]
  for (const [name, call, status, body] of rows) {
    const response = await answer(...call)
    t.equal(response.status, status, name)
    t.match(await response.text(), body, name)
  }
  await t.rejects(answer('/plants', { ...fern, signal: AbortSignal.abort(new Error('left')) }), {
    message: 'left'
  })
})

t.test('has the options of a mock, and the base path of the contract', async (t) => {
  const text = readFileSync('test/contracts/methods.yaml', 'utf8')
  t.notMatch(text, /^servers/m)
  const file = join(t.testdir({ 'methods.yaml': `${text}\nservers: [{ url: /v1 }]\n` }), 'methods.yaml')
  const resources = new Map<string, unknown>()
  const answer = await mockFetch(file, { resources })
  const remove = async (url: string) => (await answer(url, { method: 'DELETE' })).status
  t.equal(await remove('https://api.example/v1/search'), 204)
  t.equal(await remove('/v1/search'), 404, 'it is gone')
  t.equal((await answer('/v2/nothing')).status, 404)
  t.ok(resources.size > 0)
})

const compiled = new Set<string>()
const { validator } = DefinitionCompiler.prototype
DefinitionCompiler.prototype.validator = function (name) {
  compiled.add(name)
  return validator.call(this, name)
}

t.test('the boot compiles few validators, and a request those that it needs', async (t) => {
  compiled.clear()
  const { get, operations } = await mocked(t, largeContract({ operations: 320 }))
  t.equal(operations, 320)
  t.ok(compiled.size < 32, 'by the boot', { compiled })
  const before = compiled.size
  const { status } = await get('/nurseries/a1/orders', { authorization: 'Bearer mock' })
  t.equal(status, 200)
  t.ok(compiled.size > before && compiled.size - before < 32, 'by the request', { compiled, before })
})
