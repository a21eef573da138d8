/** Webhooks and callbacks are sent as the contract declares, and answers are checked. */
import { createHmac } from 'node:crypto'
import { load } from 'js-yaml'
import t from 'tap'
import type { Contract, SenderCode } from '../../../src/engine/model/compiled-contract.ts'
import { createSender, type SenderOptions } from '../../../src/engine/sender.ts'
import { sleep, until } from '../../time.ts'
import { compiled, type Json } from '../serve.ts'
import { type Answer, hangUp, json, receiver } from './receiver.ts'

const document = load(`
webhooks:
  newThing:
    post:
      parameters:
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: page, in: query, schema: { type: integer } }
      requestBody: &body { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: &responses
        200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
        204: { description: done }
      callbacks: { went well: { '{$request.body#/url}': { post: { responses: *responses } } } }
  signed:
    post:
      operationId: sendSigned
      parameters:
        - { name: X-Signature, in: header, required: true, schema: { type: string, minLength: 2 } }
        - { name: X-Event, in: header, required: true, schema: { type: integer } }
      responses: *responses
  thing:
    put: { operationId: replaceThing, requestBody: *body, responses: *responses, security: [{ key: [] }] }
    delete: { responses: *responses }
  opened:
    post: { requestBody: { $ref: '#/components/requestBodies/Account' }, responses: &account { 200: { $ref: '#/components/responses/Account' } } }
  uploaded:
    post:
      requestBody: { content: { multipart/form-data: { schema: { $ref: '#/components/schemas/Account' } } } }
      responses: *responses
paths:
  /subscriptions:
    post:
      operationId: subscribe
      requestBody: { $ref: '#/components/requestBodies/Account' }
      responses: *account
      callbacks:
        event:
          '{$request.body#/other}': { post: { operationId: replaceThing, responses: *responses } }
          '{$request.body#/url}?id={$response.body#/id}': { post: { requestBody: *body, responses: *responses } }
          x-note: no expression
        closed:
          '{$request.query.wrong}':
            post: { operationId: close, requestBody: { $ref: '#/components/requestBodies/Account' }, responses: *account }
components:
  requestBodies:
    Account: { content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
  responses:
    Account: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } }
  schemas:
    Thing: { type: object, required: [id], properties: { id: { type: integer, format: int64 }, name: { type: string } } }
    Account:
      type: object
      required: [id, secret]
      properties:
        id: { type: string, readOnly: true }
        secret: { type: string, writeOnly: true }
        owner: { allOf: [{ $ref: '#/components/schemas/Owner' }] }
    Owner: { type: object, required: [id], properties: { id: { type: string, readOnly: true } } }
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
security: [{ key: [] }]
`) as Json

type Calls = Readonly<Record<string, (call: object) => Promise<{ status: number; body: unknown }>>>
type SendingContract = Contract & { readonly sender: SenderCode }

const contract = (await compiled(t, document)) as SendingContract

/** Sends without long pauses to loopback addresses. */
const callsOf = (options: SenderOptions = {}): Calls =>
  createSender(contract, { allowPrivateAddresses: true, retryDelay: 1, ...options }) as never
const send = async (name: string, call: object, options: SenderOptions = {}) =>
  callsOf(options)[name]?.(call) as ReturnType<Calls[string]>

const ok: Answer = json(200, '{"id":9223372036854775807}')
const thing = { id: 9007199254740993n }

t.test('names of functions are operationIds, otherwise made of webhooks and callbacks', async (t) => {
  const webhooks = 'newThing sendSigned replaceThing thingDelete opened uploaded'
  t.equal(Object.keys(callsOf()).join(' '), `${webhooks} replaceThing2 subscribeEvent close went well`)
})

