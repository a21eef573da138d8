/**
 * Checks every stored plant against the contract of today, page by page, and keeps the result in the store: on command,
 * and in the background after a start with another contract.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { NotesRefused, type Store } from '../store/store.ts'
import type { Misfit, Plants } from './plant.ts'

/** Result of a check, complete or not. */
export interface CheckResult {
  /** Digest of the schema of a plant. */
  readonly digest: string
  readonly checked: number
  readonly misfits: number
  readonly first: Misfit | undefined
  /** Last id that was checked; undefined when the check has ended. */
  readonly after: bigint | undefined
  readonly isDone: boolean
}

const noteName = 'check'

/** @returns `12 of 40,311 stored plants do not fit Plant any more; first id 77: kind is required` */
export function sentenceOf({ checked, misfits, first }: CheckResult): string {
  const count = `${misfits.toLocaleString('en')} of ${checked.toLocaleString('en')}`
  if (first === undefined) return `all ${checked.toLocaleString('en')} stored plants fit Plant`
  return `${count} stored plants do not fit Plant any more; first id ${first.id}: ${first.reason}`
}

/** Writes a result, or the progress of a change, for the store: bigints as texts. */
export function toNote(result: object): string {
  return JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

const ids = ['id', 'after']

/** @returns undefined for a note that does not exist */
export function fromNote<State extends object>(text: string | undefined): State | undefined {
  if (text === undefined) return undefined
  const state = JSON.parse(text, (key, value) => (ids.includes(key) ? BigInt(value) : value))
  return { after: undefined, ...state }
}

interface CheckOptions {
  /** Starts with the first plant, even if a former check can be resumed. */
  readonly isAnew?: boolean
  /** Called after each page; the next page waits for it. */
  readonly onPage?: (result: CheckResult, misfits: readonly Misfit[]) => Promise<void> | void
  /** Maximum of plants in a page. */
  readonly limit?: number
}

export class PlantCheck {
  /** Reason why the store keeps no result. */
  refusal: string | undefined
  readonly #store: Store
  readonly #plants: Plants
  #note: string | undefined
  /** Progress of this process, at which a run continues after an error of the store. */
  #progress: CheckResult | undefined
  #isOvertaken = false

  constructor(store: Store, plants: Plants) {
    this.#store = store
    this.#plants = plants
  }

  /** @returns the result that the store keeps for this contract; undefined when there is none */
  async kept(): Promise<CheckResult | undefined> {
    this.#note = await this.#store.note(noteName)
    const result = fromNote<CheckResult>(this.#note)
    return result?.digest === this.#plants.digest ? result : undefined
  }

  /** @throws {StoreUnavailable} */
  async run({ isAnew = false, onPage = () => {}, limit = 500 }: CheckOptions = {}): Promise<CheckResult> {
    const kept = this.#progress ?? (await this.kept())
    let result = kept === undefined || isAnew ? this.#begin() : kept
    for (;;) {
      this.#progress = result
      const page = await this.#store.page({ after: result.after, limit })
      const misfits = page.flatMap((each) => this.#plants.misfit(each) ?? [])
      if (page.length === 0) return this.#end(result)
      result = {
        ...result,
        checked: result.checked + page.length,
        misfits: result.misfits + misfits.length,
        first: result.first ?? misfits[0],
        after: page.at(-1)?.id
      }
      await onPage(result, misfits)
    }
  }

  /**
   * Stores the result, also of a check that has not ended. A result that another process has stored meanwhile stays:
   * it may have changed plants that this check has passed.
   */
  async keep(result: CheckResult): Promise<void> {
    const text = toNote(result)
    if (text === this.#note || this.#isOvertaken || this.refusal !== undefined) return
    this.#isOvertaken = !(await this.#replace(text))
    this.#note = text
  }

  /** Removes the result: stored plants have changed, and processes with another contract may have written meanwhile. */
  async forget(): Promise<void> {
    do await this.kept()
    while (!(await this.#replace(toNote(this.#begin()))))
  }

  async #replace(after: string): Promise<boolean> {
    const note = { name: noteName, before: this.#note, after }
    try {
      return await this.#store.rewrite([], note)
    } catch (error) {
      if (!(error instanceof NotesRefused)) throw error
      this.refusal = error.message
      return true
    }
  }

  #begin(): CheckResult {
    const { digest } = this.#plants
    return { digest, checked: 0, misfits: 0, first: undefined, after: undefined, isDone: false }
  }

  async #end(result: CheckResult): Promise<CheckResult> {
    const ended = { ...result, after: undefined, isDone: true }
    await this.keep(ended)
    this.#progress = undefined
    return ended
  }
}

interface CheckLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface Pace {
  /** Number of plants that are checked without a pause. */
  readonly limit: number
  readonly pauseMs: number
  /** Interval between two log lines, and between two writes of the progress to the store. */
  readonly reportMs: number
  readonly retryMs: number
}

/** Default pace: at most 10,000 plants a second, which takes about 5 % of a core. */
const usualPace: Pace = { limit: 200, pauseMs: 20, reportMs: 10_000, retryMs: 10_000 }

const next = 'npm run store:check lists them; docs/changing-stored-data.md says how to change them'

/** Checks the stored plants after a start, and logs those that do not fit. */
export class BackgroundCheck {
  readonly #check: PlantCheck
  readonly #log: CheckLog
  readonly #pace: Pace
  readonly #closing = new AbortController()
  /** Resolves when all plants are checked, or after `close`. */
  readonly ended: Promise<void>
  #reported = performance.now()

  constructor(store: Store, plants: Plants, log: CheckLog, pace: Partial<Pace> = {}) {
    this.#check = new PlantCheck(store, plants)
    this.#log = log
    this.#pace = { ...usualPace, ...pace }
    this.ended = this.#run()
  }

  /** Ends the check after the current page; the next start resumes there. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.ended
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        return await this.#attempt()
      } catch (error) {
        if (this.#closing.signal.aborted) return
        this.#log.warn({ err: error }, 'stored plants could not be checked; trying again')
        await this.#pause(this.#pace.retryMs)
      }
    }
  }

  async #attempt(): Promise<void> {
    const kept = await this.#check.kept()
    if (kept?.isDone) return this.#report(kept, kept.misfits > 0)
    const { limit } = this.#pace
    const result = await this.#check.run({ limit, onPage: (result) => this.#afterPage(result) })
    this.#report(result, result.checked > 0)
    const { refusal } = this.#check
    if (refusal !== undefined) this.#log.warn({ reason: refusal }, 'each start checks all stored plants')
  }

  async #afterPage(result: CheckResult): Promise<void> {
    const isDue = performance.now() - this.#reported > this.#pace.reportMs
    if (isDue) this.#log.info(fieldsOf(result), 'checking stored plants')
    if (isDue) this.#reported = performance.now()
    if (isDue || this.#closing.signal.aborted) await this.#check.keep(result)
    this.#closing.signal.throwIfAborted()
    await this.#pause(this.#pace.pauseMs)
  }

  #report(result: CheckResult, isWorthALine: boolean): void {
    if (!isWorthALine) return
    if (result.misfits > 0) this.#log.warn({ ...fieldsOf(result), next }, sentenceOf(result))
    else this.#log.info(fieldsOf(result), sentenceOf(result))
  }

  /** Ends early when the check is closed; does not keep the process running. */
  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined)
  }
}

const fieldsOf = ({ checked, misfits }: CheckResult): object => ({ checked, misfits })
