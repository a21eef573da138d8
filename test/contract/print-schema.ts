/** Prints schemas as JSON Schema draft 2020-12. */
import { escapePointer } from '@contract-first/engine/json'
import {
  type Discriminator,
  type Json,
  type JsonObject,
  present,
  type Schema
} from '../../src/contract/contract.ts'

/** Returns a reference to a component (RFC 6901, section 6). */
export const componentReference = (section: string, name: string): string =>
  `#/components/${section}/${escapePointer(name).replaceAll('%', '%25')}`

/** Keywords whose value is the same in a document. */
const plain = [
  ...['title', 'description', 'const', 'enum', 'default', 'format', 'deprecated', 'readOnly', 'writeOnly'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'xml']
]

/** Members that hold a schema, or a list of schemas, and their keywords. */
const single = [
  ['items', 'items'],
  ['unevaluatedItems', 'unevaluatedItems'],
  ['additional', 'additionalProperties'],
  ['unevaluatedProperties', 'unevaluatedProperties'],
  ['names', 'propertyNames'],
  ['not', 'not'],
  ['if', 'if'],
  ['then', 'then'],
  ['else', 'else']
] as const
const lists = [
  ['prefix', 'prefixItems'],
  ['allOf', 'allOf'],
  ['anyOf', 'anyOf'],
  ['oneOf', 'oneOf']
] as const
const maps = ['properties', 'dependentSchemas'] as const

export class SchemaPrinter {
  readonly #components: ReadonlyMap<string, Schema>
  readonly #names = new Map<Schema, string>()
  /** Schemas that are referred to and are no components, by the names that they get. */
  readonly #further = new Map<string, Schema>()

  constructor(components: ReadonlyMap<string, Schema>) {
    this.#components = components
    for (const [name, schema] of components) this.#names.set(schema, name)
  }

  /** Returns all components; call it last. */
  components(): JsonObject {
    const printed: [string, Json][] = [...this.#components].map(([name, each]) => [name, this.schema(each)])
    // Printing one may add further ones.
    for (const [name, schema] of this.#further) printed.push([name, this.schema(schema)])
    return Object.fromEntries(printed)
  }

  schema(schema: Schema): Json {
    if (schema.never === true) return false
    const printed: Record<string, Json | undefined> = {}
    if (schema.ref !== undefined) printed['$ref'] = this.#reference(schema.ref)
    const { types, required, pattern, contains, content, patterns, dependentRequired, discriminator } = schema
    if (types !== undefined) printed['type'] = types.size === 1 ? ([...types][0] ?? '') : [...types]
    for (const name of plain) printed[name] = Reflect.get(schema, name)
    printed['pattern'] = pattern?.source
    printed['required'] = required && [...required]
    printed['contentEncoding'] = content?.encoding
    printed['contentMediaType'] = content?.mediaType
    if (content?.schema !== undefined) printed['contentSchema'] = this.schema(content.schema)
    if (contains !== undefined) {
      printed['contains'] = this.schema(contains.schema)
      printed['minContains'] = contains.min
      printed['maxContains'] = contains.max
    }
    for (const [name, keyword] of single) {
      const inner = schema[name]
      if (inner !== undefined) printed[keyword] = this.schema(inner)
    }
    for (const [name, keyword] of lists) printed[keyword] = schema[name]?.map((each) => this.schema(each))
    for (const name of maps) printed[name] = schema[name] && this.#map(schema[name])
    printed['patternProperties'] =
      patterns && this.#map(new Map(patterns.map((each) => [each.pattern.source, each.schema])))
    printed['dependentRequired'] = dependentRequired && Object.fromEntries(dependentRequired)
    printed['discriminator'] = discriminator && this.#discriminator(discriminator)
    if (schema.examples.length > 0) printed['examples'] = schema.examples.map(({ value }) => value ?? null)
    return { ...present(printed), ...schema.extensions }
  }

  #map(schemas: ReadonlyMap<string, Schema>): Json {
    return Object.fromEntries([...schemas].map(([name, each]) => [name, this.schema(each)]))
  }

  #discriminator({ property, mapping, otherwise }: Discriminator): Json {
    const targets = [...mapping].map(([value, schema]) => [value, this.#reference(schema)])
    return present({
      propertyName: property,
      mapping: targets.length === 0 ? undefined : Object.fromEntries(targets),
      defaultMapping: otherwise && this.#reference(otherwise)
    })
  }

  #reference(schema: Schema): string {
    const name = this.#names.get(schema) ?? this.#added(schema)
    return componentReference('schemas', name)
  }

  #added(schema: Schema): string {
    const base = schema.origin.pointer.split('/').at(-1)?.replaceAll(/\W/g, '_') ?? ''
    let name = base
    for (let number = 2; this.#components.has(name) || this.#further.has(name); number++)
      name = `${base}_${number}`
    this.#names.set(schema, name)
    this.#further.set(name, schema)
    return name
  }
}
