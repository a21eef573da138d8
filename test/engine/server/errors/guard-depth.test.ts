import t from 'tap'
import { compiled, type Json, request, serve } from '../../serve.ts'

const node: Json = { $ref: '#/components/schemas/Node' }
const responses: Json = { 200: { description: 'ok', content: { 'application/json': {} } } }
const form: Json = { schema: { type: 'object', properties: { node } } }
const document: Json = {
  paths: {
    '/forms': {
      post: {
        operationId: 'form',
        requestBody: {
          content: {
            'multipart/form-data': form,
            'application/x-www-form-urlencoded': {
              ...Object(form),
              encoding: { node: { contentType: 'application/json' } }
            },
            'application/json': { schema: node }
          }
        },
        responses
      }
    },
    '/query': {
      get: {
        operationId: 'query',
        parameters: [{ name: 'node', in: 'query', content: { 'application/json': { schema: node } } }],
        responses
      }
    }
  },
  components: { schemas: { Node: { type: 'object', properties: { next: node } } } }
}

const nested = (depth: number) => `${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`
const part = (json: string) =>
  `--b\r\nContent-Disposition: form-data; name="node"\r\nContent-Type: application/json\r\n\r\n${json}\r\n--b--\r\n`

t.test('JSON that is nested too deeply is a 400 wherever it stands', async (t) => {
  const ok = () => ({ status: 200, body: 'ok' })
  const http = { maxHeaderSize: 200_000 }
  const { ask, log } = await serve(t, document, { handlers: { form: ok, query: ok }, fastify: { http } })
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const rows: [string, (json: string) => Buffer, RegExp][] = [
    ['a JSON body', (json) => request('POST /forms', json), /^body /],
    ['a field of a multipart body', (json) => request('POST /forms', part(json), multipart), /^body /],
    ['a field of a form', (json) => request('POST /forms', `node=${json}`, urlencoded), /^body /],
    [
      'a query parameter',
      (json) => request(`GET /query?node=${json.replaceAll('"', '%22')}`),
      /^a parameter /
    ]
  ]
  for (const [name, ask1, subject] of rows) {
    t.equal((await ask(ask1(nested(10)))).status, 200, name)
    const deep = await ask(ask1(nested(15_000)))
    t.match(deep, { status: 400, value: { code: 'mismatch', message: /is nested too deeply$/ } }, name)
    t.match(deep.value, { message: subject }, name)
  }
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 50),
    []
  )
})

t.test('every other RangeError is a 500, and is logged', async (t) => {
  const contract = await compiled(t, document)
  const broken: Record<string, () => unknown> = {
    length: () => 'x'.repeat(2 ** 30),
    array: () => new Array(-1),
    digits: () => (1).toFixed(101),
    bigint: () => BigInt(1.5),
    date: () => new Date(Number.NaN).toISOString()
  }
  for (const [name, run] of Object.entries(broken)) {
    const load = async () => {
      const { validators, ...code } = await contract.load()
      return { ...code, validators: Object.fromEntries(Object.keys(validators).map((key) => [key, run])) }
    }
    const ok = () => ({ status: 200, body: 'ok' })
    const { ask, log } = await serve(t, { ...contract, load } as never, {
      handlers: { form: ok, query: ok },
      errorBody: ({ code }) => code
    })
    const requests = [request('POST /forms', '{}'), request('GET /query?node={}')]
    for (const text of requests) {
      const before = log.length
      t.match(await ask(text), { status: 500, value: 'internal' }, name)
      const logged = log.slice(before).filter(({ level }) => Number(level) >= 50)
      t.match(logged, [{ err: { type: 'RangeError' }, failure: 'internal' }], name)
    }
  }
})
