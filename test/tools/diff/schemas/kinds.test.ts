/** Each rule for schemas, with a pair of contracts and the report of the reverse edit. */
import t from 'tap'
import { schemaRules } from '../../../../src/tools/diff/schemas/rules.ts'
import { compared, ruleLines, withSchema } from '../pairs/documents.ts'
import { components, otherPairs, schemaPairs, undecidedPairs } from '../pairs/schema-pairs.ts'

t.setTimeout(900_000)

type Role = 'request' | 'response'
const seen = new Set<string>()

function lines(role: Role, one: unknown, other: unknown): string[] {
  const found = ruleLines(
    compared(withSchema(role, one, { components }), withSchema(role, other, { components }))
  )
  for (const line of found) seen.add(line.replace(/^\w+: /, ''))
  return found
}

for (const { narrowed, widened, narrow, wide, isLost } of schemaPairs) {
  t.test(`${narrowed}: requests may only widen, answers may only narrow`, async (t) => {
    t.strictSame(lines('request', wide, narrow), [`breaking: request-${narrowed}`])
    t.strictSame(lines('request', narrow, wide), [
      `${isLost ? 'undecided' : 'compatible'}: request-${widened}`
    ])
    t.strictSame(lines('response', narrow, wide), [`breaking: response-${widened}`])
    t.strictSame(lines('response', wide, narrow), [`compatible: response-${narrowed}`])
  })
}

for (const { rule, one, other, reverse = rule } of otherPairs) {
  t.test(`${rule}, and ${reverse} by the reverse edit`, async (t) => {
    for (const role of ['request', 'response'] as const) {
      t.match(lines(role, one, other), [new RegExp(`: ${role}-${rule}$`)])
      t.match(lines(role, other, one), [new RegExp(`: ${role}-${reverse}$`)])
    }
  })
}

for (const { rule, one, other } of undecidedPairs) {
  t.test(`${rule} is never silent`, async (t) => {
    t.ok(lines('request', one, other).includes(`undecided: request-${rule}`))
    t.ok(lines('response', other, one).includes(`undecided: response-${rule}`))
  })
}

t.test('read-only properties leave requests, write-only ones leave answers', async (t) => {
  const object = (property: unknown) => ({ type: 'object', properties: { a: property } })
  const [plain, readOnly, writeOnly] = [
    { type: 'string' },
    { type: 'string', readOnly: true },
    { type: 'string', writeOnly: true }
  ].map(object)
  t.strictSame(lines('request', plain, readOnly), ['breaking: request-property-hidden'])
  t.strictSame(lines('request', readOnly, plain), ['compatible: request-property-shown'])
  t.strictSame(lines('response', plain, writeOnly), ['undecided: response-property-hidden'])
  t.strictSame(lines('response', writeOnly, plain), ['compatible: response-property-shown'])
  t.strictSame(lines('response', plain, readOnly), [])
})

t.test('every rule of schemas has been reported above', async (t) => {
  t.ok(schemaRules.length > 130)
  t.strictSame(
    schemaRules.map(({ id }) => id).filter((id) => !seen.has(id)),
    []
  )
})
