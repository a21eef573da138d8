/** Pairs the alternatives of a union in one contract with those in the other. */
import { isObject, type Json, type JsonObject, own } from '../../compile/documents.ts'
import type { Case } from '../cases/cases.ts'
import { propertyOf, requiredOf } from '../cases/members.ts'
import type { Comparison } from './comparison.ts'

interface Unions {
  readonly sent: readonly Case[]
  readonly received: readonly Case[]
}

/** Returns the alternative of the same name, with the same values in the same properties, or in the same position. */
export function partnerOf(comparison: Comparison, each: Case, { sent, received }: Unions): Case | undefined {
  const [alike] = received.toSorted((a, b) => likeness(comparison, each, b) - likeness(comparison, each, a))
  if (alike !== undefined && likeness(comparison, each, alike) > 0) return alike
  return sent.length === received.length ? received[sent.indexOf(each)] : undefined
}

function likeness({ sent, received }: Comparison, a: Case, b: Case): number {
  const names = a.branches.filter(isObject).map((branch) => sent.nameOf(branch))
  const others = new Set(b.branches.filter(isObject).map((branch) => received.nameOf(branch)))
  const isNamesake = names.some((name) => name !== undefined && others.has(name))
  const own = marks(b)
  const isMarked = [...marks(a)].some((mark) => own.has(mark))
  return (isNamesake ? 2 : 0) + (isMarked ? 1 : 0)
}

/** Returns whether some property has one value in the one alternative, and another in the other. */
export function isApart(a: Case, b: Case): boolean {
  const names = new Map([...marks(b)].map((mark) => [nameIn(mark), mark]))
  return [...marks(a)].some((mark) => {
    const other = names.get(nameIn(mark))
    return other !== undefined && other !== mark
  })
}

const nameIn = (mark: string): string => mark.slice(0, mark.indexOf('='))

/** Returns the properties with a single possible value: `kind=cat`. */
export function marks({ nodes, type }: Case): Set<string> {
  const found = type === 'object' ? [...requiredOf(nodes)] : []
  return new Set(
    found.flatMap((name) => {
      const values = constantsOf(nodes, name)
      return values.length === 1 ? [`${name}=${String(values[0])}`] : []
    })
  )
}

/** Returns the values that the schemas of a property list. */
function constantsOf(nodes: readonly JsonObject[], name: string): readonly Json[] {
  const lists = propertyOf(nodes, name).schemas.filter(isObject).map(listedIn)
  return lists.toSorted((a, b) => a.length - b.length).find(({ length }) => length > 0) ?? []
}

function listedIn(schema: JsonObject): readonly Json[] {
  const value = own(schema, 'const')
  const values = own(schema, 'enum')
  return value === undefined ? (Array.isArray(values) ? values : []) : [value]
}

/** Splits an alternative by the values of a property that distinguishes the others. */
export function splitAt(each: Case, others: readonly Case[]): Case[] {
  const names = new Set(others.flatMap((other) => [...marks(other)].map(nameIn)))
  const name = [...names].find((candidate) => constantsOf(each.nodes, candidate).length > 1)
  if (name === undefined || !requiredOf(each.nodes).has(name)) return []
  return constantsOf(each.nodes, name).map((value) => ({
    ...each,
    nodes: [...each.nodes, { properties: { [name]: { enum: [value] } } }]
  }))
}
