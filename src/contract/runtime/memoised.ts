/**
 * Remembers the verdicts of recursive validators, so that each validates each object of a value once. Without that, a
 * union of which several branches recurse, or an `allOf` of such schemas, takes exponential time.
 */

/**
 * What is known of one value, by validator or purpose. It travels as `rootData`, the one parameter that Ajv's validators
 * pass on and do not read.
 */
export type Run = Map<unknown, unknown>

interface Validate {
  errors?: readonly unknown[] | null
  /** Of schemas beside `unevaluatedProperties` or `unevaluatedItems`. */
  readonly evaluated?: object
}

interface Verdict {
  readonly errors: readonly unknown[] | null
  readonly evaluated: object
}

/** Returns the run of a call. A call from outside begins one, because a value may have changed since the last. */
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

/** Numbers and texts are not remembered: an object that is validated once reaches them once. */
export function remember(run: Run, validate: Validate, data: unknown): boolean {
  // One error is enough, because the others have been reported when the value was validated first.
  const errors = validate.errors?.slice(0, 1) ?? null
  if (typeof data !== 'object' || data === null) return errors === null
  const verdicts = (run.get(validate) ?? new Map()) as Map<unknown, Verdict>
  run.set(validate, verdicts.set(data, { errors, evaluated: { ...validate.evaluated } }))
  return errors === null
}
