/** No value contradicts a verdict without a line that breaks or is undecided: random pairs, values of both, and Ajv as the judge. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import { instancesOf } from '../../../src/tools/samples/samples.ts'
import { compared, withSchema } from './rows.ts'
import { editsOf, near, search } from './search.ts'

t.setTimeout(900_000)

const optional = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] })
const type = (name: string, members: Record<string, fc.Arbitrary<unknown>>) =>
  optional(members).map((schema) => ({ type: name, ...schema }))
const small = fc.integer({ min: 0, max: 3 })

const { schema } = fc.letrec<{ schema: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    type('string', { minLength: small, maxLength: small, pattern: fc.constantFrom('^a', 'b$', '^[a-z]+$') }),
    type('integer', { minimum: small, maximum: small }),
    type('number', { exclusiveMinimum: small, multipleOf: fc.constantFrom(0.5, 2) }),
    fc.constantFrom<unknown>(
      { enum: ['a', 1, null] },
      { const: 'a' },
      { type: ['string', 'null'] },
      {},
      { type: 'boolean' }
    )
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    type('object', {
      properties: optional({ a: tie('schema'), b: tie('schema') }),
      required: fc.constantFrom(['a'], ['b']),
      additionalProperties: fc.constantFrom<unknown>(false, { type: 'string' }),
      maxProperties: small
    }),
    type('array', { items: tie('schema'), minItems: small, maxItems: small, uniqueItems: fc.boolean() }),
    fc.record({ anyOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ oneOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ allOf: fc.tuple(tie('schema'), tie('leaf')) }),
    fc.record({ not: tie('leaf') })
  )
}))

const edited = fc.tuple(schema, fc.nat()).map(([one, index]) => {
  const edits = editsOf(one as Record<string, unknown>)
  return [one, edits[index % edits.length]] as const
})

/** A schema and a similar one: a union with it, a part of it, or the schema without one keyword. */
const pairs = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema).map(([one, other]) => [one, { anyOf: [other, one] }] as const),
  fc.tuple(schema, schema).map(([one, other]) => [{ allOf: [one, other] }, one] as const),
  schema.map((one) => [one, Object.fromEntries(Object.entries(one as object).slice(0, -1))] as const),
  edited,
  edited.map(([one, other]) => [other, one] as const)
)

const ajv = new Ajv2020({ strict: false, logger: false })
formats.default(ajv)
const document = { openapi: '3.1.0' }

/** Values of both schemas, and others near them. */
function valuesOf(schemas: readonly unknown[]): unknown[] {
  const made = schemas.flatMap((each) => {
    const instances = instancesOf(each as never, { document, direction: 'request' })
    try {
      return instances === undefined ? [] : fc.sample(instances, { seed: 1, numRuns: 8 })
    } catch {
      // A schema without values has no instances.
      return []
    }
  })
  return [...made, ...near({}), ...made.flatMap((value) => near(value))]
}

for (const role of ['request', 'response'] as const)
  t.test(`a ${role} that is said to stay valid has no value that is refused`, async (t) => {
    let included = 0
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        if (![one, other].every((each) => ajv.validateSchema(each as never))) return
        const ends = role === 'request' ? [one, other] : [other, one]
        const [old, now] = ends.map((each) => withSchema(role, each))
        const report = compared(old as never, now as never)
        const isQuiet = report.breaking.length + report.undecided.length === 0
        if (!isQuiet || report.compatible.some(({ rule }) => /-property-(added|removed)$/.test(rule))) return
        included++
        const [isSent, isReceived] = [one, other].map((each) => ajv.compile(each as never))
        // Ajv calls these methods of objects whose items are unique.
        const values = valuesOf([one, other]).filter(
          (value) => !/"(valueOf|toString)"/.test(JSON.stringify(value))
        )
        for (const value of values)
          if (isSent?.(value) && !isReceived?.(value)) throw new Error(JSON.stringify([value, report]))
      }),
      { seed: Number(process.env['SEED'] ?? 1), numRuns: Number(process.env['RUNS'] ?? 300) }
    )
    t.ok(included > 100, String(included))
  })

/** A share of the search; collection.test.ts makes all of it. */
for (const path of ['openapi.yaml', 'test/contracts/agreement.yaml'])
  t.test(`${path}: no edit is silent`, async (t) => {
    const found = await search({ path, edits: 15, seed: 5, values: 2 })
    t.strictSame(found.silent, [])
    t.ok(found.hurting > 0, `${found.hurting} of ${found.edits} edits hurt`)
  })
