/** Checks every stored plant against the contract of today, page by page, and keeps the result in the store. */
import { NotesRefused, type Store } from '../store/store.ts'
import { afterPage, type CheckResult, fromNote, type Misfit, noteName, toNote } from './misfits.ts'
import type { Plants } from './plant.ts'

interface CheckOptions {
  /** Starts with the first plant, even if a former check can be resumed. */
  readonly isAnew?: boolean
  /** Called after each page; the next page waits for it. */
  readonly onPage?: (result: CheckResult, misfits: readonly Misfit[]) => Promise<void> | void
  /** Maximum of plants in a page. */
  readonly limit?: number
}

/** Check that can be interrupted between two pages and resumed later. */
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
    const result = fromNote(this.#note)
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
      result = afterPage(result, page, misfits)
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
    const fits = fromNote(this.#note)?.fits
    const { digest } = this.#plants
    return { digest, fits, checked: 0, misfits: 0, first: undefined, after: undefined, isDone: false }
  }

  async #end(result: CheckResult): Promise<CheckResult> {
    const fits = result.misfits === 0 ? result.digest : result.fits
    const ended = { ...result, fits, after: undefined, isDone: true }
    await this.keep(ended)
    this.#progress = undefined
    return ended
  }
}
