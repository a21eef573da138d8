/**
 * Decides whether every value of some schemas is valid by others, and explains why not. Each pair of schemas is compared
 * once: its result is made first and filled later, so that cycles close; a pair under comparison is assumed to hold.
 */
import {
  digestOf,
  type Flag,
  hiddenFlags,
  idOf,
  type Origin,
  type Schema,
  target,
  type Writer
} from '@contract-first/contract'
import { annotationFindings } from './annotations.ts'
import { type Case, casesOf } from './cases.ts'
import { type Direction, type Item, isProven, type Pair, unfinished } from './comparison.ts'
import type { Role } from './rules.ts'
import { unionItems } from './unions.ts'

const same: Pair = { items: [] }

/** Pairs and cases that one message may compare: schemas can name each other so that their meaning takes exponential work. */
const maxSteps = 20_000
/** Differences of one message that are tried with samples. */
const maxTrials = 300

export class SchemaDirection implements Direction {
  readonly role: Role
  readonly isSentNew: boolean
  readonly #budget: { left: number; trials: number }
  readonly #pairs = new Map<string, Pair>()
  #other: SchemaDirection | undefined

  constructor(role: Role, isSentNew: boolean, budget = { left: maxSteps, trials: maxTrials }) {
    this.role = role
    this.isSentNew = isSentNew
    this.#budget = budget
  }

  get reversed(): SchemaDirection {
    this.#other ??= new SchemaDirection(this.role, !this.isSentNew, this.#budget)
    this.#other.#other = this
    return this.#other
  }

  get writer(): Writer {
    return this.role === 'request' ? 'client' : 'service'
  }

  get flag(): Flag {
    return hiddenFlags[this.writer]
  }

  /** @param around place of the innermost part of the new contract that still exists */
  compare(senders: readonly Schema[], receivers: readonly Schema[], around: Origin): Pair {
    const [sent, received] = [senders.map(target), receivers.map(target)]
    if (areSame(sent, received)) return same
    const key = `${sent.map(idOf).sort()} ${received.map(idOf).sort()}`
    const known = this.#pairs.get(key)
    if (known !== undefined) return known
    const [first] = this.isSentNew ? sent : received
    const origin = first?.origin ?? around
    if (this.isSpent()) return { items: [unfinished(origin)] }
    const pair: Pair = { items: [], isOpen: true }
    this.#pairs.set(key, pair)
    pair.items = [
      ...this.compareCases(casesOf(sent), casesOf(received), origin),
      ...annotationFindings({
        direction: this,
        sent: { schemas: sent },
        received: { schemas: received },
        origin
      })
    ]
    pair.isOpen = false
    return pair
  }

  compareCases(sent: readonly Case[], received: readonly Case[], origin: Origin): Item[] {
    return unionItems({ direction: this, sent, received, origin })
  }

  /** Begins another message. */
  restart(): void {
    this.#budget.left = maxSteps
    this.#budget.trials = maxTrials
  }

  isSpent(): boolean {
    return this.#budget.left-- <= 0
  }

  mayTry(): boolean {
    return this.#budget.trials-- > 0
  }

  holds(sent: readonly Schema[], received: readonly Schema[], origin: Origin): boolean {
    return isProven(this, [{ segment: '', pair: this.compare(sent, received, origin) }])
  }
}

const areSame = (sent: readonly Schema[], received: readonly Schema[]): boolean =>
  sent.length === received.length &&
  sent.every((schema, index) => {
    const other = received[index] ?? schema
    return other === schema || digestOf(schema) === digestOf(other)
  })
