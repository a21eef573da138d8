/** The schemas that the normaliser makes: keywords of JSON Schema draft 2020-12 and of OpenAPI's schema object, by how the compiler treats them. */
import type { JsonObject } from '../document/json-value.ts'

/** Kind of a keyword's value: a schema, a list or a map of schemas, or plain data. */
export type KeywordKind = 'schema' | 'list' | 'map' | 'value'

const kinds: Readonly<Record<KeywordKind, readonly string[]>> = {
  schema: [
    'not',
    'if',
    'then',
    'else',
    'items',
    'contains',
    'additionalProperties',
    'propertyNames',
    'unevaluatedItems',
    'unevaluatedProperties'
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  // `dependencies` is a keyword of earlier drafts that this meta-schema still has; a member may be a list of names.
  map: ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
  value: [
    '$ref',
    'type',
    'enum',
    'const',
    'multipleOf',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minContains',
    'maxContains',
    'minProperties',
    'maxProperties',
    'required',
    'dependentRequired',
    'format'
  ]
}

export const schemaKeywords: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries(kinds).flatMap(([kind, keywords]) =>
    keywords.map((keyword) => [keyword, kind as KeywordKind] as const)
  )
)

/** Keywords that describe without constraining, or that other folders read; formats as `format:name`. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'example',
  'examples',
  'externalDocs',
  'xml',
  'discriminator',
  'readOnly',
  'writeOnly',
  // document/identifiers.ts resolves these.
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$comment',
  '$schema',
  '$vocabulary',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  // Formats of the OpenAPI registry that every value of their type has.
  'format:binary',
  'format:password',
  'format:float',
  'format:double'
])

/** Keywords that describe what a string contains (JSON Schema Validation, sections 8.4 and 8.5). */
export const contentKeywords: ReadonlySet<string> = new Set(['contentMediaType', 'contentSchema'])

/**
 * Reading of a schema, which depends on who sends the value: a request must not hold read-only properties, a response
 * may leave write-only ones out, and only multipart bodies hold bytes.
 */
export type View = 'request' | 'response' | 'multipart'

/** A normalised schema. */
export type Schema = JsonObject | boolean
