/** A contract of 300 operations is compiled and served; types.test.ts checks its types, test/round-trip one of 1,200. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { keepContract } from './compile-cache.ts'
import { generate, type Served, serve } from './drive.ts'
import { exampleExchanges } from './large/examples.ts'
import { type Document, largeContract } from './large-contract.ts'

const operations = 300
const document = largeContract({ operations })

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
