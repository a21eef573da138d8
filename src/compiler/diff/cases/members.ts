/** Properties and items as all schemas of a case declare them. */
import { type Json, type JsonObject, objectOf, own, stringOf } from '../../compile/documents.ts'
import { declaredIn, type Limits, limitsOf, prefixLength } from '../../evaluate/members.ts'
import type { Case } from './cases.ts'
import { includesPatterns } from './pattern-inclusion.ts'
import type { Side } from './side.ts'

/** Returns the possible lengths: a list ends before an item whose schema is false. */
export function lengthsOf({ nodes }: Pick<Case, 'nodes'>): Limits {
  const closed = nodes.flatMap((node) => (own(node, 'items') === false ? [prefixLength([node])] : []))
  const { least, most } = limitsOf(nodes, 'minItems', 'maxItems')
  return { least, most: Math.min(most, ...closed) }
}

type Nodes = readonly JsonObject[]
type Schemas = readonly Json[]

export interface Property {
  readonly schemas: Schemas
  /** True when the property is named, or a pattern matches its name. */
  readonly isDeclared: boolean
}

export const namesOf = (nodes: Nodes): string[] =>
  nodes.flatMap((node) => Object.keys(objectOf(own(node, 'properties'))))

export const patternsOf = (nodes: Nodes): string[] =>
  nodes.flatMap((node) => Object.keys(objectOf(own(node, 'patternProperties'))))

export const requiredOf = (nodes: Nodes): Set<string> =>
  new Set(nodes.flatMap((node) => listOf(own(node, 'required'))))

export const listOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((item) => stringOf(item) ?? []) : []

export function propertyOf(nodes: Nodes, name: string): Property {
  const found = nodes.map((node) => {
    const declared = declaredIn(node, name)
    return declared.length > 0 ? declared : additionalOf(node)
  })
  const isDeclared = nodes.some((node) => declaredIn(node, name).length > 0)
  return { schemas: found.flat(), isDeclared }
}

/** Returns true for a property that messages do not have. At the schemas of other names the flags have no effect. */
export const isHidden = (side: Side, nodes: Nodes, name: string): boolean =>
  side.isHidden(nodes.flatMap((node) => own(objectOf(own(node, 'properties')), name) ?? []))

/** Returns the schemas of other names; a pattern that matches every name leaves none. */
function restOf(node: JsonObject): Schemas {
  const patterns = Object.entries(objectOf(own(node, 'patternProperties')))
  const universal = patterns.filter(([pattern]) => includesPatterns(anyText, [pattern]) === 'yes')
  return universal.length === 0 ? additionalOf(node) : universal.map(([, schema]) => schema)
}

const anyText = { patterns: [], least: 0, most: Number.POSITIVE_INFINITY }

/** Returns no schemas when the keyword constrains nothing, as if it were absent. */
function additionalOf(node: JsonObject): Schemas {
  const additional = own(node, 'additionalProperties')
  const isOpen = additional === undefined || additional === true || isEmpty(additional)
  return isOpen ? [] : [additional]
}

const isEmpty = (schema: Json): boolean =>
  typeof schema === 'object' && Object.keys(objectOf(schema)).length === 0

/** Returns the schemas of names that match a pattern, or that nothing declares. */
export function othersOf(nodes: Nodes, pattern?: string): Property {
  const matching = (node: JsonObject): Schemas => {
    const schema = pattern === undefined ? undefined : own(objectOf(own(node, 'patternProperties')), pattern)
    return schema === undefined ? restOf(node) : [schema]
  }
  const isDeclared = pattern !== undefined && patternsOf(nodes).includes(pattern)
  return { schemas: nodes.flatMap(matching), isDeclared }
}

export const isClosed = ({ schemas }: Property): boolean => schemas.includes(false)
