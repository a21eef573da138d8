import type { FastifyReply } from 'fastify'
import t from 'tap'
import { paced } from '../../../../src/engine/server/responses/paced.ts'
import { headOf, request, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const slice = 65_536
const path = {
  get: { operationId: 'get', responses: { 200: { description: '', content: { 'text/plain': {} } } } }
}

const replyTo = (method: string) =>
  ({ request: { method, raw: {} }, header: () => undefined }) as unknown as FastifyReply

t.test('16 slices of all large responses are sent in one event-loop turn', async (t) => {
  let sent = 0
  const sending = Array.from({ length: 40 }, async () => {
    for await (const chunk of paced(Buffer.alloc(2 * slice), replyTo('GET'))) {
      t.equal(Object(chunk).length, slice)
      sent++
    }
  })
  const turns: number[] = []
  while (sent < 80) {
    const before = sent
    await new Promise((resolve) => setImmediate(resolve))
    turns.push(sent - before)
  }
  await Promise.all(sending)
  t.ok(Math.max(...turns) <= 16, String(turns))
})

t.test('a large response of an operation, or of a route beside it, is whole and has a length', async (t) => {
  const text = 'ä'.repeat(1_000_000)
  const { port, ask } = await serve(
    t,
    { paths: { '/large': path } },
    {
      handlers: { get: () => ({ status: 200, body: text }) },
      extend: (app) => {
        app.get('/beside', async () => Buffer.from(text))
        app.get('/changed', { onSend: async () => text }, async () => 'small')
      }
    }
  )
  for (const name of ['large', 'beside', 'changed']) {
    const answer = await ask(request(`GET /${name}`))
    t.equal(answer.headers.get('content-length'), '2000000', name)
    t.ok(Buffer.from(answer.body, 'latin1').toString() === text, name)
  }
  t.match(await headOf(port, 'large'), /content-length: 2000000\r\n/, 'and HEAD has the same length')
})

t.test('a small payload, and one that is not sent, are unchanged', async (t) => {
  for (const payload of ['x'.repeat(slice), Buffer.alloc(slice)])
    t.equal(paced(payload, replyTo('GET')), payload)
  const large = Buffer.alloc(slice + 1)
  t.equal(paced(large, replyTo('HEAD')), large)
})

t.test('a large response whose connection ends before it is no defect', async (t) => {
  const { port, ask, log } = await serve(
    t,
    { paths: { '/large': path } },
    { handlers: { get: async () => ({ status: 200, body: 'x'.repeat(5 * slice) }) } }
  )
  // Node detaches the connection of a CONNECT: the response ends without a client that has left.
  const both = `${request('GET /large')}CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n`
  const { responses } = await exchange(port, both)
  t.strictSame(responses, [])
  t.equal((await ask(request('GET /large'))).status, 200)
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 50),
    []
  )
})
