/** Drives the service by its sockets: successes and refusals of every operation, and of the webhook. */
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const main = join(import.meta.dirname, '../src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'tickets-'))
const secret = 'a secret of the mail service, of 32 characters or more'
const settings = { PORT: '0', LOG_LEVEL: 'error', TRUST_PROXY: 'true', WEBHOOK_SECRET: secret }
const AUTH_TOKENS_FILE = join(import.meta.dirname, 'tokens')
const DATABASE_URL = `sqlite:${folder}/tickets.db`
const env = { ...process.env, ...settings, AUTH_TOKENS_FILE, DATABASE_URL }
const service = fork(main, { env, silent: true })
const [{ url }] = await once(service, 'message')
after(() => {
  service.kill()
  rmSync(folder, { recursive: true })
})

type Headers = Record<string, string>
const json = { 'content-type': 'application/json' }
const patch = { 'content-type': 'application/merge-patch+json' }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const [writer, reader, exporter] = [bearer('writer'), bearer('reader'), bearer('exporter')]

async function send(request: string, headers: Headers = {}, body?: unknown) {
  const [method = '', path = ''] = request.split(' ')
  const content = typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)
  const response = await fetch(url + path, { method, headers, ...(content && { body: content }) })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.includes('json')
  const parsed = isJson && JSON.parse(String(bytes))
  return { status: response.status, headers: response.headers, bytes, body: parsed }
}
type Answer = Awaited<ReturnType<typeof send>>

/** Asserts that an answer is a problem (RFC 9457) of this status, whose detail or errors hold the text. */
function refused({ status, headers, body }: Answer, expected: number, text: string) {
  const type = headers.get('content-type')
  assert.deepEqual([status, body.status, type], [expected, expected, 'application/problem+json'])
  assert.ok(JSON.stringify([body.detail, body.errors]).includes(text), JSON.stringify(body))
}

