/** Calls the service without a port: successes and refusals of every operation, and of the webhook. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { createClient } from '@contract-first/engine/client'
import contract from '../generated/contract.ts'
import type { Schemas } from '../generated/types.ts'
import { openService } from './client.ts'
import { environment } from './fixtures.ts'

const { app, fetch, close } = await openService()
after(close)
const secret = String(environment['WEBHOOK_SECRET'])
const client = (security: { session?: string; agent?: string }, headers: Record<string, string> = {}) =>
  createClient(contract, { fetch, security, headers })
type Client = ReturnType<typeof client>
const [nobody, writer] = [client({}), client({ agent: 'writer' })]
const [reader, exporter] = [client({ agent: 'reader' }), client({ agent: 'exporter' })]
const password = 'correct horse battery'

/** Sends what no client of the contract would. */
async function send(path: string, headers: Record<string, string>, body: string) {
  const type = { 'content-type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers: { ...type, ...headers }, body })
  const mediaType = response.headers.get('content-type')
  return { status: response.status, mediaType, body: Object(await response.json()) }
}

/** Asserts that an answer is a problem (RFC 9457) of this status, and holds the text. */
function refused(answer: { status: number; body?: unknown }, status: number, text: string) {
  assert.partialDeepStrictEqual(answer, { status, mediaType: 'application/problem+json', body: { status } })
  assert.ok(JSON.stringify(answer.body).includes(text), JSON.stringify(answer.body))
}

/** Opens an account, and returns the client of its session, with the session. */
async function customer(email: string) {
  assert.equal((await nobody.registerCustomer({ body: { email, password } })).status, 201)
  const { status, headers } = await nobody.logIn({ body: { email, password } })
  const [, session = '', attributes] = /^session=([\w-]{32})(; .*)$/.exec(String(headers['set-cookie'])) ?? []
  assert.deepEqual([status, attributes], [204, '; Path=/; HttpOnly; Secure; SameSite=Lax'])
  return { session, ...client({ session }) }
}

/** Creates a ticket, and returns its id as the parameter of other operations. */
async function ticket(user: Client, title: string, text = '') {
  const { status, headers, body } = await user.createTicket({ body: { title, text } })
  assert.ok(status === 201)
  assert.deepEqual([headers.location, body.title, body.status], [`/tickets/${body.id}`, title, 'open'])
  return { params: { id: body.id } }
}

const [ada, bob] = [await customer('ada@example.com'), await customer('bob@example.com')]

test('an address has one account, a session ends with the log-out', async () => {
  const again = await nobody.registerCustomer({ body: { email: 'ADA@example.com', password } })
  refused(again, 409, 'an account already')
  const eve = await customer('eve@example.com')
  assert.equal((await eve.logOut()).headers['set-cookie'], 'session=; Path=/; Max-Age=0')
  refused(await eve.listTickets(), 401, 'credentials')
})

test('five wrong passwords close the door for their address alone', async () => {
  const body = { email: 'ada@example.com', password: 'not the password' }
  const from = (ip: string) => client({}, { 'x-forwarded-for': ip }).logIn({ body })
  for (let count = 0; count < 5; count++) refused(await from('192.0.2.1'), 401, 'password is wrong')
  const closed = await from('192.0.2.1')
  refused(closed, 429, 'too many requests')
  assert.equal(closed.headers['retry-after'], 60)
  refused(await from('192.0.2.2'), 401, 'password is wrong')
})

test('the list is walked by its cursor, the newest ticket first', async () => {
  const cleo = await customer('cleo@example.com')
  const created = []
  for (const title of ['a', 'b', 'c', 'd', 'e']) created.unshift((await ticket(cleo, title)).params.id)
  const seen = []
  for (let cursor: number | undefined; seen.length < created.length; ) {
    const { status, body } = await cleo.listTickets({ query: { limit: 2, cursor } })
    assert.ok(status === 200)
    seen.push(...body.tickets.map(({ id }) => id))
    cursor = body.next
    assert.equal(cursor === undefined, seen.length === created.length)
  }
  assert.deepEqual(seen, created)
  await cleo.changeTicket({ params: { id: Number(created[0]) }, body: { status: 'closed' } })
  const { body } = await cleo.listTickets({ query: { status: 'closed' } })
  assert.ok('tickets' in body && body.tickets.length === 1 && body.tickets[0]?.title === 'e')
})

test('a ticket is seen by its customer and by agents', async () => {
  const it = await ticket(ada, 'The printer is on fire')
  for (const user of [ada, writer, reader]) assert.equal((await user.getTicket(it)).status, 200)
  refused(await bob.getTicket(it), 404, 'no such ticket')
  refused(await nobody.getTicket(it), 401, 'credentials')
  refused(await client({ agent: 'unknown' }).getTicket(it), 401, 'credentials')
  refused(await exporter.getTicket(it), 403, 'tickets:read')
  refused(await writer.createTicket({ body: { title: 'x', text: '' } }), 401, 'credentials')
})

test('a request that breaks the contract is refused', async () => {
  const post = (headers: Record<string, string>, body: string) =>
    send('/tickets', { cookie: `session=${ada.session}`, ...headers }, body)
  refused(await post({ origin: 'https://evil.example' }, '{}'), 403, 'origin')
  refused(await post({}, '{"title":"","text":1}'), 400, '/title')
  refused(await post({}, `"${'x'.repeat(1_048_576)}"`), 413, '1048576 bytes')
  refused(await post({ 'content-type': 'text/plain' }, 'x'), 415, 'application/json')
})

test('a merge patch changes what it names, and null removes', async () => {
  const { params } = await ticket(ada, 'Slow network')
  const change = (user: Client, body: Schemas['TicketPatch']) => user.changeTicket({ params, body })
  const assigned = await change(writer, { assignee: 'grace', priority: 'high' })
  assert.partialDeepStrictEqual(assigned.body, { title: 'Slow network', assignee: 'grace', priority: 'high' })
  const { body } = await change(writer, { assignee: null })
  assert.ok('priority' in body && !('assignee' in body))
  refused(await change(reader, { title: 'x' }), 403, 'tickets:write')
  refused(await change(ada, { assignee: 'ada' }), 403, 'only agents')
  assert.equal((await change(ada, { status: 'closed' })).status, 200)
  refused(await change(ada, { title: 'x' }), 409, 'open it first')
  assert.partialDeepStrictEqual((await change(ada, { status: 'open', title: 'x' })).body, { title: 'x' })
})

test('a file comes back as it was sent', async () => {
  const { params } = await ticket(ada, 'With a picture')
  const content = Uint8Array.of(0, 255, 13, 10, 128)
  const body = { file: { content, filename: "smoke (1) 'é'.png" } }
  const attached = await ada.attachFile({ params, body })
  assert.ok(attached.status === 201)
  const { id, ...others } = attached.body
  assert.deepEqual(others, { name: body.file.filename, size: 5 })
  assert.equal(attached.headers.location, `/tickets/${params.id}/attachments/${id}`)
  const file = { params: { ...params, attachment: id } }
  const { headers, ...download } = await ada.downloadFile(file)
  assert.deepEqual(download.body, content)
  assert.ok(String(headers['content-disposition']).endsWith("''smoke%20%281%29%20%27%C3%A9%27.png"))
  refused(await ada.downloadFile({ params: { ...params, attachment: 999 } }), 404, 'no such attachment')
  refused(await bob.downloadFile(file), 404, 'no such ticket')
  refused(await bob.attachFile({ params, body }), 404, 'no such ticket')
  // The attachments are deleted first; the transaction brings them back.
  refused(await writer.deleteTicket({ params }), 409, 'close it first')
  assert.deepEqual((await ada.downloadFile(file)).body, content)
  await ada.changeTicket({ params, body: { status: 'closed' } })
  assert.equal((await writer.deleteTicket({ params })).status, 204)
  refused(await writer.deleteTicket({ params }), 404, 'no such ticket')
})

test('the export quotes what CSV and spreadsheets would misread', async () => {
  const text = 'It smells of burnt toast. '.repeat(40)
  await ticket(ada, '=HYPERLINK("https://evil.example"),\nsecond line', text)
  const { body } = await exporter.exportTickets()
  assert.ok(typeof body === 'string')
  assert.match(body, /^"id","customer","status","priority","assignee","created","title","text"\r\n/)
  assert.ok(body.endsWith(`,"'=HYPERLINK(""https://evil.example""),\nsecond line","${text}"\r\n`))
  const headers = { authorization: 'Bearer exporter', 'accept-encoding': 'gzip' }
  const compressed = await fetch('/tickets.csv', { headers })
  assert.equal(compressed.headers.get('content-encoding'), 'gzip')
  assert.equal(await compressed.text(), body)
  refused(await writer.exportTickets(), 403, 'tickets:export')
})

test('a signed mail becomes a ticket', async () => {
  const post = (body: object, key = secret) => {
    const signature = createHmac('sha256', key).update(JSON.stringify(body)).digest('hex')
    return send('/hooks/mail', { 'x-signature': `sha256=${signature}` }, JSON.stringify(body))
  }
  const mail = { from: 'bob@example.com', subject: 'By mail', text: 'Hello' }
  const { body } = await post(mail)
  const made = await bob.getTicket({ params: { id: body.ticket } })
  assert.partialDeepStrictEqual(made.body, { title: 'By mail' })
  refused(await post(mail, 'another secret'), 401, 'signature')
  refused(await send('/hooks/mail', { 'x-signature': 'é'.repeat(71) }, '{}'), 401, 'signature')
  refused(await post({ ...mail, from: 'nobody@example.com' }), 404, 'no account')
  refused(await post({ subject: 'no sender' }), 400, 'from')
})

test('changes are followed when they are committed, until the service ends', async () => {
  const following = ada.followTickets()
  // The status comes with the first event.
  while ((await Promise.race([following, 'none'])) === 'none') await ticket(ada, 'first')
  await ticket(bob, 'hidden')
  const it = await ticket(ada, 'followed')
  refused(await writer.deleteTicket(it), 409, 'close it first')
  await ada.changeTicket({ ...it, body: { status: 'closed' } })
  const { status, body } = await following
  assert.ok(status === 200)
  const all = Array.fromAsync(body, ({ event, data }) => `${event} ${data.title}`)
  const [events] = await Promise.all([all, app.close()])
  assert.deepEqual(events.slice(-2), ['created followed', 'changed followed'])
  assert.ok(!events.includes('created hidden'))
})

test('the service does not start without its secret, and --help names it', async () => {
  const options = { env: { WEBHOOK_SECRET: 'short' }, cwd: import.meta.dirname }
  const run = (...words: string[]) => spawnSync(process.execPath, ['../src/main.ts', ...words], options)
  assert.match(`${run().status} ${run().stderr}`, /^1 .*WEBHOOK_SECRET.* 32 characters/s)
  assert.match(String(run('--help').stdout), /WEBHOOK_SECRET +secret of the mail service/)
})
