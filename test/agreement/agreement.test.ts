/** The type and the validator of a schema accept the same values, and values pass unchanged in both directions. */
import t from 'tap'
import { runBatch } from './batch.ts'

t.setTimeout(900_000)
for (const version of ['3.0.3', '3.1.0'] as const)
  t.test(`schemas of OpenAPI ${version}`, async (t) => {
    const { values, disagreements } = await runBatch(t, { version, seed: 14, schemas: 40 })
    t.strictSame(disagreements, [])
    t.ok(values > 400, 'verdicts of TypeScript', { values })
  })
