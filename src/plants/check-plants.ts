/** Checks every stored plant against the contract of today, page by page, and keeps the result in the store. */
import type { Store } from '../store/store.ts'
import { afterPage, type CheckResult, fromNote, type Misfit, noteName, toNote } from './misfits.ts'
import type { Plants } from './plant.ts'

export interface CheckOptions {
  /** Starts with the first plant, even if a former check can be resumed. */
  readonly isAnew?: boolean
  /** Called after each page; the next page waits for it. */
  readonly onPage?: (result: CheckResult, misfits: readonly Misfit[]) => Promise<void> | void
  /** Maximum of plants in a page. */
  readonly limit?: number
}

/** Check that can be interrupted between two pages and resumed later. */
export class PlantCheck {
  readonly #store: Store
  readonly #plants: Plants
  #note: string | undefined

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
    const kept = await this.kept()
    let result = kept === undefined || isAnew ? this.#begin() : kept
    for (;;) {
      const page = await this.#store.page({ after: result.after, limit })
      const misfits = page.flatMap((each) => this.#plants.misfit(each) ?? [])
      if (page.length === 0) return this.#end(result)
      result = afterPage(result, page, misfits)
      await onPage(result, misfits)
    }
  }

  /** Stores the result, also of a check that has not ended. */
  async keep(result: CheckResult): Promise<void> {
    const text = toNote(result)
    if (text === this.#note) return
    const note = { name: noteName, before: this.#note, after: text }
    // If another process has stored a result meanwhile, that one stays.
    if (await this.#store.rewrite([], note)) this.#note = text
    else this.#note = await this.#store.note(noteName)
  }

  /** Stores the result that every plant fits, after all of them were validated elsewhere. */
  async keepFit(checked: number): Promise<void> {
    await this.kept()
    await this.#end({ ...this.#begin(), checked })
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
    return ended
  }
}
