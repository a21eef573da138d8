/**
 * Correct servers have no finding: the depot, and the desk in several frameworks. `node test/conformance/frameworks.ts`
 * checks the desk in further ones.
 */
import { createHash } from 'node:crypto'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { listening } from './checked-server.ts'
import { httpServer } from './correct-servers.ts'
import { frontedServer, refusing, token } from './fronts.ts'
import { kits, serverOf } from './kits.ts'

t.setTimeout(900_000)
const desk = await compileInMemory('test/tools/conformance/desk.yaml')
/** Kits that are a part of others: of the proxy in front of node:http, and of Fastify, which routes by find-my-way. */
const partial = ['node:http', 'find-my-way']
for (const [name, kit] of Object.entries(kits).filter(([name]) => !partial.includes(name)))
  t.test(`a correct desk in ${name} has no finding, and every operation is seen`, async (t) => {
    const { url, close } = await listening(await serverOf(kit))
    t.teardown(close)
    const { report } = await checkConformance({ ...desk, url, token, requests: 0 })
    t.strictSame(report.findings, [])
    const { operations, statuses, mediaTypes, parameters } = report.coverage
    t.strictSame(
      [operations, statuses, parameters].map(({ never }) => never),
      [['POST /login'], ['POST /tickets 409', 'POST /login 200'], []]
    )
    t.strictSame(mediaTypes.never, [
      'POST /tickets 409 application/json',
      'POST /login body application/json',
      'POST /login 200 application/json'
    ])
  })

t.test('a correct depot has no finding, and every operation is seen', async (t) => {
  const depot = await compileInMemory('test/tools/conformance/depot.yaml')
  const { url, close } = await listening(httpServer('depot'))
  t.teardown(close)
  const { report } = await checkConformance({ ...depot, url: new URL('/v2', url), requests: 20 })
  t.strictSame(report.findings, [])
  t.strictSame([report.coverage.operations.never, report.coverage.parameters.never], [[], []])
})

t.test('the same seed gives the same findings, also where ids are taken by the first run', async (t) => {
  const { url, close } = await listening(
    await frontedServer(
      'desk',
      refusing(({ body }) => /"estimate":0[,}]/.test(body))
    )
  )
  t.teardown(close)
  const options = { ...desk, url, token, seed: 3, only: ['/tickets*'], requests: 0 }
  const found = async () => {
    const { findings } = (await checkConformance(options)).report
    return findings.map(({ check, operation, message }) => ({ check, operation, message }))
  }
  const first = await found()
  t.ok(first.length > 0)
  t.strictSame(await found(), first)
})

/** Operations with ids, bodies of two media types, queries, and credentials in a body. */
const only = ['/tickets', '/tickets/{ticketId}/comments', 'login', 'deleteTicket']

async function recorded(seed: number): Promise<readonly string[]> {
  const asked: string[] = []
  const server = httpServer('desk')
  server.prependListener('request', (request) => {
    const digest = createHash('sha256')
    const at = asked.push('') - 1
    request.on('data', (chunk) => digest.update(chunk))
    request.on('end', () => {
      const { host: _host, ...headers } = request.headers
      asked[at] = `${request.method} ${request.url} ${JSON.stringify(headers)} ${digest.digest('hex')}`
    })
  })
  const { url, close } = await listening(server)
  try {
    await checkConformance({ ...desk, url, token, seed, only, requests: 5 })
    return asked
  } finally {
    close()
  }
}

t.test('two runs with one seed send the same requests in the same order, other seeds others', async (t) => {
  const [first, second, other] = [await recorded(7), await recorded(7), await recorded(8)]
  t.ok(first.length > 500, String(first.length))
  t.strictSame(second, first)
  t.notSame(other, first)
})

t.test('without credentials only their absence is checked', async (t) => {
  const { url, close } = await listening(httpServer('desk'))
  t.teardown(close)
  const { report, checked, locked } = await checkConformance({ ...desk, url, requests: 20 })
  t.strictSame(report.findings, [])
  t.strictSame(
    checked.filter((name) => !locked.includes(name)),
    ['POST /login', 'GET /events']
  )
})
