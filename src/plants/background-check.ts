/** Checks the stored plants in the background after a start with another contract, and logs those that do not fit. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/store.ts'
import { type CheckResult, PlantCheck, sentenceOf } from './check-plants.ts'
import type { Plants } from './plant.ts'

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

export class BackgroundCheck {
  readonly #check: PlantCheck
  readonly #log: CheckLog
  readonly #pace: Pace
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  #reported = performance.now()

  constructor(store: Store, plants: Plants, log: CheckLog, pace: Partial<Pace> = {}) {
    this.#check = new PlantCheck(store, plants)
    this.#log = log
    this.#pace = { ...usualPace, ...pace }
    this.#ended = this.#run()
  }

  /** Ends the check after the current page; the next start resumes there. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ended
  }

  /** Resolves when all plants are checked, or after `close`. */
  get ended(): Promise<void> {
    return this.#ended
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