t.test('a webhook is written and its answer is read by the contract', async (t) => {
  const { url, received } = await receiver(t, [ok])
  const signed = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex')
  const sign: SenderOptions['sign'] = ({ method, headers, body }) => {
    return { 'X-Signature': signed(`${method} ${headers['x-trace']} ${Buffer.from(body)}`) }
  }
  const options = { sign, headers: { 'X-From': 'us' }, security: { key: 'k' } }
  const call = { body: { ...thing, more: 1 }, headers: { 'x-trace': 't' }, query: { page: 2 } }
  const answer = await send('newThing', { url: `${url}?a=1#part`, ...call }, options)
  t.match(answer, { status: 200, body: { id: 9223372036854775807n } })
  t.match(received, [{ method: 'POST', url: '/hook?a=1&page=2', body: '{"id":9007199254740993,"more":1}' }])
  t.match(received[0]?.headers, {
    ...{ 'content-type': 'application/json', 'x-from': 'us' },
    'x-signature': signed(`POST t ${received[0]?.body}`)
  })
  t.notOk(received[0]?.headers['x-key'], 'the security of the service is not that of a receiver')
  await send('replaceThing', { url, body: thing }, options)
  t.equal(received[1]?.headers['x-key'], 'k')
  await send('newThing', { url, body: thing, query: { page: 2 } })
  t.equal(received[2]?.url, '/hook?page=2', 'a query is added to a target without one')
})

t.test('a required header is given by the call, by `sign`, or for all calls', async (t) => {
  const { url, received } = await receiver(t, [ok])
  const signed = (given: object, options: SenderOptions = {}) =>
    send('sendSigned', { url, headers: given }, options)
  const sign = () => ({ 'X-Signature': 'by sign' })
  for (const [given, options] of [
    [{ 'X-Event': 1, 'X-Signature': 'by call' }],
    [{}, { sign: async () => ({ ...sign(), 'x-event': '1' }) }],
    [{}, { sign, headers: { 'X-EVENT': '1' } }]
  ] as const)
    t.match(await signed(given, options), { status: 200 })
  t.strictSame(
    received.map(({ headers }) => `${headers['x-event']} ${headers['x-signature']}`),
    ['1 by call', '1 by sign', '1 by sign']
  )
  for (const [given, options, place] of [
    [{ 'x-event': 1 }, {}, 'headers/x-signature'],
    [{}, { sign }, 'headers/x-event'],
    [{ 'x-event': 'a' }, { sign }, 'headers/x-event'],
    [{ 'x-event': 1, 'x-signature': 'a' }, {}, 'headers/x-signature']
  ] as const)
    await t.rejects(signed(given, options), {
      name: 'RequestMismatch',
      operation: 'sendSigned',
      places: [place]
    })
  t.equal(received.length, 3, 'what is refused is not sent')
})

t.test('a callback goes to the target in the exchange that it belongs to, or to a URL', async (t) => {
  const { url, received } = await receiver(t, [(response) => response.writeHead(204).end()])
  const on = { request: { body: { url } }, response: { status: 201, body: { id: 'a&b' } } }
  t.match(await send('subscribeEvent', { on, body: thing }), { status: 204 })
  await send('subscribeEvent', { url, body: thing })
  t.strictSame(
    received.map((each) => each.url),
    ['/hook?id=a%26b', '/hook']
  )
  const name = 'TargetRefused'
  const needed = /subscribeEvent needs a url, or `on`/
  await t.rejects(send('subscribeEvent', { body: thing }), { name, message: needed })
  await t.rejects(send('newThing', { body: thing, on }), { name, message: 'newThing needs a url' })
  const message = '$request.query.wrong has no value that a URL can have'
  await t.rejects(send('close', { on }), { name, message })
})

t.test('what breaks the contract is not sent, and an answer that breaks it is not returned', async (t) => {
  const redirect: Answer = (response) => response.writeHead(302, { location: '/' }).end()
  const { url, received } = await receiver(t, [json(200, '{"id":"x"}'), json(202, '{}'), redirect])
  const refused = { name: 'RequestMismatch', operation: 'newThing', places: ['body/id'] }
  await t.rejects(send('newThing', { url, body: { id: 'x' } }), refused)
  t.equal(received.length, 0)
  for (const [status, place] of [
    [200, 'body/id'],
    [202, 'status'],
    [302, 'status']
  ])
    await t.rejects(send('newThing', { url, body: thing }), {
      name: 'ResponseMismatch',
      status,
      places: [place]
    })
  t.equal(received.length, 3, 'a redirect is an answer')
})

