/**
 * Second opinion: sends the valid requests of the contracts of test/contracts/ to this project and to
 * fastify-openapi-glue, and compares which handler is called with which values.
 */
import { resolve } from 'node:path'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../src/compiler/compiler.ts'
import { stringify } from '../../src/engine/json/exact-values.ts'
import { contractFiles } from '../contracts/contract-files.ts'
import { generate, type Served, serve } from '../contracts/drive.ts'
import { type Exchange, exchangesOf } from '../contracts/exchanges.ts'
import { type Difference, differences, unregistered } from './differences.ts'
import { type GlueServer, glueServer } from './glue-server.ts'

t.setTimeout(900_000)

let compared = 0
const seen = new Set<Difference>()

for (const [name, path] of contractFiles()) {
  t.test(name, async (t) => {
    const { contract } = await generate(t, path)
    const document = await documentOf(resolve(import.meta.dirname, '../contracts', path))
    const starting = glueServer(document, Object.keys(contract.securitySchemes))
    if (unregistered[name] !== undefined) {
      await t.rejects(starting, unregistered[name])
      return
    }
    await t.resolves(starting, 'registered by both')
    const glue = await starting
    t.teardown(() => glue.app.close())
    const served = await serve(t, contract)
    for (const exchange of exchangesOf(name).filter(isJson))
      await compare(t, name, { served, glue, exchange })
  })
}

t.test('enough is compared, and every listed difference exists', async (t) => {
  t.ok(compared > 150, `${compared} requests`)
  for (const difference of differences) t.ok(seen.has(difference), difference[2])
})

/** Returns the document as this project serves it: bundled and repaired. */
async function documentOf(path: string): Promise<object> {
  const { document } = await compileInMemory(path)
  return JSON.parse(stringify(document))
}

interface Pair {
  readonly served: Served
  readonly glue: GlueServer
  readonly exchange: Exchange
}

async function compare(t: Test, contract: string, { served, glue, exchange }: Pair): Promise<void> {
  const { operation, params, query, body } = (await served.exchange(exchange)).seen
  if (operation === undefined) return
  await inject(glue, exchange)
  const theirs = normal(glue.calls()[0])
  const ours = normal({ operation, params, query, body })
  compared++
  const known = differences.find(([name, request]) => name === contract && request.test(exchange.send))
  if (known !== undefined && JSON.stringify(ours) !== JSON.stringify(theirs)) seen.add(known)
  else t.strictSame(theirs, ours, exchange.send)
}

/** Other media types need a parser of the user's own in glue. */
const isJson = ({ headers = {} }: Exchange): boolean =>
  Object.entries(headers).every(
    ([name, value]) => name.toLowerCase() !== 'content-type' || /^application\/json$/i.test(String(value))
  )

function inject({ app }: GlueServer, { send, headers = {}, body }: Exchange) {
  const space = send.indexOf(' ')
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return app.inject({
    method: send.slice(0, space) as 'GET',
    url: send.slice(space + 1),
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) })
  })
}

/** Returns a call as plain data: members in order of their names, bigints as numbers, nothing for what is absent. */
function normal(call: object | undefined): unknown {
  const text = JSON.stringify(call ?? null, (_key, value: unknown) => {
    if (typeof value === 'bigint') return Number(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
  const { operation, params, query, body } = Object(JSON.parse(text))
  return { operation, params: params ?? {}, query: query ?? {}, body: body ?? {} }
}
