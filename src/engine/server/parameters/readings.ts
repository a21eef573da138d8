/** Chooses among several readings of a value: `?a=5` is a number or a list of one, `a,1` a list or an object. */
import { mayBeArray, mayBeObject, type ParameterSpec, type TextShape } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'

/** Result of reading each value in one way. */
interface Reading {
  /** Problems of the values; empty when the validator accepts them. */
  readonly problems: readonly Problem[]
}

interface Readings<Spec, Result> {
  readonly read: (specs: readonly Spec[]) => Result
  /** Returns the place at which the problems of a value are reported. */
  readonly placeOf: (spec: Spec) => string
  /** Returns true if the reading has a value for the parameter; a reading without one does not count. */
  readonly has: (reading: Result, spec: Spec) => boolean
}

/**
 * Reads refused values again: as a primitive, as a list and as an object, where their schemas allow these.
 * @param first reading by the original specs; its problems are reported when no other reading is accepted
 */
export function acceptedReading<Spec extends ParameterSpec, Result extends Reading>(
  specs: readonly Spec[],
  first: Result,
  { read, placeOf, has }: Readings<Spec, Result>
): Result {
  const accepted = new Map<Spec, Spec>()
  const chosen = () => specs.map((spec) => accepted.get(spec) ?? spec)
  const refused = specs.filter((spec) => isRefused(first, placeOf(spec)))
  for (const kind of kinds) {
    const tried = new Map<Spec, Spec>()
    for (const spec of refused)
      if (!accepted.has(spec) && isAmbiguous(spec.shape) && hasKind(spec.shape, kind))
        tried.set(spec, { ...spec, shape: only(spec.shape, kind) })
    if (tried.size === 0) continue
    const result = read(chosen().map((spec) => tried.get(spec) ?? spec))
    for (const [spec, other] of tried)
      if (has(result, spec) && !isRefused(result, placeOf(spec))) accepted.set(spec, other)
  }
  return accepted.size === 0 ? first : read(chosen())
}

/** Returns true if the reading has a problem at the place or below it. */
function isRefused({ problems }: Reading, place: string): boolean {
  return problems.some((problem) => problem.place === place || problem.place.startsWith(`${place}/`))
}

const kinds = ['primitive', 'array', 'object'] as const

type Kind = (typeof kinds)[number]

function isAmbiguous(shape: TextShape): boolean {
  return kinds.filter((kind) => hasKind(shape, kind)).length > 1
}

function hasKind(shape: TextShape, kind: Kind): boolean {
  if (kind === 'primitive') return shape.types.length > 0
  return kind === 'array' ? mayBeArray(shape) : mayBeObject(shape)
}

/** Returns the part of the shape that allows one kind of value. */
function only({ types, ...members }: TextShape, kind: Kind): TextShape {
  if (kind === 'primitive') return { types }
  const { properties: _properties, additional: _additional, ...lists } = members
  const { items: _items, prefixItems: _prefixItems, ...objects } = members
  return { types: [], ...(kind === 'array' ? lists : objects) }
}
