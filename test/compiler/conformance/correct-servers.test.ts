/** Correct servers have no finding with any seed: one in plain `node:http`, one in Express. */
import t from 'tap'
import { checkConformance } from '../../../src/compiler/conformance.ts'
import { compiledShop } from './compiled-shop.ts'
import { key, token } from './shop.ts'
import { expressServer, listening, plainServer } from './shop-server.ts'

t.setTimeout(300_000)
const { contract, document } = await compiledShop()
/** Ten seeds, half of them for each server, because both answer alike. */
const servers = [
  ['node:http', plainServer, [1, 3, 5, 7, 9]],
  ['Express', expressServer, [2, 4, 6, 8, 10]]
] as const

for (const [name, server, seeds] of servers)
  t.test(`a correct server in ${name} has no finding with five seeds`, async (t) => {
    const { url, close } = await listening(server())
    t.teardown(close)
    for (const seed of seeds) {
      const options = { contract, document, url, token, headers: { 'X-Key': key }, seed, requests: 50 }
      const { report, locked, unchecked } = await checkConformance(options)
      t.strictSame(report.findings, [], `seed ${seed}`)
      t.strictSame([locked, unchecked], [[], []])
      t.equal(report.operations, 7)
      t.ok(report.requests > 200)
    }
  })

t.test('the same seed gives the same findings, also where ids are taken by the first run', async (t) => {
  const { url, close } = await listening(plainServer('limit has no bounds'))
  t.teardown(close)
  const options = { contract, document, url, token, headers: { 'X-Key': key }, seed: 3, requests: 60 }
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
  const { report, locked } = await checkConformance({ contract, document, url, requests: 20 })
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