/** Opens an account, and returns the header of its session. */
async function customer(email: string): Promise<Headers> {
  const credentials = { email, password: 'correct horse battery' }
  assert.equal((await send('POST /customers', json, credentials)).status, 201)
  const { status, headers } = await send('POST /session', json, credentials)
  const [cookie = ''] = headers.getSetCookie()
  assert.match(`${status} ${cookie}`, /^204 session=[\w-]{32}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  return { cookie: cookie.split(';')[0] ?? '' }
}

/** Creates a ticket, and returns its path. */
async function ticket(session: Headers, title: string, text = ''): Promise<string> {
  const { status, headers, body } = await send('POST /tickets', { ...session, ...json }, { title, text })
  const location = headers.get('location') ?? ''
  assert.deepEqual([status, location, body.title, body.status], [201, `/tickets/${body.id}`, title, 'open'])
  return location
}

const ada = await customer('ada@example.com')
const bob = await customer('bob@example.com')

test('an address has one account, a session ends with the log-out', async () => {
  const again = { email: 'ADA@example.com', password: 'another password' }
  refused(await send('POST /customers', json, again), 409, 'an account already')

  const session = await customer('eve@example.com')
  const { status, headers } = await send('DELETE /session', session)
  assert.deepEqual([status, headers.getSetCookie()], [204, ['session=; Path=/; Max-Age=0']])
  refused(await send('GET /tickets', session), 401, 'credentials')
})

test('five wrong passwords close the door for their address alone', async () => {
  const wrong = { email: 'ada@example.com', password: 'not the password' }
  const from = (ip: string) => send('POST /session', { ...json, 'x-forwarded-for': ip }, wrong)
  for (let count = 0; count < 5; count++) refused(await from('192.0.2.1'), 401, 'password is wrong')
  const closed = await from('192.0.2.1')
  refused(closed, 429, 'too many requests')
  assert.equal(closed.headers.get('retry-after'), '60')
  refused(await from('192.0.2.2'), 401, 'password is wrong')
})

test('the list is walked by its cursor, the newest ticket first', async () => {
  const cleo = await customer('cleo@example.com')
  const created = []
  for (const title of ['a', 'b', 'c', 'd', 'e']) created.unshift(await ticket(cleo, title))
  const seen = []
  for (let next = ''; next !== undefined && seen.length <= created.length; ) {
    const { body } = await send(`GET /tickets?limit=2${next && `&cursor=${next}`}`, cleo)
    seen.push(...body.tickets.map(({ id }: { id: number }) => `/tickets/${id}`))
    next = body.next
  }
  assert.deepEqual(seen, created)
  await send(`PATCH ${created[0]}`, { ...cleo, ...patch }, { status: 'closed' })
  const { body } = await send('GET /tickets?status=closed', cleo)
  assert.deepEqual([body.tickets.length, body.tickets[0].title], [1, 'e'])
})

test('a ticket is seen by its customer and by agents', async () => {
  const path = await ticket(ada, 'The printer is on fire')
  for (const user of [ada, reader, writer]) assert.equal((await send(`GET ${path}`, user)).status, 200)
  refused(await send(`GET ${path}`, bob), 404, 'no such ticket')
  refused(await send(`GET ${path}`), 401, 'credentials')
  refused(await send(`GET ${path}`, exporter), 403, 'tickets:read')
  refused(await send('POST /tickets', { ...ada, ...json, origin: 'https://evil.example' }, {}), 403, 'origin')
})

test('a merge patch changes what it names, and null removes', async () => {
  const path = await ticket(ada, 'Slow network')
  const change = (user: Headers, body: object) => send(`PATCH ${path}`, { ...user, ...patch }, body)
  const assigned = await change(writer, { assignee: 'grace', priority: 'high' })
  assert.partialDeepStrictEqual(assigned.body, { title: 'Slow network', assignee: 'grace', priority: 'high' })
  const { body } = await change(writer, { assignee: null })
  assert.deepEqual([body.priority, 'assignee' in body], ['high', false])
  refused(await change(ada, { assignee: 'ada' }), 403, 'only agents')
  assert.equal((await change(ada, { status: 'closed' })).status, 200)
  refused(await change(ada, { title: 'x' }), 409, 'open it first')
  assert.equal((await change(ada, { status: 'open', title: 'x' })).body.title, 'x')
})

test('a file comes back as it was sent', async () => {
  const path = await ticket(ada, 'With a picture')
  const content = Buffer.from([0, 255, 13, 10, 128])
  const form = new FormData()
  form.append('file', new Blob([content]), "smoke (1) 'é'.png")
  const { status, headers, body } = await send(`POST ${path}/attachments`, ada, form)
  assert.partialDeepStrictEqual([status, body], [201, { name: "smoke (1) 'é'.png", size: 5 }])
  const file = headers.get('location') ?? ''
  const download = await send(`GET ${file}`, ada)
  assert.deepEqual(download.bytes, content)
  const disposition = "attachment; filename*=UTF-8''smoke%20%281%29%20%27%C3%A9%27.png"
  assert.equal(download.headers.get('content-disposition'), disposition)
  refused(await send(`GET ${path}/attachments/999`, ada), 404, 'no such attachment')
  refused(await send(`GET ${file}`, bob), 404, 'no such ticket')
  refused(await send(`POST ${path}/attachments`, bob, form), 404, 'no such ticket')

  // The attachments are deleted first; the transaction brings them back.
  refused(await send(`DELETE ${path}`, writer), 409, 'close it first')
  assert.deepEqual((await send(`GET ${file}`, ada)).bytes, content)
  await send(`PATCH ${path}`, { ...ada, ...patch }, { status: 'closed' })
  assert.equal((await send(`DELETE ${path}`, writer)).status, 204)
  refused(await send(`DELETE ${path}`, writer), 404, 'no such ticket')
})

test('the export quotes what CSV and spreadsheets would misread', async () => {
  const text = 'It smells of burnt toast. '.repeat(40)
  await ticket(ada, '=HYPERLINK("https://evil.example"),\nsecond line', text)
  const { headers, bytes } = await send('GET /tickets.csv', { ...exporter, 'accept-encoding': 'gzip' })
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  assert.equal(headers.get('content-encoding'), 'gzip')
  assert.match(String(bytes), /^"id","customer","status","priority","assignee","created","title","text"\r\n/)
  assert.ok(String(bytes).endsWith(`,"'=HYPERLINK(""https://evil.example""),\nsecond line","${text}"\r\n`))
  refused(await send('GET /tickets.csv', writer), 403, 'tickets:export')
})

test('a signed mail becomes a ticket', async () => {
  const post = (mail: unknown, key = secret) => {
    const body = JSON.stringify(mail)
    const signature = createHmac('sha256', key).update(body).digest('hex')
    return send('POST /hooks/mail', { ...json, 'x-signature': `sha256=${signature}` }, body)
  }
  const mail = { from: 'bob@example.com', subject: 'By mail', text: 'Hello' }
  const { status, body } = await post(mail)
  assert.equal(status, 201)
  assert.equal((await send(`GET /tickets/${body.ticket}`, bob)).body.title, 'By mail')
  refused(await post(mail, 'another secret'), 401, 'signature')
  refused(await send('POST /hooks/mail', { ...json, 'x-signature': 'é'.repeat(71) }, mail), 401, 'signature')
  refused(await post({ ...mail, from: 'nobody@example.com' }), 404, 'no account')
  refused(await post({ subject: 'no sender' }), 400, 'from')
})

test('the service does not start without its secret, and --help names it', async () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [main, ...words], { env: { ...env, WEBHOOK_SECRET: 'short' } })
  assert.match(`${run().status} ${run().stderr}`, /^1 .*WEBHOOK_SECRET.* 32 characters/s)
  assert.match(String(run('--help').stdout), /WEBHOOK_SECRET +secret of the mail service/)
})

test('changes are followed when they are committed, until the service ends', async () => {
  const opened: Response[] = []
  fetch(`${url}/tickets/events`, { headers: ada }).then((response) => opened.push(response))
  // The status comes with the first event.
  while (opened.length === 0) await ticket(ada, 'first')
  await ticket(bob, 'hidden')
  const path = await ticket(ada, 'followed')
  refused(await send(`DELETE ${path}`, writer), 409, 'close it first')
  await send(`PATCH ${path}`, { ...ada, ...patch }, { status: 'closed' })
  const exited = once(service, 'exit')
  service.kill('SIGTERM')
  const text = String(await opened[0]?.text())
  assert.match(text, /event: created\ndata: .*followed.*\n\nevent: changed\ndata: .*followed.*\n\n$/)
  assert.ok(!text.includes('hidden'))
  assert.deepEqual(await exited, [0, null])
})
