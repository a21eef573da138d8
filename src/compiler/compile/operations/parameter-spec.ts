/** Reads parameters: the decoding of each, and one schema for all of an operation. */
import {
  allUnnamed,
  anyValue,
  isObject,
  type Json,
  type Merged,
  make,
  merged,
  type Operation,
  type Parameter,
  type Schema
} from '@contract-first/contract'
import { itemShape, type ParameterSpec, propertyShape, type TextShape } from '@contract-first/engine/model'

/** Returns the schema of a parameter or header, whichever way it is declared. */
export const schemaOf = ({ schema, content }: Pick<Parameter, 'schema' | 'content'>): Schema =>
  schema ?? content?.schema ?? anyValue

/**
 * Returns how the parameter is decoded from text. Only optional parameters have a default, which the server fills in.
 */
export function parameterSpec(parameter: Parameter): ParameterSpec {
  const { name, in: place, required, style, explode, default: standard } = parameter
  const shape = textShape([schemaOf(parameter)])
  return {
    name,
    in: place,
    key: keyOf(parameter),
    required,
    style,
    explode,
    ...(parameter.allowReserved && { allowReserved: true }),
    ...(parameter.content?.kind === 'json' && { json: true }),
    shape,
    ...(standard !== undefined && !required && { default: exactDefault(standard, shape) })
  }
}

const keyOf = ({ in: place, name }: Parameter): string => (place === 'header' ? name.toLowerCase() : name)

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
export function textShape(schemas: readonly Schema[], depth = 0): TextShape {
  const whole = merged(schemas)
  const { items, prefix } = whole
  const types = [...(whole.types ?? [])].filter((type) => type !== 'object' && type !== 'array')
  const may = (type: 'object' | 'array') => depth < maxDepth && whole.types?.has(type) === true
  return {
    types: types as TextShape['types'],
    ...(may('array') && { items: textShape(items.length > 0 ? items : [anyValue], depth + 1) }),
    ...(may('array') &&
      prefix.length > 0 && { prefixItems: prefix.map((list) => textShape(list, depth + 1)) }),
    ...(may('object') && objectShape(whole, depth + 1))
  }
}

function objectShape(whole: Merged, depth: number): Pick<TextShape, 'properties' | 'additional'> {
  const properties = [...whole.properties].map(([name, list]) => [name, textShape(list, depth)])
  const additional = allUnnamed(whole)
  return {
    properties: Object.fromEntries(properties),
    ...(additional.length > 0 && { additional: textShape(additional, depth) })
  }
}

/** Members of the value that holds all parameters, by their locations. */
const groups = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const

/** Returns one schema for all parameters of an operation, so that one validator finds every problem. */
export function parametersSchema(
  operation: Pick<Operation, 'origin' | 'direction'>,
  parameters: readonly Parameter[]
): Schema {
  const properties = new Map<string, Schema>()
  for (const [place, group] of Object.entries(groups)) {
    const members = parameters.filter((parameter) => parameter.in === place)
    // Those that `sign` of a sender gives are missed when it has signed: engine/sender/create-sender.ts.
    const isComplete = place !== 'header' || operation.direction === 'served'
    if (members.length > 0) properties.set(group, groupSchema(operation, members, isComplete))
  }
  const whole = parameters.find((parameter) => parameter.in === 'querystring')
  if (whole !== undefined) properties.set('query', schemaOf(whole))
  const required = whole?.required === true && { required: new Set(['query']) }
  return make({ types: new Set(['object'] as const), properties, ...required }, operation)
}

function groupSchema(
  operation: Pick<Operation, 'origin'>,
  parameters: readonly Parameter[],
  isComplete: boolean
): Schema {
  const required = new Set(parameters.filter((parameter) => isComplete && parameter.required).map(keyOf))
  const properties = new Map(parameters.map((parameter) => [keyOf(parameter), schemaOf(parameter)]))
  return make({ types: new Set(['object'] as const), required, properties }, operation)
}
