/** A large contract whose every schema changes is compared in time that grows with its size. */
import t from 'tap'
import { largeContract } from '../../contracts/large-contract.ts'
import { cpuGrowth } from '../../cpu-time.ts'
import { compared } from './pairs/documents.ts'

t.setTimeout(900_000)

/** Returns a large contract, and one whose texts have another limit. */
function pairOf(operations: number): Parameters<typeof compared> {
  const old = largeContract({ operations })
  const text = JSON.stringify(old).replaceAll('{"type":"string"', '{"maxLength":77,"type":"string"')
  return [old as never, JSON.parse(text)]
}

t.test('twice the operations take twice the time', async (t) => {
  const [small, large] = [pairOf(60), pairOf(120)]
  t.ok(compared(...large).breaking.length > 50)
  const growth = cpuGrowth(
    2,
    () => compared(...small),
    () => compared(...large)
  )
  t.ok(growth < 1.7, String(growth))
})
