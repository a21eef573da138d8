/**
 * Schemas whose meaning TypeScript can express, as a small language for the text of a schema, random ones, and their values.
 */
import fc from 'fast-check'

export type Version = '3.0.3' | '3.1.0'

/** Model of a schema; a reference is the position of its target among the components. */
export type Model =
  | { readonly kind: 'string' | 'number' | 'integer' | 'int64' | 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'array'; readonly items: Model }
  | ObjectModel
  | { readonly kind: 'union'; readonly keyword: 'anyOf' | 'oneOf'; readonly branches: readonly Model[] }
  | { readonly kind: 'all'; readonly parts: readonly ObjectModel[] }
  | { readonly kind: 'reference'; readonly to: ObjectModel; readonly sibling: ObjectModel | undefined }
  | { readonly kind: 'nullable'; readonly of: Model }

interface ObjectModel {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** Names that are required but not declared. */
  readonly undeclared: readonly string[]
}

interface Property {
  readonly name: string
  readonly required: boolean
  readonly model: Model
}

type Schema = Record<string, unknown>

/** Collects the components to which the schemas of one contract refer. */
class SchemaWriter {
  readonly components: Record<string, Schema> = {}
  readonly #version: Version

  constructor(version: Version) {
    this.#version = version
  }

  schema(model: Model): Schema {
    switch (model.kind) {
      case 'int64':
        return { type: 'integer', format: 'int64' }
      case 'enum':
        return { type: typeof model.values[0], enum: model.values }
      case 'array':
        return { type: 'array', items: this.schema(model.items) }
      case 'object':
        return this.#object(model)
      case 'union':
        return { [model.keyword]: model.branches.map((branch) => this.schema(branch)) }
      case 'all':
        return { allOf: model.parts.map((part) => this.#object(part)) }
      case 'reference':
        return { ...this.#reference(model.to), ...this.#sibling(model.sibling) }
      case 'nullable':
        return this.#nullable(this.schema(model.of))
      default:
        return { type: model.kind }
    }
  }

  #object({ properties, undeclared }: ObjectModel): Schema {
    const required = [...properties.filter(({ required }) => required).map(({ name }) => name), ...undeclared]
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map(({ name, model }) => [name, this.schema(model)])),
      ...(required.length > 0 ? { required } : {})
    }
  }

  #reference(to: ObjectModel): Schema {
    const name = `C${Object.keys(this.components).length}`
    this.components[name] = {}
    this.components[name] = this.#object(to)
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Returns siblings of a reference, which have no effect in OpenAPI 3.0. */
  #sibling(sibling: ObjectModel | undefined): Schema {
    if (sibling === undefined) return {}
    return this.#version === '3.0.3' ? { nullable: true, type: 'string' } : this.#object(sibling)
  }

  #nullable(schema: Schema): Schema {
    if (this.#version === '3.0.3')
      return '$ref' in schema ? { nullable: true, allOf: [schema] } : { ...schema, nullable: true }
    if (typeof schema['type'] === 'string' && schema['enum'] === undefined && schema['$ref'] === undefined)
      return { ...schema, type: [schema['type'], 'null'] }
    return { anyOf: [schema, { type: 'null' }] }
  }
}

/** @returns the objects that apply to a value of the model in this version */
function objectsOf(model: Model, version: Version): ObjectModel[] {
  if (model.kind === 'object') return [model]
  if (model.kind === 'all') return [...model.parts]
  if (model.kind === 'union') return model.branches.flatMap((branch) => objectsOf(branch, version))
  if (model.kind === 'nullable') return objectsOf(model.of, version)
  if (model.kind !== 'reference') return []
  return model.sibling === undefined || version === '3.0.3' ? [model.to] : [model.to, model.sibling]
}

/** @returns the value as a handler has it: integers in places of int64 are bigints */
export function typed(model: Model, value: unknown, version: Version): unknown {
  if (typeof value === 'number') return isInt64(model) && Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) {
    const items = arrayOf(model)?.items
    return value.map((item) => (items === undefined ? item : typed(items, item, version)))
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = objectsOf(model, version).flatMap((object) => object.properties)
  const members = Object.entries(value).map(([name, member]) => {
    const property = properties.find((candidate) => candidate.name === name)
    return [name, property === undefined ? member : typed(property.model, member, version)]
  })
  return Object.fromEntries(members)
}

function isInt64(model: Model): boolean {
  if (model.kind === 'nullable') return isInt64(model.of)
  return model.kind === 'int64' || (model.kind === 'union' && model.branches.some(isInt64))
}

function arrayOf(model: Model): Extract<Model, { kind: 'array' }> | undefined {
  if (model.kind === 'array') return model
  if (model.kind === 'nullable') return arrayOf(model.of)
  return model.kind === 'union' ? model.branches.map(arrayOf).find((found) => found !== undefined) : undefined
}

const enumOf = (...values: (string | number)[]): fc.Arbitrary<Model> =>
  fc.subarray(values, { minLength: 1 }).map((values) => ({ kind: 'enum', values }))
const word = fc.oneof(fc.constant<Model>({ kind: 'string' }), enumOf('red', 'green', 'blue'))
const count = fc.oneof(fc.constantFrom<Model>({ kind: 'integer' }, { kind: 'number' }), enumOf(1, 2, 3))
const flag = fc.constant<Model>({ kind: 'boolean' })
const int64 = fc.constant<Model>({ kind: 'int64' })

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
    fc.subarray([word, wide ? int64 : count, flag], { minLength: 1 }),
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
    case 'enum':
      return fc.constantFrom(...model.values)
    case 'array':
      return fc.array(fitting(model.items, version), { minLength: 1, maxLength: 3 })
    case 'nullable':
      return fc.option(fitting(model.of, version))
    case 'union':
      return fc.oneof(...model.branches.map((branch) => fitting(branch, version)))
    default:
      return objectValue(model, version)
  }
}

function objectValue(model: Model, version: Version): fc.Arbitrary<unknown> {
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
    else Reflect.set(holder, last, replacement)
    return Reflect.get(copy, 'root')
  })
}

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]))]
}

/** Returns one contract: each model is the body and the answer of an operation. */
export function documentOf(bodies: readonly Model[], version: Version): object {
  const writer = new SchemaWriter(version)
  const paths = bodies.map((model, index) => [
    `/bodies/${index}`,
    { post: bodyOperation(index, writer.schema(model)) }
  ])
  return {
    openapi: version,
    info: { title: 'Agreement', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: writer.components }
  }
}

const json = (schema: Schema) => ({ 'application/json': { schema } })

/**
 * Returns an operation with the schema as its body, as a parameter in JSON, as its answer and as a header of the
 * answer.
 */
function bodyOperation(index: number, schema: Schema): object {
  return {
    operationId: `body${index}`,
    parameters: [{ name: 'q', in: 'query', content: json(schema) }],
    requestBody: { required: true, content: json(schema) },
    responses: {
      200: {
        description: 'the same value',
        headers: { 'X-Value': { required: true, content: json(schema) } },
        content: json(schema)
      }
    }
  }
}
