/**
 * Caches the verdicts of recursive validators, so that each validates each object of a value once. Otherwise a union
 * with several recursive branches, or an `allOf` of such schemas, takes exponential time.
 */

/**
 * Cache for one value, by validator or purpose. It is passed as `rootData`, the only parameter that Ajv's validators
 * forward without reading.
 */
export type Run = Map<unknown, unknown>

interface Validate {
  errors?: readonly unknown[] | null
  /** Evaluated properties and items; set where `unevaluatedProperties` or `unevaluatedItems` needs them. */
  readonly evaluated?: object
}

interface Verdict {
  readonly errors: readonly unknown[] | null
  readonly evaluated: object
}

/** Returns the run of a call. A call from outside starts a new one, because the value may have changed. */
export function runOf(rootData: unknown): Run {
  return rootData instanceof Map ? rootData : new Map()
}

/** Object or list that holds the value, and its key there. */
type Place = readonly [holder: unknown, key: unknown]

/** Verdicts of one validator. */
class Verdicts {
  readonly objects = new Map<unknown, Verdict>()
  /** The last value without an identity, with its place: the verdict on a number depends on it (exactness). */
  last: readonly [data: unknown, ...Place] | undefined
  errors: Verdict['errors'] = null

  /** @returns undefined if the last value was another one */
  errorsOfLast(data: unknown, [holder, key]: Place): Verdict['errors'] | undefined {
    const [value, itsHolder, itsKey] = this.last ?? []
    const isSame = this.last !== undefined && value === data && itsHolder === holder && itsKey === key
    return isSame ? this.errors : undefined
  }
}

const isObject = (data: unknown): boolean => typeof data === 'object' && data !== null

/** Returns the verdict of an earlier call, or undefined. */
export function recall(run: Run, validate: Validate, data: unknown, ...place: Place): boolean | undefined {
  const verdicts = run.get(validate) as Verdicts | undefined
  const known = isObject(data) ? verdicts?.objects.get(data) : undefined
  const errors = known === undefined ? verdicts?.errorsOfLast(data, place) : known.errors
  if (errors === undefined) return undefined
  validate.errors = errors
  if (validate.evaluated !== undefined) Object.assign(validate.evaluated, known?.evaluated)
  return errors === null
}

/** Caches the verdict on an object or array, or on the last other value. */
export function remember(run: Run, validate: Validate, data: unknown, ...place: Place): boolean {
  const verdicts = (run.get(validate) as Verdicts | undefined) ?? new Verdicts()
  run.set(validate, verdicts)
  // One error is enough, because the first validation has reported the others.
  const errors = validate.errors?.slice(0, 1) ?? null
  if (isObject(data)) verdicts.objects.set(data, { errors, evaluated: { ...validate.evaluated } })
  else Object.assign(verdicts, { last: [data, ...place], errors })
  return errors === null
}
