/**
 * A share of the round trip, which differs in what the contracts declare. `npm run round-trip` makes all of it, with more
 * values.
 */
import t from 'tap'
import { collection, roundTripOf } from './collection.ts'
import { emptyTally } from './round-trip.ts'

const share = [
  'plants',
  'parameter-styles',
  'int64',
  'forms',
  'media-types',
  'streams',
  'uploads',
  'read-write-only'
]

const contracts = await collection()
for (const name of share)
  t.test(`${name}: values come out as they went in`, async (t) => {
    const tally = emptyTally()
    await roundTripOf(name, String(contracts.get(name)), { values: 1, seed: 1, tally })
    t.strictSame(tally.differences, [])
    t.ok(tally.operations > 0 && tally.requests >= tally.operations && tally.responses > 0)
  })
