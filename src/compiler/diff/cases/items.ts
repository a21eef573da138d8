/** Items as all schemas of a case declare them. */
import { arrayOf, type Json, type JsonObject, own } from '../../compile/documents.ts'
import type { Case } from './cases.ts'

/** Lower and upper limit of a number. */
export interface Limits {
  readonly least: number
  readonly most: number
}

/** Returns the schemas of an item. */
export function itemsAt({ nodes }: Pick<Case, 'nodes'>, index: number): readonly Json[] {
  return nodes.flatMap((node): Json[] => {
    const schema = arrayOf(own(node, 'prefixItems'))[index] ?? own(node, 'items')
    return schema === undefined ? [] : [schema]
  })
}

/** Returns the possible lengths: a list ends before an item whose schema is false. */
export function lengthsOf({ nodes }: Pick<Case, 'nodes'>): Limits {
  const closed = nodes.flatMap((node) =>
    own(node, 'items') === false ? [arrayOf(own(node, 'prefixItems')).length] : []
  )
  return {
    least: Math.max(0, ...numbersOf(nodes, 'minItems')),
    most: Math.min(Number.POSITIVE_INFINITY, ...closed, ...numbersOf(nodes, 'maxItems'))
  }
}

const numbersOf = (nodes: readonly JsonObject[], keyword: string): number[] =>
  nodes.flatMap((node) => (own(node, keyword) === undefined ? [] : [Number(own(node, keyword))]))
