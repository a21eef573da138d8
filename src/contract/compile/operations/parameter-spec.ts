/** Parameters of an operation: the path item's merged with its own (OpenAPI 3.1.0, section 4.8.12). */
import {
  itemShape,
  type ParameterSpec,
  propertyShape,
  type Shape as TextShape
} from '../../model/parameter.ts'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../document/json-value.ts'
import { dereference } from '../document/reference.ts'
import type { Shape, Shapes } from '../shapes/shape.ts'

/** A parameter as it is written, its references followed. */
export interface Parameter {
  readonly node: JsonObject
  readonly name: string
  readonly in: ParameterSpec['in']
  readonly required: boolean
  readonly schema: Json
}

const places = ['path', 'query', 'header', 'cookie']
/** Section 4.8.12.2: header parameters of these names are ignored; other parts of the contract describe them. */
const ignoredHeaders = ['accept', 'content-type', 'authorization']

/** The operation's own first; of two with one name and place, the operation's wins. */
export function parametersOf(document: JsonObject, pathItem: JsonObject, operation: JsonObject): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const node of parameterNodes(document, pathItem, operation)) {
    const parameter = readParameter(document, node)
    if (parameter === undefined) continue
    const { in: place, name } = parameter
    const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`
    if (!found.has(key)) found.set(key, parameter)
  }
  return [...found.values()]
}

/** All that are written, references followed. */
export function parameterNodes(
  document: JsonObject,
  pathItem: JsonObject,
  operation: JsonObject
): JsonObject[] {
  const listed = [operation, pathItem].flatMap((owner) => arrayOf(own(owner, 'parameters')))
  return listed.map((item) => objectOf(dereference(document, item)))
}

function readParameter(document: JsonObject, node: JsonObject): Parameter | undefined {
  const [name, place] = [String(own(node, 'name')), String(own(node, 'in'))]
  if (!places.includes(place)) return undefined
  if (place === 'header' && ignoredHeaders.includes(name.toLowerCase())) return undefined
  const required = place === 'path' || own(node, 'required') === true
  return { node, name, in: place as ParameterSpec['in'], required, schema: schemaOf(document, node) }
}

function schemaOf(document: JsonObject, node: JsonObject): Json {
  const [content] = Object.values(objectOf(own(node, 'content')))
  return own(node, 'schema') ?? own(objectOf(dereference(document, content)), 'schema') ?? true
}

/** Section 4.8.12.2: the styles for each place, the default one first. */
export const stylesIn: Readonly<Record<ParameterSpec['in'], readonly [string, ...string[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie']
}

function styleOf(parameter: Parameter): string {
  const style = stringOf(own(parameter.node, 'style'))
  const allowed = stylesIn[parameter.in]
  return style !== undefined && allowed.includes(style) ? style : allowed[0]
}

/** How to read the parameter from text. */
export function parameterSpec(parameter: Parameter, document: JsonObject, shapes: Shapes): ParameterSpec {
  const { node, name, required } = parameter
  const style = styleOf(parameter)
  const [contentType] = Object.keys(objectOf(own(node, 'content')))
  const shape = textShape([parameter.schema], shapes)
  const standard = own(objectOf(dereference(document, parameter.schema)), 'default')
  return {
    name,
    in: parameter.in,
    key: parameter.in === 'header' ? name.toLowerCase() : name,
    required,
    style: style as ParameterSpec['style'],
    explode: (own(node, 'explode') ?? style === 'form') === true,
    ...(own(node, 'allowReserved') === true ? { allowReserved: true } : {}),
    ...(contentType !== undefined && /[/+]json\b/i.test(contentType) ? { json: true } : {}),
    shape,
    ...(standard === undefined ? {} : { default: wideDefault(standard, shape) })
  }
}

/** The default of an int64 is what a handler gets: a bigint. */
function wideDefault(value: Json, shape: TextShape): Json {
  if (Array.isArray(value)) return value.map((item, index) => wideDefault(item, itemShape(shape, index)))
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, item]) => [
      name,
      wideDefault(item, propertyShape(shape, name))
    ])
    return Object.fromEntries(members)
  }
  return Number.isInteger(value) && shape.types.includes('int64') ? BigInt(Number(value)) : value
}

/** Deeper structures than this can not be said in a parameter, but for JSON, which needs no shape. */
const deepest = 6

export function textShape(schemas: readonly Json[], shapes: Shapes, depth = 0): TextShape {
  const shape = shapes.of(schemas)
  const types = [...(shape.types ?? [])].filter((type) => type !== 'object' && type !== 'array')
  const may = (type: 'object' | 'array') => depth < deepest && shape.types?.has(type) === true
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
  const additional = [...shape.additional, ...shape.patterns.map(([, schema]) => schema)]
  return {
    properties: Object.fromEntries(properties),
    ...(additional.length > 0 ? { additional: textShape(additional, shapes, depth) } : {})
  }
}

/** One schema for all parameters of an operation, so that one validator finds every problem of them. */
export function parametersSchema(parameters: readonly Parameter[]): JsonObject {
  const groups = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie' } as const
  const properties = Object.entries(groups).flatMap(([group, place]) => {
    const members = parameters.filter((parameter) => parameter.in === place)
    return members.length === 0 ? [] : [[group, groupSchema(members)] as const]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function groupSchema(parameters: readonly Parameter[]): JsonObject {
  const key = ({ in: place, name }: Parameter) => (place === 'header' ? name.toLowerCase() : name)
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(key),
    properties: Object.fromEntries(parameters.map((parameter) => [key(parameter), parameter.schema]))
  }
}
