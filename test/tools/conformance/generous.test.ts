/** Servers that read nearly right values as right ones, and others of which a single kind of value shows the defect. */
import t, { type Test } from 'tap'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { generous } from './generous.ts'
import { type Front, hostel, hostelServer } from './hostel.ts'
import { listening } from './shop-server.ts'

t.setTimeout(900_000)

async function findings(t: Test, front: Front, options: object) {
  const { url, close } = await listening(await hostelServer(front))
  t.teardown(close)
  return (await checkConformance({ ...hostel, url, ...options })).report
}

t.test('a strict hostel has no finding', async (t) => {
  const { findings: found } = await findings(t, {}, { requests: 20 })
  t.strictSame(
    found.map(({ message, curl }) => [message, curl]),
    []
  )
})

for (const [index, [defect, front, check, operation, message]] of generous.entries())
  t.test(`${check} at ${operation}: ${defect}`, async (t) => {
    const byChance = /forty/.test(defect)
    const { findings: found } = await findings(t, front, {
      only: [operation],
      seed: index,
      requests: byChance ? 200 : 0
    })
    t.ok(
      found.some(
        (each) => each.check === check && each.operation === operation && message.test(each.message)
      ),
      JSON.stringify(found.map((each) => each.message))
    )
  })
