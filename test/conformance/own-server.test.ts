/** This project's own server has no finding. `node test/conformance/own-server.ts` sends more, on each store. */
import t from 'tap'
import { compileInMemory } from '../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../src/tools/conformance/conformance.ts'
import { start, token } from '../e2e/running.ts'

t.setTimeout(900_000)

t.test('the service has no finding, and a second run with the same seed neither', async (t) => {
  const { url } = await start(t)
  const { contract, model } = await compileInMemory('openapi.yaml')
  const options = { contract, model, url: new URL(url), token, requests: 100 }
  for (const run of [1, 2]) {
    const { report } = await checkConformance(options)
    t.strictSame(report.findings, [], `run ${run}`)
    t.ok(report.requests > 150, String(report.requests))
  }
})
