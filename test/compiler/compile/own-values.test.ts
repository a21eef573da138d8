/** Values of a project's own formats: parsed for handlers and clients, written as texts, typed on both sides. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { compileInMemory, generate } from '../../../src/compiler/compiler.ts'
import { createClient, injectFetch } from '../../../src/engine/client.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { createSender } from '../../../src/engine/sender.ts'
import { smokeTest } from '../../../src/tools/new/smoke-test.ts'
import { diagnose } from '../../contracts/type-check.ts'
import { json as answerOf, receiver } from '../../engine/sender/receiver.ts'
import { request, serve } from '../../engine/serve.ts'

const contract = `openapi: 3.2.0
info: { title: Own values, version: '1' }
paths:
  /orders/{price}:
    put:
      operationId: put
      parameters:
        - { name: price, in: path, required: true, schema: &money { type: string, format: money } }
        - { name: least, in: query, schema: { type: string, format: money, default: 1.00 EUR } }
        - { name: any, in: query, schema: { type: array, items: *money } }
        - { name: X-Fee, in: header, schema: *money }
      requestBody: { required: true, content: &orders { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '200': { description: ok, headers: &fee { X-Fee: { schema: *money } }, content: *orders } }
  /items:
    post:
      operationId: items
      requestBody: { required: true, content: &items { application/jsonl: { itemSchema: { type: object, properties: { price: *money } } } } }
      responses: { '200': { description: ok, headers: *fee, content: *items } }
  /text:
    post:
      operationId: text
      requestBody: { required: true, content: &text { text/plain: { schema: *money } } }
      responses: { '200': { description: ok, headers: *fee, content: *text } }
  /fee:
    get:
      operationId: fee
      responses:
        '200': { description: ok, headers: { X-Fee: { schema: *money }, ETag: { schema: { type: string } } } }
        '304': { description: unchanged, headers: *fee }
webhooks:
  ordered:
    post:
      operationId: ordered
      requestBody: { required: true, content: *orders }
      responses: { '200': { description: ok, headers: *fee, content: *orders } }
components:
  schemas:
    Order:
      type: object
      properties:
        id: { type: integer, format: int64 }
        sku: { type: string, format: sku }
        color: { type: string, format: color }
        lines: { type: array, items: { oneOf: [*money, { type: string, enum: [free] }, { type: object, properties: { from: *money }, required: [from] }] } }
        tip: { type: [string, 'null'], format: money }
        next: { $ref: '#/components/schemas/Order' }
`

const engine = JSON.stringify(
  pathToFileURL(join(import.meta.dirname, '../../../src/engine/runtime/own-format.ts')).href
)
const module = `import { defineFormat } from ${engine}
export class Money {
  readonly cents: number
  readonly currency: string
  constructor(cents: number, currency: string) {
    this.cents = cents
    this.currency = currency
  }
}
export type Sku = string & { readonly sku: true }
export const amount = defineFormat('money', {
  check: (text) => /^\\d+\\.\\d\\d [A-Z]{3}$/.test(text),
  parse: (text) => {
    if (text.endsWith('XXX')) throw new RangeError('no currency')
    return new Money(Math.round(Number(text.slice(0, -4)) * 100), text.slice(-3))
  },
  stringify: ({ cents, currency }) =>
    cents === -1 ? (undefined as never) : (cents / 100).toFixed(2) + ' ' + currency,
  type: Money
})
export const color = defineFormat('color', { check: (text) => text.startsWith('#') })
export const sku = defineFormat('sku', { check: (text) => /^[A-Z]{3}$/.test(text), parse: (text) => text as Sku })
`

async function project(t: Test) {
  const folder = t.testdir({
    'openapi.yaml': contract,
    src: { 'formats.ts': module },
    generated: {}
  })
  const files = {
    contract: join(folder, 'openapi.yaml'),
    formats: join(folder, 'src/formats.ts'),
    out: join(folder, 'generated')
  }
  await generate(files)
  const generated: Contract = (await import(pathToFileURL(join(files.out, 'contract.ts')).href)).default
  const { Money } = await import(pathToFileURL(files.formats).href)
  const inMemory = await compileInMemory(files.contract, { formats: files.formats })
  return {
    ...files,
    generated,
    inMemory: inMemory.contract,
    euro: (cents: number) => new Money(cents, 'EUR')
  }
}

interface Seen {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: never
}

t.setTimeout(900_000)
t.test('a handler gets and gives values', async (t) => {
  const { generated, euro } = await project(t)
  let seen: Seen | undefined
  let answer: unknown
  const record = (given: Seen) => {
    seen = given
    return answer
  }
  const { ask, log, port } = await serve(t, generated, {
    handlers: { put: record, items: record, text: record, fee: record },
    errorBody: ({ problems }) => problems.map(({ pointer, keyword }) => `${pointer} ${keyword}`)
  })
  const send = (first: string, body: string, more: Record<string, string> = {}) =>
    ask(request(first, body, { 'Content-Type': 'application/json', ...more }))

  await t.test('in parameters, headers and bodies', async (t) => {
    const lines = [euro(100), 'free', { from: euro(250) }]
    answer = {
      status: 200,
      headers: { 'X-Fee': euro(5) },
      body: { id: 1n, sku: 'ABC', color: '#fff', lines, tip: null, next: { tip: euro(1), other: 1 } }
    }
    const sent =
      '{"id":9007199254740993,"sku":"ABC","lines":["1.00 EUR","free",{"from":"2.50 EUR"}],"tip":null,"next":{"tip":"0.01 EUR"}}'
    const found = await send('PUT /orders/1.00%20EUR?any=1.00+EUR&any=2.00+EUR', sent, {
      'X-Fee': '0.10 EUR'
    })
    t.equal(found.status, 200, found.body)
    t.equal(
      found.body,
      '{"id":1,"sku":"ABC","color":"#fff","lines":["1.00 EUR","free",{"from":"2.50 EUR"}],"tip":null,"next":{"tip":"0.01 EUR"}}'
    )
    t.equal(found.headers.get('x-fee'), '0.05 EUR')
    t.same(seen?.params, { price: euro(100) })
    t.same(seen?.query, { least: euro(100), any: [euro(100), euro(200)] })
    t.same(seen?.headers, { 'x-fee': euro(10) })
    t.same(seen?.body, { id: 9007199254740993n, sku: 'ABC', lines, tip: null, next: { tip: euro(1) } })
  })

  await t.test('what check refuses, or parse throws for, is a problem with its pointer', async (t) => {
    const body = '{"tip":"1.00 XXX","color":"fff","lines":[{"from":"x"}]}'
    const found = await send('PUT /orders/1?least=1.00+XXX', body, { 'X-Fee': '1' })
    t.equal(found.status, 400)
    const places = ['/params/price', '/query/least', '/headers/x-fee', '/color', '/lines/0', '/tip']
    t.same(
      found.value,
      places.map((place) => `${place} ${place === '/lines/0' ? 'oneOf' : 'format'}`)
    )
  })

  await t.test('a value of another format, or an invalid one, is a 500', async (t) => {
    for (const [given, message] of [
      [{ body: { tip: euro(Number.NaN) } }, 'put answered 200: body/tip must be a valid money'],
      [{ headers: { 'X-Fee': '1' }, body: {} }, /header x-fee: body must be a valid money/],
      [{ body: { tip: euro(-1) } }, 'put answered 200: stringify of format money returned no text']
    ] as const) {
      answer = { status: 200, ...given }
      t.equal((await send('PUT /orders/1.00%20EUR', '{}')).status, 500)
      t.match(log.at(-1)?.['msg'], message)
    }
    answer = { status: 200, body: { tip: '1.00 EUR' } }
    const found = await send('PUT /orders/1.00%20EUR', '{}')
    t.equal(found.body, '{"tip":"1.00 EUR"}', 'a text of the format is sent')
  })

  await t.test('in a response 304', async (t) => {
    answer = { status: 200, headers: { ETag: '"7"', 'X-Fee': euro(5) } }
    const found = await ask(request('GET /fee', undefined, { 'If-None-Match': '"7"' }))
    t.equal(found.status, 304, JSON.stringify(log.at(-1)))
    t.equal(found.headers.get('x-fee'), '0.05 EUR')
  })

  await t.test('in streams and texts', async (t) => {
    answer = { status: 200, body: [{ price: euro(100) }, { price: euro(200) }] }
    const lines = await fetch(`http://127.0.0.1:${port}/items`, {
      method: 'POST',
      body: '{"price":"1.00 EUR"}',
      headers: { 'content-type': 'application/jsonl' }
    })
    t.equal(await lines.text(), '{"price":"1.00 EUR"}\n{"price":"2.00 EUR"}\n')
    const text = await send('POST /text', '3.00 EUR', { 'Content-Type': 'text/plain' })
    t.equal(text.status, 500)
    t.same(seen?.body, euro(300))
    answer = { status: 200, body: euro(300) }
    t.equal((await send('POST /text', '3.00 EUR', { 'Content-Type': 'text/plain' })).body, '3.00 EUR')
  })
})

type Call = (values: object) => Promise<{ readonly body: never; readonly headers: Record<string, unknown> }>

t.test('a client sends and receives values', async (t) => {
  const { generated, inMemory } = await project(t)
  for (const contract of [generated, inMemory]) {
    const { formats } = await contract.load()
    const euro = (cents: number) => Object.assign(Object(formats?.['money']?.parse?.('0.00 EUR')), { cents })
    const same = ({ body, headers }: Pick<Seen, 'body'> & { readonly headers: Record<string, unknown> }) => ({
      ...{ status: 200, body, headers: { 'X-Fee': headers['x-fee'] } }
    })
    const items = async function* (body: AsyncIterable<unknown>) {
      yield* body
    }
    const { app } = await serve(t, contract, {
      handlers: {
        put: same,
        items: ({ body }: Pick<Seen, 'body'>) => ({ status: 200, body: items(body) }),
        text: ({ body }: Pick<Seen, 'body'>) => ({ status: 200, body }),
        fee: () => ({ status: 200 })
      }
    })
    const client = createClient(contract, { fetch: injectFetch(app) }) as never as Readonly<
      Record<string, Call>
    >
    const body = { lines: [euro(100), 'free', { from: euro(250) }], tip: null }
    const query = { least: euro(2), any: [euro(3)] }
    const put = await client['put']?.({
      params: { price: euro(1) },
      query,
      headers: { 'X-Fee': euro(4) },
      body
    })
    t.same(put?.body, body)
    t.same(put?.headers['x-fee'], euro(4))
    const many = await client['items']?.({ body: [{ price: euro(1) }, { price: euro(2) }] })
    t.same(await Array.fromAsync(many?.body ?? []), [{ price: euro(1) }, { price: euro(2) }])
    t.same((await client['text']?.({ body: euro(3) }))?.body, euro(3))
    const unsent = async () => void (await client['put']?.({ params: { price: euro(Number.NaN) }, body }))
    await t.rejects(unsent(), /params\/price/)
  }
})

t.test('a sender sends and receives values', async (t) => {
  const { generated, euro } = await project(t)
  const { url, received } = await receiver(t, [answerOf(200, '{"tip":"0.02 EUR"}')])
  const options = { allowPrivateAddresses: true }
  const sender = createSender(generated as never, options) as Readonly<
    Record<string, (call: object) => Promise<{ readonly body: unknown }>>
  >
  const answer = await sender['ordered']?.({ url, body: { lines: [euro(100)], tip: euro(1) } })
  t.same(answer?.body, { tip: euro(2) })
  t.match(received, [{ body: '{"lines":["1.00 EUR"],"tip":"0.01 EUR"}' }])
})

t.test('component schemas read and write values', async (t) => {
  const { generated, euro } = await project(t)
  const { Order } = Object(generated).schemas
  const text = '{"sku":"ABC","lines":["1.00 EUR",{"from":"2.50 EUR"}],"tip":"0.01 EUR"}'
  const value = { sku: 'ABC', lines: [euro(100), { from: euro(250) }], tip: euro(1) }
  t.same(Order.parse(text), value)
  t.equal(Order.stringify(value), text)
  t.same(Order.check(value), [])
  t.match(Order.check({ tip: euro(Number.NaN) }), [{ pointer: '/tip', keyword: 'format' }])
  t.throws(() => Order.parse('{"tip":"1 EUR"}'), /value\/tip must be a valid money/)
})

t.test("the project's own test compiles the contract with its formats", async (t) => {
  const { generated } = await project(t)
  const trials = await smokeTest(generated, { fixtures: {}, credentials: {} } as never)
  t.equal(trials.length, 4)
})

const uses = `import contract, { type Formats, type Handlers, type Schemas } from '../generated/contract.ts'
import { createClient } from ${engine.replace('formats.ts', 'client.ts')}
import { Money, type Sku } from './formats.ts'

export const put: Pick<Handlers, 'put'> = {
  put: ({ params: { price }, query: { least, any = [] }, body }) => {
    const cents: number = price.cents + least.cents + any.reduce((sum, each) => sum + each.cents, 0)
    const sku: Sku | undefined = body.sku
    const tip: Money | null | undefined = body.tip
    return { status: 200, body: { lines: [price, 'free', { from: new Money(cents, 'EUR') }], tip, sku }, headers: { 'X-Fee': price } }
  }
}
export const order: Schemas['Order'] = contract.schemas.Order.parse('{}')
export const money: Formats['money'] = new Money(1, 'EUR')
export const client = createClient(contract)
export const sent = client.put({ params: { price: money }, query: {}, headers: {}, body: { tip: money } })
// @ts-expect-error a text is no Money
export const text: Pick<Handlers, 'put'> = { put: () => ({ status: 200, body: { tip: '1.00 EUR' } }) }
// @ts-expect-error a text of no brand
export const plain: Schemas['Order'] = { sku: 'ABC' }
// @ts-expect-error a text in place of a parameter
export const wrong = client.put({ params: { price: '1.00 EUR' }, query: {}, headers: {}, body: {} })
`

t.test('the types of both sides are those that parse returns', async (t) => {
  const { formats } = await project(t)
  const file = join(formats, '../uses.ts')
  await writeFile(file, uses)
  t.strictSame(await diagnose('own-values', [file]), [])
})
