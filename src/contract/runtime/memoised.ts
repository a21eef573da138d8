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

/** Returns the verdict of an earlier call, or undefined. */
export function recall(run: Run, validate: Validate, data: unknown): boolean | undefined {
  const verdicts = run.get(validate) as Map<unknown, Verdict> | undefined
  const known = verdicts?.get(data)
  if (known === undefined) return undefined
  validate.errors = known.errors
  if (validate.evaluated !== undefined) Object.assign(validate.evaluated, known.evaluated)
  return known.errors === null
}

/** Caches the verdict on an object or array. Other values are validated once with the object that holds them. */
export function remember(run: Run, validate: Validate, data: unknown): boolean {
  // One error is enough, because the first validation has reported the others.
  const errors = validate.errors?.slice(0, 1) ?? null
  if (typeof data !== 'object' || data === null) return errors === null
  const verdicts = (run.get(validate) ?? new Map()) as Map<unknown, Verdict>
  run.set(validate, verdicts.set(data, { errors, evaluated: { ...validate.evaluated } }))
  return errors === null
}
