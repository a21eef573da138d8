/** Answers of handlers: only declared parts leave the process. */
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import { answers, sized } from './answers.ts'

t.setTimeout(900_000)

const { port, log, answer, get } = await answers(t, {
  errorBody: ({ code, operationId }) =>
    operationId === 'plain' && code === 'internal' ? { other: true } : { code }
})

const whole = { id: 1n, name: 'x' }
const max = 2n ** 63n - 1n
const failing = (thrown: unknown) => () => {
  throw thrown
}
const unreadable = new Proxy(new Error('secret'), { getPrototypeOf: failing(new Error('secret')) })
/** Returns the plant with a property whose getter throws. */
const throwing = (name: string, thrown: unknown) =>
  Object.defineProperty({ ...whole }, name, { enumerable: true, get: failing(thrown) })

/** Asserts a 500 without a reason, and a log line with the reason. */
async function breach(t: Test, name: string, made: unknown): Promise<void> {
  const before = log.length
  answer(async () => made)
  const got = await get(name)
  const what = `${name} ${Object.keys(Object(made))} ${Object.keys(Object(Object(made).body))}`
  t.equal(got.status, 500, what)
  t.notMatch(got.body, /secret|name|id/, what)
  t.ok(name === 'plain' || Object(got.value).code === 'response-mismatch', what)
  const [line, ...others] = log.slice(before).filter(({ level }) => level === 50)
  t.match(line, { failure: 'response-mismatch', err: {} }, what)
  const msg = String(line?.['msg'])
  t.ok(msg.startsWith(`${name} answered ${String(Object(made).status)}: `), `${what}: operation and status`)
  t.ok(msg.endsWith(` (handlers/${name}.ts)`), `${what}: file`)
  t.same(others, [])
}

t.test('declared properties are sent, and no others', async (t) => {
  const rows: [name: string, body: unknown, want: string][] = [
    ['plain', { ...whole, extra: 1, secret: 's', made: 'm' }, '{"id":1,"name":"x","made":"m"}'],
    [
      'plain',
      { id: max, name: '\ud800\u0000', weight: 0.1, parts: [{ n: -max, m: 1 }] },
      `{"id":${max},"name":"\\ud800\\u0000","weight":0.1,"parts":[{"n":${-max}}]}`
    ],
    ['range', { ...whole, at: undefined }, '{"id":1,"name":"x"}'],
    ['lists', [1n, max, 5], `[1,${max},5]`],
    ['maps', { a: 'x', b: max, toString: 1n }, `{"a":"x","b":${max},"toString":1}`],
    ['free', { a: [1n, { b: max }], c: null }, `{"a":[1,{"b":${max}}],"c":null}`],
    ['free', 'text', '"text"']
  ]
  for (const [name, body, want] of rows) {
    answer(async () => ({ status: 200, body }))
    const { status, headers, body: text } = await get(name)
    t.same([status, headers.get('content-type')], [200, 'application/json'], name)
    t.equal(Buffer.from(text, 'latin1').toString(), want, name)
  }
  const cyclic: Record<string, unknown> = { ...whole }
  cyclic['parts'] = [cyclic]
  answer(() => ({ status: 200, body: cyclic }))
  t.equal((await get('strict')).status, 200, 'a cycle in what is not declared is not sent')
})

t.test('an exact status wins over a class, a class over default; others are a 500', async (t) => {
  const good: [name: string, status: number, body?: unknown][] = [
    ['plain', 404, { code: 'x' }],
    ['plain', 302, { other: true }],
    ['range', 201, whole],
    ['nothing', 204, null],
    ['emptied', 205],
    ['headers', 303]
  ]
  for (const [name, status, body] of good) {
    answer(() => ({ status, body, headers: { Location: '/x' } }))
    t.equal((await get(name)).status, status, name)
  }
  const bad: [name: string, made: unknown][] = [
    ['strict', { status: 404, body: { code: 'secret' } }],
    ...[100, 199, 600, '200', 200.5, Number.NaN, undefined].map((status): [string, unknown] => [
      'plain',
      { status, body: { other: true } }
    ]),
    ...[undefined, null, 'secret', whole].map((made): [string, unknown] => ['plain', made]),
    ['range', { status: 302, body: whole }],
    ['nothing', { status: 200, body: 'secret' }],
    ['emptied', { status: 205, body: whole }]
  ]
  for (const [name, made] of bad) await breach(t, name, made)
})

