/** Alternatives of a union: which of the one contract is which of the other. */
import { isObject, type Json, type JsonObject, own } from '../../compile/documents.ts'
import type { Case } from '../cases/cases.ts'
import { propertyOf, requiredOf } from '../cases/members.ts'
import type { Comparison } from './comparison.ts'

/** Returns how alike two alternatives are: of the same name, or with the same values in the same properties. */
export function likeness({ sent, received }: Comparison, a: Case, b: Case): number {
  const names = a.branches.filter(isObject).map((branch) => sent.nameOf(branch))
  const others = new Set(b.branches.filter(isObject).map((branch) => received.nameOf(branch)))
  const isNamesake = names.some((name) => name !== undefined && others.has(name))
  const own = marks(b)
  const isMarked = [...marks(a)].some((mark) => own.has(mark))
  return (isNamesake ? 2 : 0) + (isMarked ? 1 : 0)
}

/** Returns whether some property has one value in the one alternative, and another in the other. */
export function isApart(a: Case, b: Case): boolean {
  const names = new Map([...marks(b)].map((mark) => [mark.slice(0, mark.indexOf('=')), mark]))
  return [...marks(a)].some((mark) => {
    const other = names.get(mark.slice(0, mark.indexOf('=')))
    return other !== undefined && other !== mark
  })
}

/** Returns the properties that have one value only: `kind=cat`. */
export function marks({ nodes, type }: Case): Set<string> {
  const found = type === 'object' ? [...requiredOf(nodes)] : []
  return new Set(
    found.flatMap((name) =>
      propertyOf(nodes, name).schemas.flatMap((schema) => {
        const values = isObject(schema) ? constantsOf(schema) : []
        return values.length === 1 ? [`${name}=${String(values[0])}`] : []
      })
    )
  )
}

function constantsOf(schema: JsonObject): readonly Json[] {
  const value = own(schema, 'const')
  const values = own(schema, 'enum')
  return value === undefined ? (Array.isArray(values) ? values : []) : [value]
}
