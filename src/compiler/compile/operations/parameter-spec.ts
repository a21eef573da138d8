/** Reads parameters: the decoding of each, and one schema for all of an operation. */
import { bodyKind } from '@contract-first/engine/media-types'
import { itemShape, type ParameterSpec, propertyShape, type TextShape } from '@contract-first/engine/model'
import { isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { type Parameter, stylesIn } from '../document/parameter-objects.ts'
import { levelsOf, partsOf } from '../document/reference.ts'
import { besideNull } from '../document/schema-object.ts'
import type { Shape, Shapes } from '../shapes/shape.ts'
import { allUnnamed } from '../shapes/shape-merge.ts'

function styleOf(parameter: Parameter): string {
  const style = stringOf(own(parameter.node, 'style'))
  const allowed = stylesIn[parameter.in]
  return style !== undefined && allowed.includes(style) ? style : allowed[0]
}

/**
 * Returns how the parameter is decoded from text. Only optional parameters have a default, which the server fills in.
 */
export function parameterSpec(parameter: Parameter, document: JsonObject, shapes: Shapes): ParameterSpec {
  const { node, name, required } = parameter
  const style = styleOf(parameter)
  const [contentType] = Object.keys(objectOf(own(node, 'content')))
  const shape = textShape([parameter.schema], shapes)
  const [standard] = defaultsOf(document, parameter.schema)
  return {
    name,
    in: parameter.in,
    key: parameter.in === 'header' ? name.toLowerCase() : name,
    required,
    style: style as ParameterSpec['style'],
    explode: (own(node, 'explode') ?? (style === 'form' || style === 'cookie')) === true,
    ...(own(node, 'allowReserved') === true ? { allowReserved: true } : {}),
    ...(contentType !== undefined && bodyKind(contentType) === 'json' ? { json: true } : {}),
    shape,
    ...(standard === undefined || required ? {} : { default: exactDefault(standard, shape) })
  }
}

/**
 * Returns the nearest defaults: that of the schema itself, otherwise of what it refers to and the branches of its `allOf`,
 * or of the schema that it accepts beside null. The first one applies.
 */
export function defaultsOf(document: JsonObject, schema: Json | undefined): Json[] {
  for (const level of levelsOf(document, schema)) {
    const found = level.map((part) => own(part, 'default')).filter((value) => value !== undefined)
    if (found.length > 0) return found
  }
  const inner = partsOf(document, schema)
    .map(besideNull)
    .find((other) => other !== undefined)
  return inner === undefined ? [] : defaultsOf(document, inner)
}

/** @returns the default as handlers get it: an int64 as a bigint */
function exactDefault(value: Json, shape: TextShape): Json {
  if (Array.isArray(value)) return value.map((item, index) => exactDefault(item, itemShape(shape, index)))
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, item]) => [
      name,
      exactDefault(item, propertyShape(shape, name))
    ])
    return Object.fromEntries(members)
  }
  return Number.isInteger(value) && shape.types.includes('int64') ? BigInt(Number(value)) : value
}

/** Deepest structure of a parameter: no style expresses deeper ones; JSON does, but needs no shape. */
const maxDepth = 6

/** Returns the values that a text may spell. */
export function textShape(schemas: readonly Json[], shapes: Shapes, depth = 0): TextShape {
  const shape = shapes.of(schemas)
  const types = [...(shape.types ?? [])].filter((type) => type !== 'object' && type !== 'array')
  const may = (type: 'object' | 'array') => depth < maxDepth && shape.types?.has(type) === true
  return {
    types: types as TextShape['types'],
    ...(may('array')
      ? { items: textShape(shape.items.length > 0 ? shape.items : [true], shapes, depth + 1) }
      : {}),
    ...(may('array') && shape.prefixItems.length > 0
      ? { prefixItems: shape.prefixItems.map((list) => textShape(list, shapes, depth + 1)) }
      : {}),
    ...(may('object') ? objectShape(shape, shapes, depth + 1) : {})
  }
}

function objectShape(
  shape: Shape,
  shapes: Shapes,
  depth: number
): Pick<TextShape, 'properties' | 'additional'> {
  const properties = [...shape.properties].map(([name, list]) => [name, textShape(list, shapes, depth)])
  const additional = allUnnamed(shape)
  return {
    properties: Object.fromEntries(properties),
    ...(additional.length > 0 ? { additional: textShape(additional, shapes, depth) } : {})
  }
}

/** Returns one schema for all parameters of an operation, so that one validator finds every problem. */
export function parametersSchema(parameters: readonly Parameter[]): JsonObject {
  const groups = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie' } as const
  const properties = Object.entries(groups).flatMap(([group, place]) => {
    const members = parameters.filter((parameter) => parameter.in === place)
    return members.length === 0 ? [] : [[group, groupSchema(members)] as const]
  })
  const whole = parameters.find((parameter) => parameter.in === 'querystring')
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...(whole && { query: whole.schema }) },
    ...(whole?.required === true && { required: ['query'] })
  }
}

function groupSchema(parameters: readonly Parameter[]): JsonObject {
  const key = ({ in: place, name }: Parameter) => (place === 'header' ? name.toLowerCase() : name)
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(key),
    properties: Object.fromEntries(parameters.map((parameter) => [key(parameter), parameter.schema]))
  }
}