const unsendable: readonly (readonly [options: SenderOptions, call: object, place: string])[] = [
  [{}, { idempotencyKey: 'k\r\nx: y' }, 'headers/idempotency-key'],
  [{ sign: () => ({ 'X-Signature': 'a\nb' }) }, {}, 'headers/x-signature'],
  [{ sign: () => ({ 'X\0': 'a' }) }, {}, 'headers/x\0']
]
t.test('headers that HTTP cannot carry are not sent, whoever gives them', async (t) => {
  const { url, received } = await receiver(t, [ok])
  for (const [options, call, place] of unsendable) {
    let signed = 0
    const sign: SenderOptions['sign'] = (request) => {
      signed++
      return options.sign?.(request) ?? {}
    }
    const sent = send('newThing', { url, body: thing, retry: true, ...call }, { ...options, sign })
    await t.rejects(sent, { name: 'RequestMismatch', places: [place] }, place)
    t.ok(signed < 2, 'there is no second attempt')
  }
  t.equal(received.length, 0)
})

t.test('an answer is bounded in size and time', async (t) => {
  const large = await receiver(t, [json(200, `{"id":1,"name":"${'x'.repeat(2000)}"}`)])
  const bounds = { maxAnswerBytes: 1000, timeout: 300, retries: 0 }
  const tooLarge = send('newThing', { url: large.url, body: thing }, bounds)
  await t.rejects(tooLarge, { message: /larger than 1000 bytes/ })
  const { url, received } = await receiver(t, [() => {}])
  await t.rejects(send('newThing', { url, body: thing }, bounds), { name: 'TimeoutError' })
  const left = received.length
  const leaving = new AbortController()
  const call = send('replaceThing', { url, body: thing, signal: leaving.signal })
  await Promise.all([
    t.rejects(call, { name: 'AbortError' }),
    until(() => received.length > left).then(() => leaving.abort())
  ])
  t.equal(received.length, left + 1, 'the signal of the caller ends all attempts')
  await t.rejects(send('replaceThing', { url, body: thing }, { timeout: 100 }), { name: 'TimeoutError' })
  t.ok(received.length <= left + 2, 'the time-out ends all attempts')
})

/** Returns the date in the three forms of RFC 9110, section 5.6.7. */
function httpDates(time: number): readonly string[] {
  const fixed = new Date(time).toUTCString()
  const [, day = '', month, year = '', clock] = fixed.split(/,? /)
  const weekday = new Date(time).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  return [
    fixed,
    `${weekday}, ${day}-${month}-${year.slice(2)} ${clock} GMT`,
    `${fixed.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${clock} ${year}`
  ]
}

t.test('an answer that asks for a pause beyond the time-out is final', async (t) => {
  for (const pause of ['30', '9'.repeat(400), new Date(Date.now() + 3_600_000).toUTCString()]) {
    const { url, received } = await receiver(t, [json(503, '{}', { 'retry-after': pause })])
    const call = send('thingDelete', { url })
    await t.rejects(call, { name: 'ResponseMismatch', status: 503 })
    t.equal(received.length, 1)
  }
})

t.test('the signal of the caller ends a pause', async (t) => {
  const leaving = new AbortController()
  const busy: Answer = (response) => {
    response.writeHead(503, { 'retry-after': '300' }).end()
    response.on('close', () => sleep(100).then(() => leaving.abort(new Error('left'))))
  }
  const { url } = await receiver(t, [busy])
  const call = { url, body: thing, signal: leaving.signal }
  await t.rejects(send('replaceThing', call, { timeout: 600_000 }), { message: 'left' })
})

