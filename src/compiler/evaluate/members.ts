/** Keywords, properties and items as schemas that apply together declare them. */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { matches } from './values.ts'

type Nodes = readonly JsonObject[]

/** Returns the values of a keyword in every schema that has it. */
export function valuesOf(nodes: Nodes, keyword: string): Json[] {
  return nodes.flatMap((node) => {
    const value = own(node, keyword)
    return value === undefined ? [] : [value]
  })
}

/** Lower and upper limit of a number. */
export interface Limits {
  readonly least: number
  readonly most: number
}

/** Returns the bounds that two keywords set; 0 and Infinity by default. */
export const limitsOf = (nodes: Nodes, minimum: string, maximum: string): Limits => ({
  least: Math.max(0, ...valuesOf(nodes, minimum).map(Number)),
  most: Math.min(Number.POSITIVE_INFINITY, ...valuesOf(nodes, maximum).map(Number))
})

/** Returns the schemas that name a property, and those whose pattern matches its name. */
export function declaredIn(node: JsonObject, name: string): Json[] {
  const named = own(objectOf(own(node, 'properties')), name)
  const patterns = Object.entries(objectOf(own(node, 'patternProperties')))
  const matching = patterns.filter(([pattern]) => matches(pattern, name) === true)
  return [...(named === undefined ? [] : [named]), ...matching.map(([, schema]) => schema)]
}

/** Returns the schemas that apply to a property. */
export function propertySchemas(nodes: Nodes, name: string): Json[] {
  return nodes.flatMap((node) => {
    const declared = declaredIn(node, name)
    return declared.length > 0 ? declared : valuesOf([node], 'additionalProperties')
  })
}

/** Returns the schemas that apply to an item. */
export function itemSchemas(nodes: Nodes, index: number): Json[] {
  return nodes.flatMap((node) => {
    const prefix = arrayOf(own(node, 'prefixItems'))
    return index < prefix.length ? prefix.slice(index, index + 1) : valuesOf([node], 'items')
  })
}

export const prefixLength = (nodes: Nodes): number =>
  Math.max(0, ...nodes.map((node) => arrayOf(own(node, 'prefixItems')).length))
