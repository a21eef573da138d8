/** Schemas whose meaning TypeScript can express, as a small language for the text of a schema and of its values. */

export type Version = '3.0.3' | '3.1.0'

/** Model of a schema; a reference is the position of its target among the components. */
export type Model =
  | { readonly kind: 'string' | 'number' | 'integer' | 'int64' | 'boolean' }
  | { readonly kind: 'format'; readonly format: string; readonly sample: string }
  | { readonly kind: 'enum'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'array'; readonly items: Model }
  | ObjectModel
  | { readonly kind: 'union'; readonly keyword: 'anyOf' | 'oneOf'; readonly branches: readonly Model[] }
  | { readonly kind: 'all'; readonly parts: readonly ObjectModel[] }
  | { readonly kind: 'reference'; readonly to: ObjectModel; readonly sibling: ObjectModel | undefined }
  | { readonly kind: 'nullable'; readonly of: Model }

export interface ObjectModel {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** Names that are required but not declared. */
  readonly undeclared: readonly string[]
}

export interface Property {
  readonly name: string
  readonly required: boolean
  readonly model: Model
}

export type Schema = Record<string, unknown>

/** Collects the components to which the schemas of one contract refer. */
export class SchemaWriter {
  readonly components: Record<string, Schema> = {}
  readonly #version: Version

  constructor(version: Version) {
    this.#version = version
  }

  schema(model: Model): Schema {
    switch (model.kind) {
      case 'format':
        return { type: 'string', format: model.format }
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
export function objectsOf(model: Model, version: Version): ObjectModel[] {
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
