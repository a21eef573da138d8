/**
 * Correct servers have no finding: the depot, the shop with several seeds, the desk in several frameworks. `node
 * test/conformance/frameworks.ts` checks the desk in further ones.
 */
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { compiledShop } from './compiled-shop.ts'
import { depotServer } from './depot.ts'
import { deskToken } from './desk.ts'
import { kits, serverOf } from './kits.ts'
import { key, token } from './shop.ts'
import { expressServer, listening, plainServer } from './shop-server.ts'

t.setTimeout(900_000)
const { contract, model } = await compiledShop()
/** A seed for each server, because both answer alike. */
const servers = [
  ['node:http', plainServer, 1],
  ['Express', expressServer, 2]
] as const

for (const [name, server, seed] of servers)
  t.test(`a correct server in ${name} has no finding`, async (t) => {
    const { url, close } = await listening(server())
    t.teardown(close)
    const options = { contract, model, url, token, headers: { 'X-Key': key }, seed, requests: 10 }
    const { report, locked, unchecked } = await checkConformance(options)
    t.strictSame(report.findings, [])
    t.strictSame([locked, unchecked], [[], []])
    t.equal(report.operations, 7)
    t.ok(report.requests > 300)
  })

const desk = await compileInMemory('test/tools/conformance/desk.yaml')
/** Kits that are a part of others: of the proxy in front of node:http, and of Fastify, which routes by find-my-way. */
const partial = ['node:http', 'find-my-way']
for (const [name, kit] of Object.entries(kits).filter(([name]) => !partial.includes(name)))
  t.test(`a correct desk in ${name} has no finding, and every operation is seen`, async (t) => {
    const { url, close } = await listening(await serverOf(kit))
    t.teardown(close)
    const { report } = await checkConformance({ ...desk, url, token: deskToken, requests: 0 })
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

const depot = await compileInMemory('test/tools/conformance/depot.yaml')
t.test('a correct depot has no finding, and every operation is seen', async (t) => {
  const { url, close } = await listening(depotServer())
  t.teardown(close)
  const { report } = await checkConformance({ ...depot, url: new URL('/v2', url), requests: 20 })
  t.strictSame(report.findings, [])
  t.strictSame(report.coverage.operations.never, [])
  t.strictSame(report.coverage.parameters.never, [])
})

t.test('the same seed gives the same findings, also where ids are taken by the first run', async (t) => {
  const { url, close } = await listening(plainServer('limit has no bounds'))
  t.teardown(close)
  const options = { contract, model, url, token, headers: { 'X-Key': key }, seed: 3, requests: 0 }
  const found = async () => {
    const { findings } = (await checkConformance(options)).report
    return findings.map(({ check, operation, message }) => ({ check, operation, message }))
  }
  const first = await found()
  t.equal(first.length, 1)
  t.strictSame(await found(), first)
})

t.test('without credentials only their absence is checked', async (t) => {
  const { url, close } = await listening(plainServer())
  t.teardown(close)
  const { report, locked } = await checkConformance({ contract, model, url, requests: 20 })
  t.strictSame(report.findings, [])
  t.strictSame(
    locked,
    [
      'GET /items',
      'POST /items',
      'GET /items/{itemId}',
      'DELETE /items/{itemId}',
      'PUT /items/{itemId}/price'
    ].sort((a, b) => locked.indexOf(a) - locked.indexOf(b))
  )
})