/** Calls, answers that fail at first, and the number of requests. */
const repeated: [what: string, call: string, more: object, first: Answer, requests: number][] = [
  ['an idempotent method after a lost connection', 'replaceThing', {}, hangUp, 2],
  ['an idempotent method after 503', 'thingDelete', {}, json(503, '{}', { 'retry-after': '0' }), 2],
  ...[...httpDates(Date.UTC(1994, 10, 6, 8, 49, 37)), 'soon', '-5', '1e9', ''].map(
    (past): (typeof repeated)[number] => {
      const first = json(503, '{}', { 'retry-after': past })
      return [`an idempotent method after 503, Retry-After: ${past}`, 'thingDelete', {}, first, 2]
    }
  ),
  ['an idempotent method after 429', 'thingDelete', {}, json(429, '{}'), 2],
  ['POST with a key', 'newThing', { idempotencyKey: 'k1' }, hangUp, 2],
  ['POST that the caller knows to be idempotent', 'newThing', { retry: true }, hangUp, 2],
  ['POST', 'newThing', {}, hangUp, 1],
  ['an error that is final', 'replaceThing', {}, json(400, '{}'), 1]
]
for (const [what, call, more, first, requests] of repeated)
  t.test(`attempts: ${what}`, async (t) => {
    const { url, received } = await receiver(t, [first, ok])
    const values = call === 'thingDelete' ? { url } : { url, body: thing }
    const outcome = await send(call, { ...values, ...more }).catch((error: Error) => error)
    t.equal(received.length, requests)
    t.equal(outcome instanceof Error, requests === 1)
    if (call === 'newThing' && requests === 2)
      t.strictSame(received[1]?.headers['idempotency-key'], Object(more).idempotencyKey)
  })

const arrived: readonly (readonly [what: string, answer: Answer])[] = [
  ['larger than allowed', json(200, `"${'x'.repeat(2000)}"`)],
  ['of status 999', (response) => response.socket?.end('HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n')],
  ['that switches protocols', (response) => response.socket?.end('HTTP/1.1 101 X\r\nUpgrade: x\r\n\r\n')],
  ['that is not HTTP', (response) => response.socket?.end('SSH-2.0-x\r\n')]
]
for (const [what, answer] of arrived)
  t.test(`an answer ${what} is final`, async (t) => {
    const { url, received } = await receiver(t, [answer])
    const call = send('replaceThing', { url, body: thing }, { maxAnswerBytes: 1000 })
    await t.rejects(call, { name: 'AnswerRefused' })
    t.equal(received.length, 1)
  })

t.test('a target of https is called by TLS', async (t) => {
  const { url, received } = await receiver(t, [ok])
  const call = { url: url.replace('http:', 'https:'), body: thing }
  await t.rejects(send('newThing', call, { retries: 0 }), { code: 'EPROTO' })
  t.equal(received.length, 0)
})

t.test('attempts end after the last, with its outcome', async (t) => {
  const { url, received } = await receiver(t, [hangUp])
  await t.rejects(send('replaceThing', { url, body: thing }), { code: 'ECONNRESET' })
  t.equal(received.length, 3)
})

t.test('malformed schemas of webhooks leave out only those', async (t) => {
  const { sender } = await compiled(
    t,
    load(`
webhooks:
  bad: { post: { requestBody: { content: { text/plain: { schema: { maxLength: x } } } }, responses: &done { 204: { description: done } } } }
  good: { post: { responses: *done } }`) as Json
  )
  t.strictSame(sender?.names, ['good'])
})

/** Bodies that a service sends of data that it owns, what it is answered, and the place that breaks the contract. */
const ownership: readonly (readonly [call: string, body: object, answer: string, place?: string])[] = [
  ['opened', { id: 'a', owner: { id: 'b' } }, '{"secret":"s"}'],
  ['opened', { id: 'a', owner: {} }, '{"secret":"s"}', 'body/owner/id'],
  ['opened', { id: 'a', secret: 's' }, '{"secret":"s"}', 'body/secret'],
  ['close', { id: 'a', secret: 's' }, '{"secret":"s"}', 'body/secret'],
  ['uploaded', { id: 'a', secret: 's' }, '', 'body/secret'],
  ['opened', { id: 'a' }, '{"id":"a"}', 'body/secret']
]
for (const [call, body, answer, place] of ownership)
  t.test(`readOnly and writeOnly of ${call}: ${JSON.stringify(body)}, ${answer}`, async (t) => {
    const { url, received } = await receiver(t, [json(200, answer)])
    if (place !== undefined)
      await t.rejects(send(call, { url, body }), { name: /Mismatch$/, places: [place] })
    else {
      t.match(await send(call, { url, body }), { status: 200, body: JSON.parse(answer) })
      t.strictSame(JSON.parse(String(received[0]?.body)), body)
    }
  })
