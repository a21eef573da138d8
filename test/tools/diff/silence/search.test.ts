/** A share of the random search: contracts that differ in what they declare. silence/collection.test.ts makes all of it. */
import t from 'tap'
import { search } from './search.ts'

t.setTimeout(900_000)

const seed = 5
const contracts = ['openapi.yaml', 'test/contracts/agreement.yaml']
for (const path of contracts)
  t.test(`${path}: no edit is silent, seed ${seed}`, async (t) => {
    const found = await search({ path, edits: 15, seed, values: 2 })
    t.strictSame(found.silent, [])
    t.ok(found.hurting > 0, `${found.hurting} of ${found.edits} edits hurt`)
  })