t.test('any error of a getter is only logged', async (t) => {
  for (const thrown of [new Error('secret'), 'secret']) {
    await breach(t, 'plain', { status: 200, body: throwing('at', thrown) })
    t.match(log.findLast(({ level }) => level === 50)?.['msg'], ': secret (')
  }
  for (const name of ['status', 'headers', 'body'])
    for (const thrown of ['secret', undefined, unreadable]) {
      const made = { status: 200, body: whole }
      answer(async () => Object.defineProperty(made, name, { get: failing(thrown) }))
      const got = await get('plain')
      t.match([got.status, got.value], [500, { code: 'response-mismatch' }])
      t.notMatch(got.body, /secret/)
    }
})

t.test('a promise anywhere in a wrong response is a 500, and its rejection is ignored', async (t) => {
  const wrong: readonly ((late: Promise<unknown>) => object)[] = [
    (late) => ({ status: 200, body: late }),
    (late) => ({ status: late, body: whole }),
    (late) => ({ status: 200, body: whole, headers: late }),
    (late) => ({ status: 200, body: whole, headers: { 'x-a': late } }),
    (late) => ({ status: 200, body: { ...whole, name: late } }),
    (late) => ({ status: 200, body: [[{ late }]] })
  ]
  for (const make of wrong) {
    const late = Promise.withResolvers<unknown>()
    await breach(t, 'plain', make(late.promise))
    late.reject(new Error('secret'))
    await new Promise(setImmediate)
  }
  await breach(t, 'any', { status: 200, body: Promise.resolve(1) })
})

t.test('a response with headers that would be lost is a 500', async (t) => {
  const round: { self?: unknown } = {}
  round.self = round
  const lost = [new Headers({ 'x-a': '1' }), new Map([['x-a', '1']]), ['x-a: 1'], 'x-a: 1', round]
  for (const headers of lost) await breach(t, 'plain', { status: 200, body: whole, headers })
  answer(async () => ({ status: 200, body: whole, headers: null }))
  t.equal((await get('plain')).status, 200)
})

t.test('a body that breaks its schema is a 500 and is not sent', async (t) => {
  class Model {
    readonly id = 1n
    get name(): string {
      return 'a getter of the prototype is no property'
    }
  }
  const endless: Record<string, unknown> = {}
  endless['endless'] = endless
  const bodies: Readonly<Record<string, readonly unknown[]>> = {
    strict: [
      { id: 'secret', name: 'x' },
      { id: 1n, name: undefined },
      ...[Number.NaN, Number.POSITIVE_INFINITY, 2n ** 53n + 1n].map((weight) => ({ ...whole, weight })),
      { ...whole, count: 2n ** 53n + 1n },
      { ...whole, at: new Date() },
      { id: 1n, name: { toJSON: () => 'secret' } },
      { toJSON: () => whole },
      new Model(),
      new Map(Object.entries(whole)),
      { ...whole, parts: new Set([1]) },
      { ...whole, parts: [undefined] },
      Buffer.from('{}'),
      Readable.from(['{}']),
      undefined,
      null,
      () => whole,
      throwing('weight', new Error('secret'))
    ],
    lists: [[1n, '2'], Object.assign([1n], { length: 3 })],
    free: [undefined, () => 1, endless],
    texts: [5, 'longer than twenty characters', undefined],
    bytes: [{ a: 1 }, 5, undefined]
  }
  for (const [name, list] of Object.entries(bodies))
    for (const body of list) await breach(t, name, { status: 200, body })
})

