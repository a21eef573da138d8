/** No value contradicts the result of comparing two schemas: random pairs, samples of both, and Ajv as the judge. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import { casesOf } from '../../../../src/compiler/diff/cases/cases.ts'
import { samplesOf } from '../../../../src/compiler/diff/cases/samples.ts'
import { Side } from '../../../../src/compiler/diff/cases/side.ts'
import { Inclusion } from '../../../../src/compiler/diff/schemas/inclusion.ts'

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

/** A schema and a similar one: a union with it, a part of it, or the schema without one keyword. */
const pairs = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema).map(([one, other]) => [one, { anyOf: [other, one] }] as const),
  fc.tuple(schema, schema).map(([one, other]) => [{ allOf: [one, other] }, one] as const),
  schema.map((one) => [one, Object.fromEntries(Object.entries(one as object).slice(0, -1))] as const)
)

const ajv = new Ajv2020({ strict: false, logger: false })
formats.default(ajv)
const document = { openapi: '3.1.0' }

t.test('a schema that is said to be part of another has no value that the other refuses', async (t) => {
  let included = 0
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const [sent, received] = [new Side(document, false, 'request'), new Side(document, true, 'request')]
      const found = new Inclusion('request', sent, received).compare([one as never], [other as never], {
        spot: { node: one }
      })
      if (found.length > 0) return
      included++
      const [isSent, isReceived] = [ajv.compile(one as never), ajv.compile(other as never)]
      const values = [[one, sent] as const, [other, received] as const].flatMap(([each, side]) =>
        samplesOf(casesOf([each as never], side), side)
      )
      for (const value of values)
        if (isSent(value) && !isReceived(value)) throw new Error(JSON.stringify(value))
    }),
    { seed: 1, numRuns: 300 }
  )
  t.ok(included > 100, String(included))
})
