/**
 * Correct servers have no finding: the depot, and the desk in several frameworks. `node test/conformance/frameworks.ts`
 * checks the desk in further ones.
 */
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { depotServer } from './depot.ts'
import { deskToken } from './desk.ts'
import { deskServer } from './desk-server.ts'
import { kits, serverOf } from './kits.ts'
import { listening } from './listening.ts'

t.setTimeout(900_000)
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
  const { url, close } = await listening(deskServer('zero is refused'))
  t.teardown(close)
  const options = { ...desk, url, token: deskToken, seed: 3, only: ['/tickets*'], requests: 0 }
  const found = async () => {
    const { findings } = (await checkConformance(options)).report
    return findings.map(({ check, operation, message }) => ({ check, operation, message }))
  }
  const first = await found()
  t.equal(first.length, 1)
  t.strictSame(await found(), first)
})

t.test('without credentials only their absence is checked', async (t) => {
  const { url, close } = await listening(deskServer())
  t.teardown(close)
  const { report, checked, locked } = await checkConformance({ ...desk, url, requests: 20 })
  t.strictSame(report.findings, [])
  t.strictSame(
    checked.filter((name) => !locked.includes(name)),
    ['POST /login', 'GET /events']
  )
})
