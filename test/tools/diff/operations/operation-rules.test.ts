/** Each rule for everything except schemas, with a pair of contracts and the report of the reverse edit. */
import t from 'tap'
import { operationRules } from '../../../../src/tools/diff/operations/rules.ts'
import { compared, ruleLines } from '../pairs/documents.ts'
import { operationPairs } from '../pairs/operation-pairs.ts'

const listOf = (rule: string) => operationRules[rule as keyof typeof operationRules][0]
const seen = new Set<string>()

for (const { rule, reverse, old, now } of operationPairs) {
  t.test(`${rule}, and ${reverse} by the reverse edit`, async (t) => {
    const [there, back] = [ruleLines(compared(old, now)), ruleLines(compared(now, old))]
    t.ok(there.includes(`${listOf(rule)}: ${rule}`), there.join())
    t.ok(back.includes(`${listOf(reverse)}: ${reverse}`), back.join())
    for (const line of [...there, ...back]) seen.add(line.replace(/^\w+: /, ''))
  })
}

t.test('every rule of operations has been reported above', async (t) => {
  const names = Object.keys(operationRules)
  t.ok(names.length > 60)
  t.strictSame(
    names.filter((name) => !seen.has(name)),
    []
  )
})
