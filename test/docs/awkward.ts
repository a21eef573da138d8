/** Cases of a page of docs/tasks that it does not show: requests at the same time, crashes, broken texts. */

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import type { Test } from 'tap'
import { sleep, unstalled, until } from '../time.ts'
import type { PageProject } from './page-project.ts'

/** Project of a page, with SQLite or PostgreSQL. */
export interface Recipe {
  readonly project: PageProject
  /** Starts the service on a port that the page shows, in place of what listens there, and returns its URL. */
  readonly start: (port?: string, variables?: string) => Promise<string>
  /** Runs a statement on the database. */
  readonly rows: (query: string) => Promise<readonly object[]>
}

type Cases = (t: Test, recipe: Recipe) => Promise<void>

/** @param databaseUrl of PostgreSQL, as a page shows it; absent for the file of SQLite */
export function recipeOf(t: Test, project: PageProject, databaseUrl?: string): Recipe {
  const database = databaseUrl === undefined ? '' : `DATABASE_URL=${databaseUrl} `
  const file = join(project.folder, 'data/lending.db')
  return {
    project,
    start: async (port = '3000', variables = '') => {
      const command = `PORT=${port} ${database}${variables} npm start`.replace('  ', ' ')
      const output = `…\n  service  http://127.0.0.1:${port}\n…`
      const outcome = await project.follow({ kind: 'command', command, output })
      t.match(outcome?.found, outcome?.wanted, command)
      return project.url(port)
    },
    rows: (query) => (databaseUrl === undefined ? rowsOfFile(file, query) : rowsOfServer(project, query))
  }
}

async function rowsOfFile(file: string, query: string): Promise<readonly object[]> {
  using database = new DatabaseSync(file, { timeout: 5_000 })
  return database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }))
}

async function rowsOfServer(project: PageProject, query: string): Promise<readonly object[]> {
  const client = new Client({ connectionString: project.database })
  await client.connect()
  return client
    .query(query)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const counts = <T>(values: readonly T[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Map.groupBy(values, String)
      .entries()
      .map(([key, { length }]) => [key, length])
  )

async function borrow(url: string, isbn: string, key: string, card = 'card-of-ada'): Promise<number> {
  const answer = await fetch(`${url}/loans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${card}`, 'idempotency-key': key },
    body: JSON.stringify({ isbn })
  })
  await answer.text()
  if (answer.status !== 503) return answer.status
  // A busy machine delays the event loop, and the service sheds load: a client comes back.
  await sleep(200)
  return borrow(url, isbn, key, card)
}

/** Variables that the service of a page needs. */
export const variables: Readonly<Record<string, string>> = {
  'outbox.md': 'SUBSCRIBER_URL=http://127.0.0.1:4000/ SUBSCRIBER_SECRET=secret',
  'background.md': 'LOAN_DAYS=0'
}

interface Page {
  readonly books: readonly { readonly isbn: string }[]
  readonly next?: string
}

