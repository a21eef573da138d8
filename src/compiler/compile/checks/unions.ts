/** Checks alternatives that are not alternatives: branches that accept everything, that are equal, or that overlap. */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringify
} from '../document/json-value.ts'
import { dereference } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'
import type { Reporter } from './reporter.ts'

export function checkUnion(node: JsonObject, document: JsonObject, { warn }: Reporter): void {
  const discriminator = own(node, 'discriminator')
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = own(node, keyword)
    if (!Array.isArray(branches)) continue
    const texts = branches.map((branch) => stringify(branch))
    for (const [index, branch] of branches.entries()) {
      const warnOf = (message: string) =>
        warn(
          `Schema in \`${keyword}\` ${message}`,
          isObject(branch) ? branch : branches,
          isObject(branch) ? undefined : String(index)
        )
      if (texts[index] === '{}') warnOf('is empty, so it matches any value.')
      const first = texts.indexOf(String(texts[index]))
      if (first < index) warnOf(`duplicates the schema at position ${first + 1}.`)
      const isNamed = isObject(branch) && (own(branch, '$ref') ?? own(branch, '$id')) !== undefined
      if (keyword !== 'allOf' && isObject(discriminator) && !isNamed)
        warnOf('is inline, so the `discriminator` cannot select it. Use a `$ref` to a named schema.')
    }
    if (keyword === 'oneOf')
      for (const message of overlaps(branches, objectOf(discriminator), document))
        warn(message, node, 'oneOf')
  }
}

/** Most alternatives that are compared, each with each. */
const maxCompared = 200

function overlaps(branches: readonly Json[], discriminator: JsonObject, document: JsonObject): string[] {
  const schemas = branches.slice(0, maxCompared).map((branch) => dereference(document, branch))
  const nameOf = (index: number) => {
    const branch = objectOf(branches[index])
    const name = own(branch, '$ref') ?? own(branch, 'title')
    return name === undefined ? `schema at position ${index + 1}` : `\`${String(name)}\``
  }
  return schemas.flatMap((left, index) =>
    schemas.slice(index + 1).flatMap((right, distance) => {
      const other = index + 1 + distance
      if (
        left === undefined ||
        right === undefined ||
        stringify(branches[index]) === stringify(branches[other])
      )
        return []
      const reason = overlap(left, right, { discriminator, document })
      const pair = `${nameOf(index)} and ${nameOf(other)}`
      return reason === undefined
        ? []
        : [`Schemas in \`oneOf\` must be mutually exclusive. Found overlapping schemas: ${pair}. ${reason}`]
    })
  )
}

interface Union {
  readonly discriminator: JsonObject
  readonly document: JsonObject
}

/** Returns why a value may satisfy both schemas, which `oneOf` refuses; undefined when that is not certain. */
function overlap(
  left: JsonObject,
  right: JsonObject,
  { discriminator, document }: Union
): string | undefined {
  if (isBeyond(left) || isBeyond(right) || areExclusive(left, right)) return undefined
  if (allowsNull(left) && allowsNull(right)) return 'Both schemas accept `null`.'
  const [ofLeft, ofRight] = [valuesOf(left), valuesOf(right)]
  if (ofLeft !== undefined && ofRight !== undefined)
    return `Both schemas allow the values [${ofLeft.filter((value) => ofRight.includes(value)).join(',')}].`
  const property = own(discriminator, 'propertyName')
  if (property !== undefined) return gapOf(left, right, String(property), document)
  const [leftProperties, rightProperties] = [left, right].map((each) => own(each, 'properties'))
  if (isObject(leftProperties) && isObject(rightProperties)) return propertyOverlap(left, right, document)
  const shared = sharedTypes(left, right)
  return leftProperties === undefined && rightProperties === undefined && shared !== undefined
    ? `Both schemas accept ${shared.map((type) => `\`${type}\``).join(', ')}.`
    : undefined
}

/** Checks that the discriminator is required; since OpenAPI 3.2 it may be absent (checks/references.ts). */
function gapOf(
  left: JsonObject,
  right: JsonObject,
  property: string,
  document: JsonObject
): string | undefined {
  const requires = (schema: JsonObject) => arrayOf(own(schema, 'required')).includes(property)
  if (String(own(document, 'openapi')).startsWith('3.2') || (requires(left) && requires(right)))
    return undefined
  return `Add \`${property}\` to \`required\` in every schema; the \`discriminator\` cannot read a property a value may omit.`
}

