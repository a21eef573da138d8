/**
 * Streams of the mock: items that are valid, framed, as many and as slow as the client prefers; requests of items; and the
 * header `Prefer` (RFC 7240, section 2).
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { parsePrefer, preferenceApplied } from '../../../src/tools/mock/prefer.ts'
import { until } from '../../time.ts'
import { type Mocked, mocked } from './mocked.ts'

const item = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer', minimum: 1 }, word: { type: 'string' } }
}
const tick = {
  type: 'object',
  required: ['data'],
  properties: {
    event: { const: 'tick' },
    id: { type: 'integer', format: 'int64' },
    retry: { type: 'integer' },
    data: item
  }
}
const gives = (operationId: string, mediaType: string, media: object) => ({
  get: { operationId, responses: { 200: { description: 'x', content: { [mediaType]: media } } } }
})

const paths = {
  '/events': gives('events', 'text/event-stream', { itemSchema: tick }),
  '/lines': gives('lines', 'application/jsonl', { itemSchema: item }),
  '/texts': gives('texts', 'application/json-seq', { schema: { type: 'array', items: item } }),
  '/shown': gives('shown', 'application/x-ndjson', {
    itemSchema: item,
    examples: {
      wrong: { value: [{ n: 1 }, { n: 'two' }] },
      two: { value: [{ n: 1 }, { n: 2 }] },
      one: { value: { n: 7 } },
      none: { value: [] },
      text: { value: '{"n":8}\n{"n":9}\n' }
    }
  }),
  '/unframed': gives('unframed', 'application/json-seq', { itemSchema: item, example: '{"n":1}\n' }),
  '/numbers': gives('numbers', 'text/event-stream', {
    itemSchema: {
      type: 'object',
      required: ['data'],
      properties: { data: { const: 1 }, retry: { type: 'integer', maximum: -1 } }
    }
  }),
  '/store': {
    post: {
      operationId: 'store',
      requestBody: { required: true, content: { 'application/x-ndjson': { itemSchema: item } } },
      responses: {
        200: { description: 'x', content: { 'application/json': { schema: { const: 'stored' } } } }
      }
    }
  }
}
const serving = (t: Test) => mocked(t, { openapi: '3.2.0', paths })

const ask = ({ get }: Mocked, path: string, prefer = '') => get(path, { prefer })

t.test('each media type has its framing, and three items', async (t) => {
  const mock = await serving(t)
  const events = await ask(mock, '/events')
  t.equal(events.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  t.match(events.text, /^(event: tick\nid: \d+\nretry: \d+\ndata: \{"n":\d+,"word":".+"\}\n\n){3}$/)
  const lines = await ask(mock, '/lines')
  t.equal(lines.headers.get('content-type'), 'application/jsonl')
  t.match(lines.text, /^(\{"n":\d+,"word":".+"\}\n){3}$/)
  const texts = (await ask(mock, '/texts')).text.split('\x1e')
  t.match(texts.join(''), /^(\{"n":\d+,"word":".+"\}\n){3}$/)
  t.equal(texts.length, 4)
  t.equal((await ask(mock, '/lines')).text, lines.text, 'the same seed gives the same')
  t.not((await ask(mock, '/lines', 'dynamic=true')).text, lines.text)
  t.equal(
    (await ask(mock, '/numbers')).text,
    'data: 1\n\n'.repeat(3),
    'what an event cannot carry is left out'
  )
})

t.test('examples are the items', async (t) => {
  const mock = await serving(t)
  const first = await ask(mock, '/shown')
  t.equal(first.text, '{"n":1}\n{"n":2}\n')
  t.strictSame(mock.warnings, [
    'shown 200 application/x-ndjson: the example wrong is not valid and is not sent'
  ])
  t.match((await ask(mock, '/unframed')).text, '\x1e', 'a text that is no sequence is not sent')
  t.match(mock.warnings.at(-1), /^unframed 200 .* the example is not valid/)
  t.equal((await ask(mock, '/shown', 'example=one')).text, '{"n":7}\n')
  t.equal((await ask(mock, '/shown', 'example=text')).text, '{"n":8}\n{"n":9}\n')
  t.equal((await ask(mock, '/shown', 'example=none, items=2')).text, '')
  t.equal((await ask(mock, '/shown', 'example=two, items=3')).text, '{"n":1}\n{"n":2}\n{"n":1}\n')
})

t.test('the client chooses the number of items, within bounds', async (t) => {
  const mock = await serving(t)
  for (const count of [0, 1, 10_000]) {
    const { text, headers } = await ask(mock, '/lines', `items=${count}`)
    t.equal(text.split('\n').length - 1, count)
    t.equal(headers.get('preference-applied'), `items=${count}`)
  }
  for (const wrong of ['10001', '-1', 'many', '1.5', '""']) {
    const { status, text } = await ask(mock, '/lines', `items=${wrong}`)
    t.match(`${status} ${text}`, /^400 .*headers\/prefer: items must be an integer from 0 to 10000/)
  }
  for (const wrong of ['61', 'long'])
    t.match(
      (await ask(mock, '/lines', `wait=${wrong}`)).text,
      /wait must be a number of seconds from 0 to 60/
    )
  const other = await mock.get(
    '/store',
    { prefer: 'items=many', 'content-type': 'application/x-ndjson' },
    { method: 'POST', body: '{"n":1}' }
  )
  t.equal(other.status, 200, 'the preference is for streams')
})

/** Opens a stream, and returns what has come so far. */
async function opened(t: Test, { listener }: Mocked, path: string, prefer: string) {
  const socket = connect(listener.address.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nPrefer: ${prefer}\r\n\r\n`)
  return { socket, text: () => text, items: () => text.match(/\{"n":/g)?.length ?? 0 }
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

t.test('items come one by one', async (t) => {
  const mock = await serving(t)
  const { text, items } = await opened(t, mock, '/lines', 'items=100, wait=0.2')
  await until(() => items() > 0)
  t.ok(items() < 100, 'the others are not sent yet')
  t.match(text(), /\r\npreference-applied: items=100, wait=0.2\r\n/)
  await until(() => items() > 1)
})

t.test('a client that leaves ends its stream', async (t) => {
  const mock = await serving(t)
  const before = timers()
  const { socket, items } = await opened(t, mock, '/lines', 'items=2, wait=60')
  await until(() => items() > 0 && timers() > before)
  socket.destroy()
  await until(() => timers() <= before)
  t.ok(timers() <= before, 'nothing waits for the next item')
})

t.test('a mock that ends completes its streams', async (t) => {
  const mock = await serving(t)
  const { socket, text, items } = await opened(t, mock, '/events', 'items=5, wait=60')
  await until(() => items() > 0)
  const ended = once(socket, 'end')
  await mock.listener.replace((await mocked(t, { paths: {} })).app)
  await ended
  t.match(text(), /\n\n\r\n0\r\n\r\n$/, 'the last chunk ends the body')
  t.equal(items(), 1)
})

t.test('each item of a request is validated', async (t) => {
  const mock = await serving(t)
  const send = (body: string) =>
    mock.get('/store', { 'content-type': 'application/x-ndjson' }, { method: 'POST', body })
  t.match(await send('{"n":1}\n{"n":2}\n'), { status: 200, text: '"stored"' })
  t.match(await send(`${'{"n":1}\n'.repeat(50)}{"n":0}\n`), { status: 400, text: /body\/50\/n must be >= 1/ })
})

for (const [header, want] of [
  [undefined, {}],
  ['', {}],
  ['code=404', { code: '404' }],
  ['code=404, example=a', { code: '404', example: 'a' }],
  [['code=404', 'dynamic=true'], { code: '404', dynamic: 'true' }],
  ['Code = 404 , Example = "a \\"b\\", c"', { code: '404', example: 'a "b", c' }],
  ['respond-async, wait=10;foo="a,b";bar ; , code=1', { 'respond-async': '', wait: '10', code: '1' }],
  ['code=404, code=200', { code: '404' }],
  ['example=""', { example: '' }],
  ['code=404, (nonsense), dynamic=true', { code: '404' }],
  ['=1', {}]
] as const)
  t.strictSame(Object.fromEntries(parsePrefer(header as string)), want, String(header))

t.equal(preferenceApplied(new Map([['code', '404']])), 'code=404')
t.equal(
  preferenceApplied(
    new Map([
      ['example', 'a "b" €'],
      ['dynamic', 'true']
    ])
  ),
  'example="a \\"b\\" ?", dynamic=true'
)
