/** Values that a schema lets be read in several ways: `?a=5` is a number or a list of one, `a,1` a list or an object. */
import { mayBeArray, mayBeObject, type ParameterSpec, type TextShape } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'

/** All values, each read in one way. */
interface Reading {
  /** Empty where the validator accepts the values. */
  readonly problems: readonly Problem[]
}

interface Readings<Spec, Result> {
  readonly read: (specs: readonly Spec[]) => Result
  /** Returns the place at which the problems of a value are reported. */
  readonly placeOf: (spec: Spec) => string
  /** Returns whether the reading has the value: one that finds nothing to read does not count. */
  readonly has: (reading: Result, spec: Spec) => boolean
}

/**
 * Reads refused values again: as a primitive, as a list and as an object, as far as their schemas allow these.
 * @param first the reading by the specs themselves, whose problems count where no other reading is accepted
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

/** Reports of a place or of a place below it. */
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

/** Returns the part of the shape that is of one kind. */
function only({ types, ...members }: TextShape, kind: Kind): TextShape {
  if (kind === 'primitive') return { types }
  const { properties: _properties, additional: _additional, ...lists } = members
  const { items: _items, prefixItems: _prefixItems, ...objects } = members
  return { types: [], ...(kind === 'array' ? lists : objects) }
}
