/** A contract of 300 operations is compiled and served; types.test.ts checks its types. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { build } from 'esbuild'
import t from 'tap'
import { keepContract } from './compile-cache.ts'
import { generate, serve } from './drive.ts'
import type { Exchange } from './exchanges.ts'
import { exampleOf, largeContract, type Schema } from './large-contract.ts'

t.setTimeout(900_000)

t.test('the same options give the same document', async (t) => {
  const textOf = (seed?: string) =>
    JSON.stringify(largeContract({ operations: 50, ...(seed !== undefined && { seed }) }))
  t.equal(textOf(), textOf('large'))
  t.not(textOf('other'), textOf())
})

const document = largeContract({ operations: 300 })
const path = await keepContract('large', document)

t.test('a client of one operation has no code of another', async (t) => {
  const { files, folder, contract } = await generate(t, path)
  const operation = String(contract.operations[0]?.operationId)
  const code = [...files].filter(([name]) => name.endsWith('.js'))
  const size = code.reduce((sum, [, text]) => sum + text.length, 0)
  t.ok(size < 8_000_000, 'operations share the code of the schemas that they share', { size })
  const contents = `import { createClient } from ${JSON.stringify(resolve('src/engine/client.ts'))}
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

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>

const form = 'callback_url=https%3A%2F%2Fexample.org&events=a&events=b&seconds=60'
const exampleIn = (content: Content | undefined, hidden: 'readOnly' | 'writeOnly'): unknown => {
  const schema = content?.['application/json']?.schema
  return schema && exampleOf(schema, hidden, document.components.schemas)
}

/** Returns a valid exchange. Ids of resources are integers; the id of the domain comes first and is a text. */
function exchangeOf(method: string, path: string, { requestBody, responses }: Operation): Exchange {
  const url = path
    .replace(/\{[^{}]*\}/, 'a1')
    .replaceAll(/\{[^{}]*\}/g, '7')
    .replace(/\/search$/, '/search?q=x')
  const [status = '', response] = Object.entries(responses).find(([status]) => /^2\d\d$/.test(status)) ?? []
  const got = exampleIn(response?.content, 'writeOnly')
  const type = Object.keys(requestBody?.content ?? {}).at(-1) ?? 'application/json'
  const raw = type.endsWith('urlencoded')
    ? form
    : type.endsWith('octet-stream')
      ? Buffer.from([0, 255])
      : undefined
  return {
    send: `${method.toUpperCase()} ${url}`,
    headers: {
      ...{ authorization: 'Bearer good', accept: 'application/json' },
      ...(raw !== undefined && { 'content-type': type })
    },
    body: raw ?? exampleIn(requestBody?.content, 'readOnly'),
    answer: { status: Number(status), ...(got !== undefined && { body: got }) },
    want: Number(status),
    got
  }
}

t.test('every operation accepts and returns its examples', async (t) => {
  const { exchange } = await serve(t, (await generate(t, path)).contract)
  const wrong: object[] = []
  let count = 0
  for (const [path, { parameters: _, ...methods }] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods as Readonly<Record<string, Operation>>)) {
      const wanted = exchangeOf(method, path, operation)
      const { status, body, seen } = await exchange(wanted)
      const isGot = isDeepStrictEqual(body === '' ? undefined : JSON.parse(body), wanted.got)
      if (seen.operation !== operation.operationId || status !== wanted.want || !isGot)
        wrong.push({ seen, status, body })
      count++
    }
  t.strictSame([count, wrong], [300, []])
})
