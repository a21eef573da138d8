/** Every kind of request that a client can send to the service, over real sockets; each row names the response and the rule. */
import t, { type Test } from 'tap'
import contract from '../../generated/contract.ts'
import { buildApp } from '../../src/app.ts'
import type { Contract } from '../../src/engine/server.ts'
import { openStore } from '../../src/open-store.ts'
import { engineErrors, serviceErrors } from '../../src/plants/failures.ts'
import { variables } from '../../src/plants/product.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { createTokenVerifier, digestOf } from '../../src/service/credentials/tokens.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { type Exchange, exchange, type Response } from '../engine/server/transport/raw-client.ts'
import { everyPlant } from '../store/conformance.ts'
import { sleep } from '../time.ts'
import { auth } from './requests/auth.ts'
import { bodies } from './requests/bodies.ts'
import { http } from './requests/http.ts'
import { json } from './requests/json.ts'
import { chunked, head, post, type Row, token } from './requests/row.ts'

const tables = { json, bodies, auth, http }
const { validators } = await (contract as Contract).load()
const lines: string[] = []
const DATABASE_URL = `sqlite:${t.testdir()}/plants.db`
const store = await openStore(DATABASE_URL)
const app = await buildApp({
  config: readConfig({ AUTH_TOKENS: token, DATABASE_URL, REQUEST_TIMEOUT: '1500' }, variables),
  store,
  authenticate: createTokenVerifier([{ digest: digestOf(token), scopes: [] }]),
  log: createLog('trace', { write: (line) => void lines.push(line) })
})
const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
t.teardown(async () => {
  app.server.closeAllConnections()
  await app.close()
  await store.close()
})
const leaks =
  /fastify|node[:_]|ajv|llhttp|sqlite|select |insert |\.[jt]s\b|\/work|\/tmp|stack|\bat \w+ \(|undefined/i

const isShed = ({ status, body }: Response) => status === 503 && JSON.parse(body).error === 5030

/**
 * Sends a request; repeats it when the service sheds it, or takes a complete request for one that does not arrive, as it
 * does on a stalled machine.
 */
async function exchanged(text: string, enough?: number, row?: Row): Promise<Exchange> {
  const isLate = ({ status }: Response) => status === 408 && row !== undefined && row.error !== 4080
  for (;;) {
    const exchanged = await exchange(port, text, { wait: 8000, ...(enough && { enough }) })
    if (!exchanged.responses.some((response) => isShed(response) || isLate(response))) return exchanged
    await sleep(100)
  }
}

/** Headers of failures by their numbers. */
const headersOf: Readonly<Record<number, Row['headers']>> = {
  4010: { 'www-authenticate': /^Bearer realm="Plant Store"$/ },
  4011: { 'www-authenticate': /^Bearer realm="Plant Store", error="invalid_token"$/ },
  4050: { allow: /^POST$/ },
  4150: { accept: /^application\/json$/ }
}

/** Asserts the properties of every failure. */
function checkFailure(t: Test, { headers, body }: Response, row: Row): void {
  const text = Buffer.from(body, 'latin1').toString()
  const error = JSON.parse(text)
  t.equal(headers.get('content-type'), 'application/json', row.name)
  t.ok(validators['response_Error']?.call(undefined, error), `${row.name}: an Error of the contract`)
  t.same(Object.keys(error), ['error', 'message'], row.name)
  t.equal(error.error, row.error, `${row.name}: ${row.why}`)
  t.match(error.message, row.message ?? /./, row.name)
  t.notMatch(text, leaks, row.name)
  t.notOk(text.includes(token), `${row.name}: no token`)
  t.ok(text.length < 2000, `${row.name}: short`)
}

function checkPlant(t: Test, { headers, body }: Response, row: Row): void {
  t.equal(headers.get('content-type'), 'application/json', row.name)
  t.same(JSON.parse(Buffer.from(body, 'latin1').toString()), row.plant, row.name)
}

function check(t: Test, row: Row, { responses, ending }: Exchange): void {
  const final = responses.filter(({ status }) => status >= 200)
  const [response] = final
  t.equal(final.length, 1, `${row.name}: one response`)
  if (response === undefined) return
  const { error = 2000 } = row
  t.equal(response.status, Math.floor(error / 10), `${row.name}: ${row.why}`)
  t.ok(response.headers.get('date'), row.name)
  for (const [name, value] of Object.entries({ ...headersOf[error], ...row.headers }))
    t.match(response.headers.get(name), value, `${row.name}: ${name}`)
  if (row.ending !== undefined) t.equal(ending, row.ending, row.name)
  if (row.error === undefined) checkPlant(t, response, row)
  else checkFailure(t, response, row)
}

for (const [name, rows] of Object.entries(tables)) {
  t.test(`${name}: ${rows.length} requests`, async (t) => {
    const texts = rows.map(({ name }) => name)
    t.equal(new Set(texts).size, texts.length, 'every name is unique')
    const queue = [...rows]
    const worker = async () => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
        const text = Buffer.isBuffer(row.request) ? row.request.toString('latin1') : row.request
        check(t, row, await exchanged(text, row.ending === 'closed' ? undefined : 1, row))
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
  })
}

/**
 * Codes of failures that need another state of the service, or a defect. Other tests of this folder and of test/store
 * cause them.
 */
const notByOneRequest = [4002, 4030, 4060, 4120, 4290, 5000, 5001, 5010, 5030, 5031]

t.test('every failure that one request can cause is caused by a row', async (t) => {
  const answered = Object.values(tables).flatMap((rows) => rows.flatMap(({ error }) => error ?? []))
  const all = [...Object.values(engineErrors), ...Object.values(serviceErrors)]
  t.strictSame(new Set([...answered, ...notByOneRequest].sort()), new Set(all.sort()))
})

/** A request inside the body of a refused one. */
const hidden = post('{"id":-7,"name":"smuggled"}').toString('latin1')
const next = post('{"id":0,"name":"of 0"}').toString('latin1')

/** Returns the responses to the request and to two valid ones after it on the same connection. */
async function sendWithTwo(request: string | Buffer): Promise<readonly Response[]> {
  const text = request.toString('latin1') + next + next
  return (await exchanged(text, 3)).responses
}

t.test('a refused request leaves the connection usable, and its body is not read as a request', async (t) => {
  const refused: [string, string | Buffer, number][] = [
    ['invalid JSON', post('{'), 400],
    ['an invalid plant', post('{}'), 400],
    ['no token', post(hidden, { Authorization: undefined }), 401],
    ['a wrong token', post(hidden, { Authorization: 'Bearer x' }), 401],
    ['a wrong media type', post(hidden, { 'Content-Type': 'text/plain' }), 415],
    ['a coding', post(hidden, { 'Content-Encoding': 'gzip' }), 415],
    ['a wrong method', head('PUT /plants', { 'Content-Length': String(hidden.length) }) + hidden, 405],
    ['a wrong path', head('POST /x', { 'Content-Length': String(hidden.length) }) + hidden, 404],
    ['a bad URL', head('POST /%zz', { 'Content-Length': String(hidden.length) }) + hidden, 400],
    ['chunks of a wrong media type', chunked([hidden, hidden], { 'Content-Type': 'x/y' }), 415],
    ['too large', post(' '.repeat(1_200_000)), 413],
    ['too large in chunks', chunked([' '.repeat(600_000), ' '.repeat(600_000)]), 413]
  ]
  for (const [name, request, status] of refused) {
    const statuses = (await sendWithTwo(request)).map((response) => response.status)
    t.same(statuses, [status, 200, 200], name)
  }
})

t.test('every plant that was answered with 200 is stored exactly, and no other', async (t) => {
  const want = new Map(
    Object.values(tables)
      .flat()
      .flatMap((row) => (row.id === undefined ? [] : [[row.id, row.plant]]))
  )
  const stored = new Map<bigint, unknown>()
  for await (const { id, document } of everyPlant(store)) stored.set(id, JSON.parse(document))
  t.equal(stored.size, want.size)
  for (const [id, plant] of want) t.same(stored.get(id), plant, String(id))
})

t.test('the log holds no token', async (t) => {
  t.ok(lines.length > 0)
  t.notOk(lines.join('').includes(token))
})
