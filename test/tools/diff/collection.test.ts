/**
 * The random search in every contract of the collection: no value that was right before an edit is refused after it without a
 * line that breaks or is undecided.
 */
import t from 'tap'
import { collection } from '../../round-trip/collection.ts'
import { search } from './search.ts'

t.setTimeout(900_000)

/** Another seed searches elsewhere: `SEED=7 npm test -- test/tools/diff/collection.test.ts`. */
const seed = Number(process.env['SEED'] ?? 3)
const contracts = [...(await collection())].filter(([name]) => name !== 'large')
let hurting = 0
for (const [name, path] of contracts)
  t.test(`${name}: no edit is silent, seed ${seed}`, async (t) => {
    const found = await search({ path, edits: 15, seed, values: 8 })
    t.strictSame(found.silent, [])
    hurting += found.hurting
  })

t.test('many edits hurt', async (t) => {
  t.ok(hurting > 150, String(hurting))
})
