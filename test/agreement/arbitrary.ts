/**
 * Makes random models, without features that TypeScript cannot express: bounds, and two kinds of number for one value.
 */
import fc from 'fast-check'
import type { Model, ObjectModel, Property } from './model.ts'

const formats = [
  ['date', '2024-02-29'],
  ['date-time', '2024-02-29T12:00:00Z'],
  ['uuid', '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e'],
  ['byte', 'aGk='],
  ['email', 'a@example.com'],
  ['ipv4', '127.0.0.1'],
  ['password', 'secret']
] as const

/** A string without or with listed values: TypeScript knows no formats. */
const plainWord: fc.Arbitrary<Model> = fc.oneof(
  fc.constant<Model>({ kind: 'string' }),
  fc.uniqueArray(fc.constantFrom('red', 'green', 'blue'), { minLength: 1 }).map(
    (values): Model => ({
      kind: 'enum',
      values
    })
  )
)
const word: fc.Arbitrary<Model> = fc.oneof(
  plainWord,
  fc.constantFrom(...formats).map(([format, sample]): Model => ({ kind: 'format', format, sample }))
)
const count: fc.Arbitrary<Model> = fc.oneof(
  fc.constantFrom<Model>({ kind: 'integer' }, { kind: 'number' }),
  fc
    .uniqueArray(fc.constantFrom(1, 2, 3), { minLength: 1 })
    .map((values): Model => ({ kind: 'enum', values }))
)
const flag = fc.constant<Model>({ kind: 'boolean' })
const int64 = fc.constant<Model>({ kind: 'int64' })

/** A model of one primitive type. */
export const primitive: fc.Arbitrary<Model> = fc.oneof(word, count, flag, int64)

/** Names of members; a name determines the numbers of its value: `i…` int64, others doubles. */
const names = ['a', 'b', 'c', 'ia', 'ib']

const isWide = (name: string): boolean => name.startsWith('i')

const nullable = (model: fc.Arbitrary<Model>): fc.Arbitrary<Model> =>
  fc.oneof(
    { weight: 3, arbitrary: model },
    {
      weight: 1,
      arbitrary: model.map((of): Model => (of.kind === 'nullable' ? of : { kind: 'nullable', of }))
    }
  )

function object(depth: number, some: readonly string[]): fc.Arbitrary<ObjectModel> {
  const property = fc
    .constantFrom(...some)
    .chain((name) =>
      fc.record({ name: fc.constant(name), required: fc.boolean(), model: value(depth - 1, isWide(name)) })
    )
  return fc
    .record({
      properties: fc.uniqueArray(property as fc.Arbitrary<Property>, {
        selector: ({ name }) => name,
        maxLength: 3
      }),
      undeclared: fc.subarray(['u', 'v'], { maxLength: 1 })
    })
    .map(({ properties, undeclared }) => ({ kind: 'object', properties, undeclared }))
}

function union(depth: number, wide: boolean): fc.Arbitrary<Model> {
  const branches = fc.tuple(
    fc.subarray([plainWord, wide ? int64 : count, flag], { minLength: 1 }),
    fc.constantFrom('none', 'list', 'object')
  )
  return branches.chain(([primitives, other]) => {
    const list = value(depth - 1, wide).map((items): Model => ({ kind: 'array', items }))
    const further = other === 'none' ? [] : [other === 'list' ? list : object(depth - 1, names)]
    return fc
      .record({
        keyword: fc.constantFrom('anyOf' as const, 'oneOf' as const),
        branches: fc.tuple(...primitives, ...further)
      })
      .map((parts): Model => ({ kind: 'union', ...parts }))
  })
}

/** @param wide true when the integers of the value are int64 */
function value(depth: number, wide: boolean): fc.Arbitrary<Model> {
  const leaf = fc.oneof(word, flag, wide ? int64 : count)
  if (depth <= 0) return nullable(leaf)
  const parts = fc.tuple(object(depth - 1, ['a', 'ia']), object(depth - 1, ['b', 'ib']))
  return nullable(
    fc.oneof(
      leaf,
      value(depth - 1, wide).map((items): Model => ({ kind: 'array', items })),
      object(depth, names),
      union(depth, wide),
      parts.map((list): Model => ({ kind: 'all', parts: list })),
      fc
        .record({
          to: object(depth - 1, ['a', 'ia']),
          sibling: fc.option(object(depth - 1, ['b', 'ib']), { nil: undefined })
        })
        .map((found): Model => ({ kind: 'reference', ...found }))
    )
  )
}

/** A model of any JSON value. */
export const anyModel: fc.Arbitrary<Model> = fc.boolean().chain((wide) => value(3, wide))

/** A model of values that a style of parameters can express as text. */
export const textModel: fc.Arbitrary<Model> = fc.oneof(
  primitive,
  primitive.map((items): Model => ({ kind: 'array', items }))
)
