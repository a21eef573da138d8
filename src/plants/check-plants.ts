/** Checks every stored plant against the contract of today, page by page, and keeps the result in the store. */
import { NotesRefused, type Store } from '../store/store.ts'
import type { Misfit, Plants } from './plant.ts'

/** Result of a check, complete or not. */
export interface CheckResult {
  /** Digest of the schema of a plant. */
  readonly digest: string
  /** Last digest of a schema that all stored plants fitted. */
  readonly fits: string | undefined
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
    const fits = fromNote<CheckResult>(this.#note)?.fits
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
