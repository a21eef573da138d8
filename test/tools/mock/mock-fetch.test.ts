/** A `fetch` of a contract, as the tests of a front end call it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { mockFetch } from '../../../src/tools/mock/mock.ts'

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