export const awkward: Readonly<Record<string, Cases>> = {
  'idempotency.md': async (t, { project, start, rows }) => {
    const url = await project.url()
    const other = await start('3001')
    const together = Array.from({ length: 20 }, (_, index) => borrow(index % 2 ? url : other, '3', 'c'))
    t.strictSame(
      counts(await Promise.all(together)),
      { 201: 20 },
      'one key at the same time, in two processes'
    )
    t.strictSame(
      counts(await Promise.all([borrow(url, '4', 'd'), borrow(other, '5', 'd')])),
      { 201: 1, 422: 1 },
      'one key for two bodies at the same time'
    )
    t.equal(await borrow(url, '6', ''), 400, 'a key is required')
    t.equal(await borrow(url, '3', 'e'), 409)
    t.equal(await borrow(url, '7', 'e'), 201, 'a refusal leaves the key free')

    const isbns = Array.from({ length: 300 }, (_, index) => `crash-${index}`)
    let answered = 0
    let killed: Promise<unknown> | undefined
    const lend = async (isbn: string) => {
      const status = await borrow(url, isbn, isbn).catch(() => 0)
      answered += 1
      if (answered === 20) killed = project.stop('3000', 'SIGKILL')
      return status
    }
    const all = () => Promise.all(isbns.map(lend))
    t.ok((await all()).includes(0), 'it is killed in the middle')
    await killed
    await start()
    t.strictSame(counts(await all()), { 201: isbns.length }, 'each request is repeated after a crash')
    const stored = await rows(`SELECT isbn FROM loans WHERE isbn LIKE 'crash-%'`)
    t.equal(stored.length, isbns.length)
  },

  'cursors.md': async (t, { project, rows }) => {
    const url = await project.url()
    const page = async (query: string) => {
      const answer = await fetch(`${url}/books?${query}`)
      return { status: answer.status, body: (await answer.json()) as Page }
    }
    const encoded = (text: string) => Buffer.from(text).toString('base64url')
    const broken = [
      ...['', 'x', '%FF', 'W10', 'x'.repeat(3_000), `${encoded('["Matilda","9780142410318"]')}=`],
      ...['null', '["a"]', '["a",7]', '["a","b","c"]', '["\\u0000","b"]', '['.repeat(700)].map(encoded),
      encoded('["Matilda","9780142410318"]').slice(0, -3)
    ]
    for (const cursor of broken) t.equal((await page(`cursor=${cursor}`)).status, 400, cursor.slice(0, 60))

    const titles = [`''`, '"', 'é', '日本', '😀', 'Zz', '\\u0000', '']
    const added = titles.flatMap((title, index) => [`('${index}1', '${title}')`, `('${index}2', '${title}')`])
    const add = (values: string) => rows(`INSERT INTO books (isbn, title) VALUES ${values}`)
    await add(added.join())
    const before = (await rows('SELECT isbn FROM books ORDER BY title, isbn')).map(
      ({ isbn }: { isbn?: string }) => isbn
    )
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { status, body } = await page(`limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      t.equal(status, 200)
      seen.push(...body.books.map(({ isbn }) => isbn))
      cursor = body.next
      // The last book of the page goes, and another one comes before it.
      if (seen.length === 5) await rows(`DELETE FROM books WHERE isbn = '${seen.at(-1)}'`)
      if (seen.length === 7) await add(`('late', '')`)
    } while (cursor !== undefined)
    t.strictSame(seen, before, 'each book once, while others come and go')
  },

  'outbox.md': async (t, { project, start, rows }) => {
    const waiting = () => rows('SELECT id, attempts FROM outbox')
    const hurry = () => rows('UPDATE outbox SET due = 0')
    await until(async () => (await waiting()).length === 0)
    await project.stop('4000')
    const url = await project.url()
    await Promise.all(['2', '3', '4'].map((isbn) => borrow(url, isbn, '')))
    t.equal(await borrow(url, '2', ''), 500, 'a change that fails')
    t.equal((await waiting()).length, 3, 'leaves no message')
    await project.stop('3000', 'SIGKILL')
    await start('3000', variables['outbox.md'])
    t.equal((await waiting()).length, 3, 'messages outlive a crash')

    const subscriber = await subscribe(t, project)
    await until(async () => (await hurry()).length + (await waiting()).length === 0)
    t.strictSame(counts(subscriber.bodies()), counts(['2', '3', '4'].map(loan)))
    t.ok(subscriber.received.every(({ isSigned }) => isSigned))

    subscriber.reset('ok')
    await start('3001', variables['outbox.md'])
    const isbns = Array.from({ length: 40 }, (_, index) => `both-${index}`)
    await Promise.all(isbns.map((isbn) => borrow(url, isbn, '')))
    await until(async () => (await waiting()).length === 0)
    t.strictSame(subscriber.bodies().sort(), isbns.map(loan).sort(), 'two processes send each message once')
    await project.stop('3001')

    subscriber.reset('hang')
    await borrow(url, 'hanging', '')
    await until(() => subscriber.received.length === 1)
    await project.stop('3000', 'SIGKILL')
    subscriber.reset('ok')
    await start('3000', variables['outbox.md'])
    await sleep(1_200)
    t.strictSame(subscriber.bodies(), [], 'the claim of a process that has died holds for a minute')
    await hurry()
    await until(() => subscriber.received.length === 1)
    t.strictSame(subscriber.received[0]?.key, subscriber.all.at(-2)?.key, 'the message keeps its key')

    subscriber.reset('hang')
    await until(async () => (await waiting()).length === 0)
    await borrow(url, 'ending', '')
    await until(() => subscriber.received.length === 1)
    t.match(await project.stop('3000'), '"stopped"', 'a shutdown ends an attempt')
    t.match(await waiting(), [{ attempts: 1 }], 'whose message stays')
    await start('3000', variables['outbox.md'])
  },

  'ranges.md': async (t, { project }) => {
    const url = `${await project.url()}/books/9780140328721/scan`
    const get = async (headers: Readonly<Record<string, string>>, method = 'GET') => {
      const answer = await fetch(url, { method, headers })
      return {
        status: answer.status,
        range: answer.headers.get('content-range'),
        length: answer.headers.get('content-length'),
        etag: String(answer.headers.get('etag')),
        text: await answer.text()
      }
    }
    const whole = { status: 200, range: null, length: '10', text: 'abcdefghij' }
    const part = (start: number, end: number) => ({
      status: 206,
      range: `bytes ${start}-${end}/10`,
      length: String(end - start + 1),
      text: 'abcdefghij'.slice(start, end + 1)
    })
    const none = { status: 416, range: 'bytes */10' }
    const { etag } = await get({})
    const table: readonly (readonly [range: string, want: object])[] = [
      ['bytes=3-', part(3, 9)],
      ['bytes=0-99', part(0, 9)],
      ['bytes=-1', part(9, 9)],
      ['BYTES=1-2', part(1, 2)],
      [`bytes=1-${'9'.repeat(400)}`, part(1, 9)],
      ['bytes=10-', none],
      ['bytes=-0', none],
      [`bytes=${'9'.repeat(400)}-`, none],
      ['bytes=5-4', whole],
      ['bytes=0-1,3-4', whole],
      ['bytes=-', whole],
      ['items=0-1', whole],
      ['bytes=0x1-2', whole]
    ]
    for (const [range, want] of table) t.match(await get({ range }), want, range.slice(0, 30))
    const range = 'bytes=1-2'
    t.match(await get({ range, 'if-range': etag }), part(1, 2), 'If-Range with the tag')
    for (const other of ['"another"', `W/${etag}`, new Date().toUTCString(), etag.replaceAll('"', '')])
      t.match(await get({ range, 'if-range': other }), whole, `If-Range: ${other}`)
    t.match(await get({ range }, 'HEAD'), { ...whole, text: '' }, 'HEAD has no parts')
    t.match(await get({ range, 'if-none-match': etag }), { status: 304, text: '' }, 'comes first')
    t.match(await get({ range, 'if-none-match': '"another"' }), part(1, 2))

    const file = join(project.folder, 'data/9780140328721.pdf')
    const large = Buffer.alloc(50_000_000, 'x')
    writeFileSync(`${file}.part`, large)
    const before = await fetch(url, { headers: { range: 'bytes=4-' } })
    renameSync(`${file}.part`, file)
    t.equal(await before.text(), 'efghij', 'a part of the file that was there at the beginning')
    t.match(
      await get({ range: 'bytes=0-0', 'if-range': etag }),
      { status: 200, length: '50000000' },
      'the file is another one'
    )
    const leaving = new AbortController()
    const left = await fetch(url, { signal: leaving.signal })
    leaving.abort()
    await left.text().catch(() => undefined)
    writeFileSync(`${file}.part`, '')
    renameSync(`${file}.part`, file)
    t.match(await get({}), { status: 200, length: '0', text: '' }, 'an empty file')
    for (const asked of ['bytes=0-', 'bytes=-1'])
      t.match(await get({ range: asked }), { status: 416, range: 'bytes */0' })
    unlinkSync(file)
    t.match(await get({ range }), { status: 404 })
  },

  'rate-limits.md': async (t, { project, start, rows }) => {
    const url = await project.url()
    const other = await start('3001')
    const next = () => rows('UPDATE uses SET minute = minute - 1')
    const together = async () => {
      await next()
      const minute = Math.floor(Date.now() / 60_000)
      const statuses = Array.from({ length: 20 }, (_, index) => borrow(index % 2 ? url : other, '1', ''))
      const found = counts(await Promise.all(statuses))
      return { found, isSpoilt: minute !== Math.floor(Date.now() / 60_000) }
    }
    const { found } = await unstalled(0, together, ({ isSpoilt }) => isSpoilt)
    t.strictSame(found, { 201: 5, 429: 15 }, 'requests at the same time, in two processes')
    t.equal(await borrow(url, '1', '', 'card-of-bob'), 403, 'another user is not concerned')
    t.equal((await fetch(`${url}/books/9780140328721`)).status, 200, 'nor an operation without a limit')
    await next()
    t.equal(await borrow(url, '1', ''), 201, 'a minute later')
  },

  'call-a-service.md': async (t, { project, start }) => {
    const url = await project.url()
    await project.stop('4000')
    writeFileSync(join(project.folder, 'otel.mjs'), provider)
    await start('3000', 'NODE_OPTIONS=--import=./otel.mjs STOCK_URL=http://127.0.0.1:4000')
    const ask = async (traceparent = '') => {
      const answer = await fetch(`${url}/loans`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer card-of-ada', traceparent },
        body: '{"isbn":"1"}'
      })
      return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
    }
    const away = { status: 503, retry: '5', text: /the stock does not answer/ }
    t.match(await ask(), away, 'nobody listens')
    let respond = (_response: ServerResponse): unknown => undefined
    let trace: string | string[] | undefined
    await listen(t, project, (request, response) => {
      trace = request.headers['traceparent']
      respond(response)
    })
    const json = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' })
    const answers: readonly (readonly [what: string, respond: typeof respond, want: object])[] = [
      ['a copy is free', (response) => json(response).end('{"free":1}'), { status: 201 }],
      ['none is free', (response) => json(response).end('{"free":0}'), { status: 409 }],
      ['it has no such book', (response) => response.writeHead(404).end(), { status: 409 }],
      ['an answer that breaks the contract', (response) => json(response).end('{"free":-1}'), away],
      ['an undeclared status', (response) => response.writeHead(500).end('<html>'), away],
      ['it is cut off', (response) => json(response).write('{"fr', () => response.destroy()), away],
      ['it hangs', () => undefined, away]
    ]
    for (const [what, given, want] of answers) {
      respond = given
      t.match(await ask(), want, what)
    }
    const id = '4bf92f3577b34da6a3ce929d0e0e4736'
    await ask(`00-${id}-00f067aa0ba902b7-01`)
    t.match(trace, new RegExp(`^00-${id}-`), 'the trace goes on')
  },

  'background.md': async (t, { project, start, rows }) => {
    const url = await project.url()
    const loans = async () => (await rows('SELECT isbn FROM loans')).length
    await start('3001', 'LOAN_DAYS=0')
    for (const isbn of ['2', '3', '4']) t.equal(await borrow(url, isbn, ''), 201)
    await until(async () => (await loans()) === 0)
    await rows('ALTER TABLE loans RENAME TO hidden')
    const isLogged = async () =>
      /loans could not be ended/.test(String((await project.follow({ kind: 'shown', text: '' }))?.found))
    await until(isLogged)
    await rows('ALTER TABLE hidden RENAME TO loans')
    t.equal(await borrow(url, '5', ''), 201)
    await until(async () => (await loans()) === 0)
    for (const port of ['3000', '3001']) t.match(await project.stop(port), '"stopped"')
    const dated = `INSERT INTO loans (isbn, card, since) VALUES ('old', 'ada', ${Date.now() - 29 * 86_400_000}), ('new', 'ada', ${Date.now() - 86_400_000})`
    await rows(dated)
    await start()
    await until(async () => (await loans()) === 1)
    t.strictSame(await rows('SELECT isbn FROM loans'), [{ isbn: 'new' }])
    await project.stop('3000', 'SIGKILL')
    await rows(`UPDATE loans SET since = 0`)
    await start()
    await until(async () => (await loans()) === 0)
  }
}

const provider = `import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(new BasicTracerProvider())
`

const loan = (isbn: string): string => JSON.stringify({ isbn, card: 'ada' })

/** Listens in place of the program on port 4000 of the page. */
async function listen(t: Test, project: PageProject, listener: RequestListener): Promise<void> {
  const server = createServer(listener)
  const { port } = new URL(await project.url('4000'))
  await once(server.listen(Number(port), '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
}

interface Received {
  readonly key: string | string[] | undefined
  readonly body: string
  readonly isSigned: boolean
}

/** A subscriber that answers with a text, or does not answer. */
async function subscribe(t: Test, project: PageProject) {
  const all: Received[] = []
  let received: Received[] = []
  let mode: 'ok' | 'hang' = 'ok'
  await listen(t, project, async ({ headers }, response) => {
    const body = await text(response.req)
    const isSigned = headers['x-signature'] === createHmac('sha256', 'secret').update(body).digest('hex')
    for (const list of [received, all]) list.push({ key: headers['idempotency-key'], body, isSigned })
    if (mode === 'ok') response.end('thank you')
  })
  return {
    all,
    get received() {
      return received
    },
    bodies: () => received.map(({ body }) => body),
    reset: (next: typeof mode) => {
      mode = next
      received = []
    }
  }
}