t.test('declared headers are checked, and no header can hold a line break', async (t) => {
  const good: readonly [name: string, value: unknown, sent: string | undefined][] = [
    ['x-count', 5, '5'],
    ['X-Note', 'a\tb', 'a\tb'],
    ['X-Not', undefined, undefined],
    ['x-flat', { R: 100, G: undefined, B: 5 }, 'R,100,B,5'],
    ['X-Exploded', { R: 100, B: 5 }, 'R=100,B=5'],
    ['X-Json', { a: [9007199254740993n] }, '{"a":[9007199254740993]}'],
    ['X-Json', '€', '"\\u20ac"']
  ]
  for (const [name, value, sent] of good) {
    answer(() => ({ status: 200, body: 1, headers: { 'X-Count': 5, [name]: value } }))
    t.equal((await get('headers')).headers.get(name.toLowerCase()), sent, name)
  }
  answer(() => ({ status: 200, body: 1, headers: { 'X-Count': 5, 'Set-Cookie': ['a=1', 'b=2'] } }))
  const { text } = await exchange(port, String(request('GET /headers')), { wait: 5000, enough: 1 })
  t.same(text.match(/^set-cookie: .*$/gim)?.length, 2)
  const bad: Record<string, unknown>[] = [
    { 'X-Count': undefined },
    { 'X-Count': 0 },
    { 'X-Note': 5 },
    ...['a\r\nSet-Cookie: secret', 'a\nb', 'a\0', 'caf\u00e9', null, [null]].map((value) => ({
      'X-More': value
    })),
    { 'X-Flat': { a: 'b\n' } },
    ...['X More', 'X:', '', 'a\r\nb', 'Trailer'].map((name) => ({ [name]: 'a' })),
    { 'Content-Length': 2 },
    { 'transfer-encoding': 'chunked' },
    { Connection: 'close' },
    { 'Content-Type': 'text/html' },
    { 'Content-Type': 'nonsense' }
  ]
  for (const headers of bad)
    await breach(t, 'headers', { status: 200, body: 1, headers: { 'X-Count': 5, ...headers } })
  await breach(t, 'headers', { status: 303 })
  await breach(t, 'nothing', { status: 200, headers: { 'Content-Type': 'text/plain' } })
})

t.test('a wrong or missing length is a 500', async (t) => {
  await breach(t, 'sized', { status: 200, body: Readable.from(['a']) })
  for (const length of ['x', -1, 1.5, '1, 1']) await breach(t, 'bytes', sized(Buffer.from('a'), length))
  await breach(t, 'sized', sized(Buffer.from('abc'), 4))
  await breach(t, 'sized', { status: 201, body: 'a', headers: { 'Content-Length': 1 } })
  await breach(t, 'sized', { status: 204, headers: { 'Content-Length': 0 } })
  await breach(t, 'nothing', { status: 200, headers: { 'Content-Length': 1 } })
  await breach(t, 'lines', sized([1], 2))
})

t.test('of several media types one that fits the body, and the client prefers', async (t) => {
  const csv = 'text/csv; charset=utf-8'
  const rows: [accept: string | undefined, body: unknown, type: string | undefined][] = [
    [undefined, whole, 'application/json'],
    [undefined, Buffer.from('a,b'), csv],
    ['text/csv', 'a,b', csv],
    ['*/*', [1], 'application/vnd.test+json'],
    ['text/csv', whole, undefined],
    ['application/json;q=0, */*', whole, undefined]
  ]
  for (const [accept, body, type] of rows) {
    answer(() => ({ status: 200, body }))
    const got = await get('several', { Accept: accept })
    if (type === undefined) t.match(got, { status: 406, value: { code: 'not-acceptable' } }, String(accept))
    else t.same([got.status, got.headers.get('content-type')], [200, type], String(accept))
  }
  await breach(t, 'several', { status: 200, body: { id: 'neither' } })
  answer(() => ({ status: 200, body: Buffer.from('a,b') }))
  t.equal((await get('either')).body, 'a,b', 'under a range anything may be sent')
  answer(() => ({ status: 404, body: { code: 'x' } }))
  t.equal((await get('several', { Accept: 'text/csv' })).status, 404, 'an error has any declared media type')
  answer(({ accepts }) => ({ status: 200, body: accepts.join(), headers: { 'content-type': 'text/csv' } }))
  const accepted = await get('several', { Accept: 'text/csv, application/json;q=0.5' })
  t.equal(accepted.body, 'text/csv,application/json', 'a handler gets the accepted media types')
})
