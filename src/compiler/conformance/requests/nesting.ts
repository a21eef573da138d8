/** Values nested as deeply as a contract allows, up to 64 levels in a body: common parsers take these, .NET no more. */

import { isObject } from '../../compile/document/json-value.ts'
import { withValueAt } from '../../instances/plain-instance.ts'
import type { DraftPlace, Place } from './draft-part.ts'

const maxLevels = 64

/** Nests what a schema leaves open, and what refers to itself. */
export function nestedValues(place: DraftPlace, all: readonly DraftPlace[]): readonly unknown[] {
  const levels = maxLevels - place.path.length
  const inner = all.filter((other) => isBelow(other, place) && isSameSchema(other, place))
  const recursive = inner.slice(0, 1).map((other) => {
    const path = other.path.slice(place.path.length)
    return repeated(place.value, path, Math.floor(levels / path.length) - 1)
  })
  if (!isObject(place.value)) return [...recursive, nested(levels)]
  return [...recursive, { ...place.value, undeclared: nested(levels - 1) }, nested(levels)]
}

/** Returns true below the third value of one schema, each of which is inside of the one before: of a list of replies to replies. */
export function isRepetition(place: DraftPlace, all: readonly DraftPlace[]): boolean {
  if (place.path.length < 3) return false
  const above = all.filter((other) => isBelow(place, other))
  return above.some((inner) => above.filter((other) => isSameSchema(inner, other)).length > 2)
}

const isBelow = (other: DraftPlace, { part, path }: DraftPlace): boolean =>
  other.part === part && other.path.length > path.length && path.every((key, at) => other.path[at] === key)

const isSameSchema = (one: Place, other: Place): boolean =>
  one.schemas.length > 0 && one.schemas.every((schema) => other.schemas.includes(schema))

/** Puts the value into itself at the path, so many times. */
function repeated(value: unknown, path: Place['path'], times: number): unknown {
  let whole = value
  for (let time = 0; time < times; time++) whole = withValueAt(value, path, whole)
  return whole
}

/** Adds values to a closed body which not every parser takes: it is refused anyway, and must not fail. */
export const unreadableValues = (body: unknown): readonly unknown[] =>
  [nested(maxLevels - 1), 'a\ud800b'].map((value) =>
    isObject(body) ? { ...body, notDeclared: value } : [value]
  )

/** Returns lists and objects in turn, the outermost of which is an object. */
function nested(levels: number): unknown {
  let value: unknown = levels % 2 === 0 ? [1] : { inner: 1 }
  for (let level = 1; level < levels; level++) value = (levels - level) % 2 === 0 ? [value] : { inner: value }
  return value
}
