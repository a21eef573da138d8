/** A bounded part of the fuzzer; `node test/fuzz/fuzz.ts` runs 100,000 connections and 1,000,000 bodies. */
import t from 'tap'
import { fuzz } from './fuzz.ts'

t.setTimeout(900_000)

t.test(
  'changed connections and bodies cause no 5xx but 503, no error, and leave nothing behind',
  async (t) => {
    const { statuses, errors, connections, resident } = await fuzz({
      seed: 1,
      connections: 2000,
      bodies: 20_000
    })
    t.comment(statuses, resident)
    t.strictSame(
      Object.keys(statuses).filter((status) => status >= '500' && status !== '503'),
      []
    )
    t.ok(Number(statuses['200']) > 100 && Number(statuses['400']) > 100, 'both accepted and refused')
    t.strictSame(errors.slice(0, 3), [])
    t.equal(connections, 0)
    // The heap of a short run still grows to its usual size; only the long run shows further growth.
    t.ok(Math.max(...resident) <= 350, `${resident.join(', ')} MB`)
  }
)
