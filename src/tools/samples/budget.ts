/**
 * Bounds the work for one instance: `minItems: 1000` in three levels are a thousand million values, and conditions of
 * conditions have as many cases.
 */
import fc from 'fast-check'

/** Most values of one instance, including those that are tried and refused on the way. */
export const maxValues = 100_000
/** Most values of one instance with optional parts; beyond, they are made in fewer levels. */
const maxOptional = 10_000
/** Most characters of one instance. */
export const maxCharacters = 1_000_000
/** Most values of the trials that show which instances are possible. */
const maxTried = 5 * maxValues
/** Most combinations of schemas that apply together, each of which has instances of its own. */
const maxCombinations = 300
/** Number of combinations after which one possible alternative is enough. */
const manyCombinations = 60

/** Is thrown while an instance is made, as soon as the budget is used up. */
class BudgetExceeded extends Error {}

/**
 * Runs a function that makes instances, with optional parts in fewer and fewer levels until the budget suffices.
 * @returns undefined if it does not even suffice without optional parts
 */
export function withinBudget<T>(
  make: (depth: number) => T,
  depth = 0,
  onExceeded: () => void = () => {}
): T | undefined {
  try {
    return make(depth)
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    if (depth > 0) return withinBudget(make, Math.floor(depth / 2), onExceeded)
    onExceeded()
    return undefined
  }
}

/** The budget of the instances of one schema: one counter for all of their parts. */
export class Budget {
  #values = 0
  #characters = 0
  #tried = 0
  #combinations = 0
  #isMaking = false
  #isBuilding = false
  readonly #most: number

  /** @param isWhole true for instances with optional parts */
  constructor(isWhole = false) {
    this.#most = isWhole ? maxOptional : maxValues
  }

  /** Calls a function that builds instances, which begins the budget of trials and combinations. */
  build<T>(build: () => T): T {
    ;[this.#isBuilding, this.#tried, this.#combinations] = [true, 0, 0]
    try {
      return build()
    } finally {
      this.#isBuilding = false
    }
  }

  /** @throws {BudgetExceeded} when a list, an object or a text alone needs more than an instance may have */
  require(values: number, characters = 0): void {
    if (values > maxValues || characters > maxCharacters) throw new BudgetExceeded()
  }

  combine(): void {
    if (++this.#combinations > maxCombinations) throw new BudgetExceeded()
  }

  /** True when alternatives multiply, so that one of them has to be enough. */
  get isScarce(): boolean {
    return this.#combinations > manyCombinations
  }

  write(text: string): void {
    this.#characters = text.length + (this.#isMaking ? this.#characters : 0)
    this.require(0, this.#characters)
  }

  /** Returns the instances, each counted before its parts are made. */
  counted<T>(instances: fc.Arbitrary<T>): fc.Arbitrary<T> {
    return new Counted((make) => this.#counted(make), instances)
  }

  /** Counts a value; the outermost one begins an instance. */
  #counted<T>(make: () => T): T {
    const isOutermost = !this.#isMaking
    if (isOutermost) this.#begin()
    try {
      if (this.#isBuilding && ++this.#tried > maxTried) throw new BudgetExceeded()
      if (++this.#values > this.#most) throw new BudgetExceeded()
      return make()
    } finally {
      if (isOutermost) this.#isMaking = false
    }
  }

  #begin(): void {
    ;[this.#isMaking, this.#values, this.#characters] = [true, 0, 0]
    if (!this.#isBuilding) this.#combinations = 0
  }
}

type Count = <T>(make: () => T) => T

/** Counts before it generates: an arbitrary that is mapped would count when all parts are made. */
class Counted<T> extends fc.Arbitrary<T> {
  readonly #count: Count
  readonly #instances: fc.Arbitrary<T>

  constructor(count: Count, instances: fc.Arbitrary<T>) {
    super()
    this.#count = count
    this.#instances = instances
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.#count(() => this.#instances.generate(random, bias))
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#instances.canShrinkWithoutContext(value)
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#instances.shrink(value, context)
  }
}

/** Numbers of trials before instances count as impossible: most need only the first few. */
const trials = [3, 60]

/** @returns undefined if none of the trials is accepted */
export function kept<T>(
  instances: fc.Arbitrary<T> | undefined,
  isAccepted: (instance: T) => boolean
): fc.Arbitrary<T> | undefined {
  if (instances === undefined) return undefined
  // What only the bias of fast-check makes often enough is not found again without it.
  const unbiased = fc.noBias(instances)
  const isPossible = trials.some((numRuns) => fc.sample(unbiased, { seed: 1, numRuns }).some(isAccepted))
  return isPossible ? instances.filter(isAccepted) : undefined
}
