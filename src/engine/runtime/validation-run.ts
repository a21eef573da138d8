/**
 * State that the functions of one validation share: the errors found so far, and the verdicts on values that have been
 * validated before. Bundled into generated/validators.js.
 */
import type { ValidationError, Validator } from '../model/compiled-contract.ts'
import type { Identities } from './identities.ts'

/**
 * Validates a value by one schema.
 * @param path JSON pointer of the value (RFC 6901)
 * @param seen collects the evaluated members, for `unevaluatedProperties` and `unevaluatedItems` around the schema
 * @returns true if the value is valid; without errors to collect, the function returns at the first failure
 */
export type Check = (value: unknown, path: string, run: Run, seen?: Seen | undefined) => boolean

/** One more error than a message lists, because the message says that there are more (validation-problems.ts). */
const maxErrors = 1001

export class Run {
  /** True in a run that only decides: its functions return at the first failure. */
  readonly isBrief: boolean
  /** Number of failures, those beyond the last error included. */
  failures = 0
  errors: ValidationError[] | undefined
  /** Made when they are needed, because most runs need none of them. */
  verdicts: Map<Check, Verdicts> | undefined
  identities: Identities | undefined
  #branch: Run | undefined

  constructor(isBrief = false) {
    this.isBrief = isBrief
  }

  /** Run of a schema whose errors nobody reads: a branch of a union, `not`, `if`, `contains`, `propertyNames`. */
  get branch(): Run {
    if (this.isBrief) return this
    this.#branch ??= new Run(true)
    return this.#branch
  }
}

/** Reports a failure. Returns true if the validation ends with it: nobody reads more errors. */
export function fail(
  run: Run,
  instancePath: string,
  keyword: string,
  params: ValidationError['params']
): boolean {
  if (run.isBrief) return true
  run.failures++
  run.errors ??= []
  if (run.errors.length < maxErrors) run.errors.push({ instancePath, keyword, params })
  return run.errors.length === maxErrors
}

/** Makes a validator of a function for one schema. */
export function validator(check: Check): Validator & { readonly check: Check } {
  function validate(value: unknown, shared?: { run?: unknown }): boolean {
    const run = shared === undefined ? new Run() : sharedRun(shared)
    const isValid = check(value, '', run)
    validate.errors = run.errors ?? null
    return isValid
  }
  validate.check = check
  validate.errors = null as ValidationError[] | null
  return validate
}

function sharedRun(shared: { run?: unknown }): Run {
  shared.run ??= new Run(true)
  return shared.run as Run
}

/** Evaluated members of one value (JSON Schema Core 2020-12, section 11). */
export class Seen {
  readonly names = new Set<string>()
  /** Number of items from the first one. */
  items = 0
  /** Indexes of further items, which `contains` has evaluated. */
  readonly indexes = new Set<number>()

  add({ names, items, indexes }: Seen): void {
    for (const name of names) this.names.add(name)
    for (const index of indexes) this.indexes.add(index)
    this.items = Math.max(this.items, items)
  }
}

/** Returns true if a value is valid; its evaluated members then count. */
export function passes(check: Check, value: unknown, run: Run, seen?: Seen | undefined): boolean {
  if (seen === undefined) return check(value, '', run.branch)
  const own = new Seen()
  const isValid = check(value, '', run.branch, own)
  if (isValid) seen.add(own)
  return isValid
}

/** Returns true if a value is valid for one check; with evaluated members to collect, each check is asked. */
export function anyOf(checks: readonly Check[], value: unknown, run: Run, seen?: Seen | undefined): boolean {
  let isValid = false
  for (const check of checks) {
    isValid = passes(check, value, run, seen) || isValid
    if (isValid && seen === undefined) return true
  }
  return isValid
}

/** Returns the first two checks that a value passes, or null for none; undefined if it passes exactly one. */
export function oneOf(
  checks: readonly Check[],
  value: unknown,
  run: Run,
  seen?: Seen | undefined
): { readonly passingSchemas: readonly [number, number] | null } | undefined {
  let first: number | undefined
  for (const [index, check] of checks.entries()) {
    if (!passes(check, value, run, seen)) continue
    if (first !== undefined) return { passingSchemas: [first, index] }
    first = index
  }
  return first === undefined ? { passingSchemas: null } : undefined
}

interface Verdict {
  readonly isValid: boolean
  readonly seen: Seen | undefined
}

/** Verdicts of one function on the values of a run. */
class Verdicts {
  readonly objects = new Map<object, Verdict>()
  /** The last value without an identity, with its path: the errors of an equal one have another path. */
  last: { value: unknown; path: string; verdict: Verdict } | undefined

  of(value: unknown, path: string): Verdict | undefined {
    if (typeof value === 'object' && value !== null) return this.objects.get(value)
    const { last } = this
    return last !== undefined && last.value === value && last.path === path ? last.verdict : undefined
  }
}

/**
 * Returns the verdict of an earlier call, or undefined. Without it, a union with several recursive branches, or an `allOf`
 * of such schemas, would take exponential time. The errors of a refused value are in the list already.
 */
export function recall(
  run: Run,
  check: Check,
  value: unknown,
  path: string,
  seen?: Seen | undefined
): boolean | undefined {
  const known = run.verdicts?.get(check)?.of(value, path)
  // An earlier call may not have collected the evaluated members.
  if (known === undefined || (seen !== undefined && known.isValid && known.seen === undefined))
    return undefined
  if (known.seen !== undefined) seen?.add(known.seen)
  if (!known.isValid && !run.isBrief) run.failures++
  return known.isValid
}

/** Caches the verdict on an object or list, or on the last other value. */
export function remember(
  run: Run,
  check: Check,
  value: unknown,
  path: string,
  isValid: boolean,
  seen?: Seen | undefined
): boolean {
  run.verdicts ??= new Map()
  let verdicts = run.verdicts.get(check)
  if (verdicts === undefined) {
    verdicts = new Verdicts()
    run.verdicts.set(check, verdicts)
  }
  const verdict = { isValid, seen }
  if (typeof value === 'object' && value !== null) verdicts.objects.set(value, verdict)
  else verdicts.last = { value, path, verdict }
  return isValid
}

/** Longest name in a path. Messages show 64 characters of it (server/errors/validation-problems.ts). */
const maxNameLength = 200
const maxPathLength = 4096

/** Cache of the last name and its segment, which all items of one member share. */
let last = { name: '', segment: '' }

/** Returns a segment of a JSON pointer (RFC 6901, section 3); truncates a long name. */
export function pointerSegment(name: string): string {
  const short = name.length > maxNameLength ? name.slice(0, maxNameLength) : name
  if (short !== last.name) last = { name: short, segment: short.replaceAll('~', '~0').replaceAll('/', '~1') }
  return last.segment
}

/** Returns the path of a member for the call of a function: without the middle of a long one, empty where none is read. */
export function below(run: Run, path: string, member: string): string {
  if (run.isBrief) return ''
  const whole = path + member
  if (whole.length <= maxPathLength) return whole
  return `${whole.slice(0, maxPathLength / 4)}…${whole.slice(-maxPathLength / 4)}`
}
