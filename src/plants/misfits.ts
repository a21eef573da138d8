/** Stored plants that no longer fit the contract, and the sentences about them. */
import type { StoredPlant } from '../store/store.ts'

export interface Misfit {
  readonly id: bigint
  /** `kind is required; tag must be string` */
  readonly reason: string
}

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

export const noteName = 'check'

/** @returns `12 of 40,311 stored plants do not fit Plant any more; first id 77: kind is required` */
export function sentenceOf({ checked, misfits, first }: CheckResult): string {
  const count = `${misfits.toLocaleString('en')} of ${checked.toLocaleString('en')}`
  if (first === undefined) return `all ${checked.toLocaleString('en')} stored plants fit Plant`
  return `${count} stored plants do not fit Plant any more; first id ${first.id}: ${first.reason}`
}

/** Returns the result after another page of plants. */
export function afterPage(
  result: CheckResult,
  page: readonly StoredPlant[],
  misfits: readonly Misfit[]
): CheckResult {
  return {
    ...result,
    checked: result.checked + page.length,
    misfits: result.misfits + misfits.length,
    first: result.first ?? misfits[0],
    after: page.at(-1)?.id
  }
}

/** Writes a result, or the progress of a change, for the store: bigints as texts. */
export function toNote(result: object): string {
  return JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

/** @returns undefined for a text that this program did not write */
export function fromNote(text: string | undefined): CheckResult | undefined {
  if (text === undefined) return undefined
  const { after, first, ...result } = JSON.parse(text) as CheckResult
  return {
    ...result,
    after: after === undefined ? undefined : BigInt(after),
    first: first && { id: BigInt(first.id), reason: first.reason }
  }
}
