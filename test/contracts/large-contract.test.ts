/** A contract of 300 operations is compiled and served; types.test.ts checks its types, test/round-trip one of 1,200. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { keepContract } from './compile-cache.ts'
import { generate, type Served, serve } from './drive.ts'
import type { Exchange } from './exchange.ts'
import { exampleExchanges } from './large/example-exchange.ts'
import { type Document, largeContract } from './large-contract.ts'

const operations = 300
const document = largeContract({ operations })
const path = '/nurseries/a1/orders'
const examples = document.components['examples'] as Record<string, { readonly value: object }>
const draft = examples['NurseryOrderDraft']?.value
const order = examples['NurseryOrder']?.value

t.setTimeout(900_000)
t.test('the same options give the same document', async (t) => {
  const small = largeContract({ operations: 50 })
  const textOf = (seed?: string) =>
    JSON.stringify(largeContract({ operations: 50, ...(seed !== undefined && { seed }) }))
  t.ok(textOf() === JSON.stringify(small))
  t.ok(textOf('other') !== JSON.stringify(small))
  t.equal(exampleExchanges(small).size, 50)
})

t.test('a contract of 300 operations', async (t) => {
  const { files, folder, contract } = await generate(t, await keepContract('large', document))
  t.equal(contract.operations.length, operations)
  const code = [...files].filter(([name]) => name.endsWith('.js'))
  const size = code.reduce((sum, [, text]) => sum + text.length, 0)
  t.ok(size < 8_000_000, 'operations share the code of the schemas that they share', { size })
  const served = await serve(t, contract)

  await t.test('a client of one operation has no code of another', async (t) => {
    const operation = String(contract.operations[0]?.operationId)
    const client = JSON.stringify(resolve('src/engine/client.ts'))
    const contents = `import { createClient } from ${client}
import { ${JSON.stringify(operation)} as first } from './client.js'
export const client = createClient({ first })`
    const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' } as const
    const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: folder } })
    const text = String(outputFiles[0]?.text)
    t.match(text, operation)
    const others = contract.operations.filter(({ operationId }) => operationId !== operation)
    t.strictSame(
      others.filter(({ operationId }) => text.includes(JSON.stringify(operationId))),
      []
    )
    t.ok(text.length < 60_000, `${text.length} of ${size} characters`)
  })
  await t.test('every operation accepts and returns its examples', async (t) => {
    await acceptExamples(t, document, served)
  })
  await t.test('invalid requests are refused', async (t) => {
    for (const [name, exchange] of Object.entries(refused)) await check(t, name, exchange, served)
  })
  await t.test('handlers get decoded values', async (t) => {
    for (const [name, exchange] of Object.entries(accepted)) await check(t, name, exchange, served)
  })
})

async function acceptExamples(t: Test, document: Document, { exchange }: Served): Promise<void> {
  const wrong: object[] = []
  for (const [operation, wanted] of exampleExchanges(document)) {
    const { status, body, seen } = await exchange(wanted)
    const isGot = isDeepStrictEqual(body === '' ? undefined : JSON.parse(body), wanted.got)
    if (seen.operation === operation && status === wanted.want && isGot) continue
    wrong.push({ operation, seen, status, body })
  }
  t.strictSame(wrong, [])
}

async function check(t: Test, name: string, exchange: Exchange, served: Served): Promise<void> {
  const { status, headers, body, seen } = await served.exchange({
    headers: { authorization: 'Bearer good' },
    ...exchange
  })
  t.equal(status, exchange.want, name, { body, seen })
  if (exchange.message !== undefined) t.match(body, exchange.message, name)
  if (exchange.seen !== undefined) t.match(seen, exchange.seen, name)
  if (exchange.got !== undefined) t.strictSame(JSON.parse(body), exchange.got, name)
  if (exchange.gotHeaders !== undefined) t.match(headers, exchange.gotHeaders, name)
}

const refused: Readonly<Record<string, Exchange>> = {
  'a path that is not declared': { send: 'GET /nowhere', want: 404 },
  'a method that is not declared': {
    send: `TRACE ${path}`,
    want: 405,
    gotHeaders: { allow: 'GET, HEAD, POST' }
  },
  'no credential': { send: `DELETE ${path}/7`, headers: {}, want: 401 },
  'a wrong type in the query': {
    send: `GET ${path}?per_page=many`,
    want: 400,
    message: 'query/per_page must be integer'
  },
  'a shared path parameter': { send: `GET /nurseries/A1/orders`, want: 400, message: 'params/nursery_id' },
  'a wrong type in the body': {
    send: `POST ${path}`,
    body: { ...draft, name: 1 },
    want: 400,
    message: 'body/name must be string'
  },
  'a missing property': { send: `POST ${path}`, body: { name: 'First' }, want: 400, message: 'body/state' },
  'an empty patch': { send: `PATCH ${path}/7`, body: {}, want: 400 },
  'a wrong note deep in a thread': {
    send: `POST ${path}/7/notes`,
    body: { text: 'a', replies: [{ text: 'b', replies: [{ text: '' }] }] },
    want: 400,
    message: 'body/replies/0/replies/0/text'
  }
}

const accepted: Readonly<Record<string, Exchange>> = {
  'an escaped path and an undeclared query parameter': {
    send: `GET /nurseries/%61a11/orders/7?x=1`,
    answer: { status: 404, body: { code: 'none', message: 'No such order' } },
    want: 404,
    seen: { operation: 'nurseries/get-order', params: { nursery_id: 'aa11', order_id: 7n } }
  },
  'an int64 in a path': {
    send: `DELETE ${path}/9007199254740993`,
    want: 204,
    seen: { params: { order_id: 9007199254740993n } }
  },
  'what is not declared is not sent': {
    send: `GET ${path}/7`,
    answer: { status: 200, body: { ...order, undeclared: 1 } },
    want: 200,
    got: order
  }
}
