/** Values for a model: valid ones, and ones with one changed place. */
import fc from 'fast-check'
import { type Model, objectsOf, type Version } from './model.ts'

/** @returns values that fit the model */
export function fitting(model: Model, version: Version): fc.Arbitrary<unknown> {
  switch (model.kind) {
    case 'string':
      return fc.constantFrom('one', 'two words', 'ä€😀', '1', 'true', 'null')
    case 'number':
    case 'integer':
      return fc.constantFrom(0, 1, -7, 4096)
    case 'int64':
      return fc.constantFrom(0, 5, -7, 2 ** 40)
    case 'boolean':
      return fc.boolean()
    case 'format':
      return fc.constant(model.sample)
    case 'enum':
      return fc.constantFrom(...model.values)
    case 'array':
      return fc.array(fitting(model.items, version), { minLength: 1, maxLength: 3 })
    case 'nullable':
      return fc.option(fitting(model.of, version))
    case 'union':
      return fc.oneof(...model.branches.map((branch) => fitting(branch, version)))
    default:
      return object(model, version)
  }
}

function object(model: Model, version: Version): fc.Arbitrary<unknown> {
  const members = objectsOf(model, version).flatMap(({ properties, undeclared }) => [
    ...undeclared.map((name) => ({
      name,
      required: true,
      value: fc.constantFrom<unknown>(1, 'x', null, [true])
    })),
    ...properties.map(({ name, required, model }) => ({ name, required, value: fitting(model, version) }))
  ])
  return fc.record(Object.fromEntries(members.map(({ name, value }) => [name, value])), {
    requiredKeys: [...new Set(members.filter(({ required }) => required).map(({ name }) => name))],
    noNullPrototype: true
  })
}

/** @returns copies of a fitting value in which one place has another value, or a member is missing */
export function changed(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const other = fc.constantFrom<unknown>(null, 'other', 8, true, [], {}, [false], [[1]])
  return fc.tuple(value, fc.nat(), other).map(([found, place, replacement]) => {
    const places = placesIn(found)
    const path = places[place % places.length] ?? []
    const copy = structuredClone({ root: found }) as object
    const [last = 'root', ...before] = ['root', ...path].reverse()
    const holder = before.reverse().reduce((node, key) => Reflect.get(node, key) as object, copy)
    if (place % 3 === 0 && !Array.isArray(holder) && path.length > 0) Reflect.deleteProperty(holder, last)
    // Another text may have a different format, which TypeScript does not know.
    else if (
      typeof replacement !== 'string' ||
      !['string', 'null'].includes(kindOf(Reflect.get(holder, last)))
    )
      Reflect.set(holder, last, replacement)
    return Reflect.get(copy, 'root')
  })
}

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value)

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))]
}
