/** The framing of items, and the items that are refused. */
import t from 'tap'
import { until } from '../../../time.ts'
import { request } from '../../serve.ts'
import { streams } from './streams.ts'

const { answer, ask, open, log } = await streams(t)

t.test('each format writes its items', async (t) => {
  const rows: readonly (readonly [path: string, items: readonly unknown[], body: string])[] = [
    [
      'lines',
      [{ id: 9007199254740993n, name: 'a\nb', secret: 1 }],
      '{"id":9007199254740993,"name":"a\\nb"}\n'
    ],
    ['texts', [{ id: 1 }, { id: 2 }], '\x1e{"id":1}\n\x1e{"id":2}\n'],
    ['events', [{ data: { id: 1 } }], 'data: {"id":1}\n\n'],
    [
      'events',
      [{ event: 'a', id: 7n, retry: 0, data: { id: 1 } }],
      'event: a\nid: 7\nretry: 0\ndata: {"id":1}\n\n'
    ],
    ['events', [{ event: '', id: null, retry: 10n }], 'event: \nretry: 10\n\n'],
    ['words', [{ data: 'a\nb\r\nc\rd' }, { data: '' }], 'data: a\ndata: b\ndata: c\ndata: d\n\ndata: \n\n'],
    ['words', [{ data: '\n' }, { data: ' x' }], 'data: \ndata: \n\ndata:  x\n\n'],
    ['words', [{ event: 'a', data: null }, {}], 'event: a\n\n\n'],
    ['data', ['a', 'b\r\n'], 'data: a\n\ndata: b\ndata: \n\n'],
    ['free', [1n, null, 'a', [{ b: 2n }]], '1\nnull\n"a"\n[{"b":2}]\n']
  ]
  for (const [path, items, body] of rows) {
    answer(() => items)
    const client = await open(path)
    await until(client.isWhole)
    t.equal(client.body(), body, `${path} ${body}`)
  }
})

t.test('an item that is not as declared is a 500, and its place is logged', async (t) => {
  const rows: readonly (readonly [path: string, item: unknown, reason: string])[] = [
    ['lines', { id: 'one' }, 'body/0/id must be integer'],
    ['lines', {}, 'body/0/id is required'],
    ['lines', undefined, 'body/0 is undefined'],
    ['free', () => 1, 'body/0 is function'],
    ['free', { toJSON: () => Object(undefined).none.some }, 'Cannot read properties'],
    ['events', { data: { id: 'one' } }, 'body/0/data/id must be integer'],
    ['events', { data: 'text' }, 'body/0/data must be object'],
    ['events', { event: 'a\nb' }, 'body/0/event must be one line of text'],
    ['events', { event: 'a\rb' }, 'body/0/event must be one line of text'],
    ['events', { event: {} }, 'body/0/event must be one line of text'],
    ['events', { id: 'a\n' }, 'body/0/id must be one line of text without NUL'],
    ['events', { id: 'a\0' }, 'body/0/id must be one line of text without NUL'],
    ['events', { retry: -1 }, 'body/0/retry must be a whole number of milliseconds'],
    ['events', { retry: 1.5 }, 'body/0/retry must be a whole number of milliseconds'],
    ['events', { retry: '' }, 'body/0/retry must be a whole number of milliseconds'],
    ['words', { data: 1 }, 'body/0/data must be string or null'],
    ['data', 1, 'body/0 must be string']
  ]
  for (const [path, item, reason] of rows) {
    answer(() => [item])
    const before = log.length
    const { status, value } = await ask(request(`GET /${path}`))
    t.match({ status, value }, { status: 500, value: { code: 'response-mismatch' } }, reason)
    const [line] = log.slice(before)
    t.match(line, { level: 50, failure: 'response-mismatch' }, reason)
    t.match(String(line?.['msg']), `${path} answered 200: ${reason}`, reason)
    t.match(String(line?.['msg']), `handlers/${path}.ts`)
  }
})

t.test('a promise is no item, and its rejection does not end the process', async (t) => {
  answer(() => [Promise.reject(new Error('late'))])
  const { status, value } = await ask(request('GET /free'))
  t.match({ status, value }, { status: 500, value: { code: 'response-mismatch' } })
  t.match(String(log.at(-1)?.['msg']), 'free answered 200: body/0 is a promise: await is missing')
})

t.test('only an iterable of items is a body', async (t) => {
  for (const body of ['text', Buffer.from('{}'), new Uint8Array(2), { id: 1 }, 1, null]) {
    answer(() => body)
    const { status, value } = await ask(request('GET /lines'))
    t.match({ status, value }, { status: 500, value: { code: 'response-mismatch' } }, typeof body)
  }
  t.match(String(log.at(-1)?.['msg']), 'lines answered 200: the body must be an iterable of items')
})

t.test('of a list and a sequence the client chooses', async (t) => {
  answer(() => [{ id: 1 }])
  const rows = [
    ['application/json', '[{"id":1}]'],
    ['application/x-jsonlines', '{"id":1}\n']
  ] as const
  for (const [type, body] of rows) {
    const client = await open('either', { headers: `Accept: ${type}\r\n` })
    await until(() => client.text().includes(body))
    t.match(client.text().toLowerCase(), `content-type: ${type}`)
  }
  answer(() => new Set([{ id: 1 }]).values())
  const client = await open('either', { headers: 'Accept: application/json;q=1, */*;q=0.1\r\n' })
  await until(client.isWhole)
  t.equal(client.body(), '{"id":1}\n', 'an iterable that is no list')
})