function propertyOverlap(left: JsonObject, right: JsonObject, document: JsonObject): string | undefined {
  const [ofLeft, ofRight] = [sideOf(left), sideOf(right)]
  const isUnknown = (name: string, side: Side) => !Object.hasOwn(side.properties, name)
  if (ofLeft.closed && ofRight.required.some((name) => isUnknown(name, ofLeft))) return undefined
  if (ofRight.closed && ofLeft.required.some((name) => isUnknown(name, ofRight))) return undefined
  const requiresMore = (one: Side, other: Side) =>
    one.required.some((name) => isUnknown(name, other) && !other.required.includes(name))
  if (requiresMore(ofLeft, ofRight) && requiresMore(ofRight, ofLeft)) return undefined
  const optional: string[] = []
  const ambiguous: string[] = []
  for (const name of Object.keys(ofLeft.properties).filter((each) => !isUnknown(each, ofRight))) {
    const [one, other] = [ofLeft, ofRight].map((side) => dereference(document, own(side.properties, name)))
    if (one === undefined || other === undefined || isBeyond(one) || isBeyond(other)) continue
    const isExclusive = areExclusive(one, other)
    if (isExclusive && ofLeft.required.includes(name) && ofRight.required.includes(name)) return undefined
    ;(isExclusive ? optional : ambiguous).push(`\`${name}\``)
  }
  if (optional.length > 0)
    return `Add ${optional.join(', ')} to \`required\` in every schema; an optional property cannot distinguish the schemas.`
  return ambiguous.length === 0
    ? undefined
    : `Both schemas define ${ambiguous.join(', ')} without constraints that exclude each other. Add a discriminator, or constrain the shared properties to different values.`
}

const sideOf = (schema: JsonObject) => ({
  closed: own(schema, 'additionalProperties') === false,
  properties: objectOf(own(schema, 'properties')),
  required: arrayOf(own(schema, 'required')).map(String)
})
type Side = ReturnType<typeof sideOf>

/** Keywords that are compared, and those that constrain no value; any other one may tell alternatives apart. */
const compared: ReadonlySet<string> = new Set([
  ...['type', 'format', 'enum', 'const', 'properties', 'required', 'additionalProperties'],
  ...['discriminator', '$id', '$schema', '$anchor', '$comment', 'title', 'description', 'default'],
  ...['example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'externalDocs', 'xml']
])

const isBeyond = (schema: JsonObject): boolean =>
  Object.keys(schema).some((key) => !compared.has(key) && !key.startsWith('x-'))

function areExclusive(left: JsonObject, right: JsonObject): boolean {
  const [ofLeft, ofRight] = [valuesOf(left), valuesOf(right)]
  if (ofLeft !== undefined && ofRight !== undefined) return !ofLeft.some((value) => ofRight.includes(value))
  return sharedTypes(left, right)?.length === 0
}

/** Returns undefined when one of the schemas has no type. */
function sharedTypes(left: JsonObject, right: JsonObject): string[] | undefined {
  const [ofLeft, ofRight] = [typesOf(left), typesOf(right)]
  if (ofLeft.length === 0 || ofRight.length === 0) return undefined
  const shared = ofLeft.filter((type) => ofRight.includes(type))
  const isWhole =
    (ofLeft.includes('integer') && ofRight.includes('number') && allowsInteger(right)) ||
    (ofLeft.includes('number') && ofRight.includes('integer') && allowsInteger(left))
  return shared.length === 0 && isWhole ? ['integer'] : shared
}

const allowsInteger = (schema: JsonObject): boolean =>
  valuesOf(schema)?.some((value) => /^-?\d+$/.test(value)) ?? true

const allowsNull = (schema: JsonObject): boolean => typesOf(schema).includes('null')

/** Returns the values that a schema lists, as JSON. */
function valuesOf(schema: JsonObject): string[] | undefined {
  const constant = own(schema, 'const')
  const listed = own(schema, 'enum') ?? (constant === undefined ? undefined : [constant])
  return Array.isArray(listed) ? listed.map((value) => stringify(value)) : undefined
}
