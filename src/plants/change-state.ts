/** Progress of a change of stored plants. The store writes it in the transaction of each batch. */

export interface ChangeState {
  /** SHA-256 of the text of the user's module. */
  readonly source: string
  /** Digest of the schema of a plant. */
  readonly digest: string
  /** Last id that was passed through the function. */
  readonly after: bigint | undefined
  readonly seen: number
  readonly changed: number
  readonly isDone: boolean
  /** Id of the run; differs between two runs of one change. */
  readonly run: string
}

export const noteName = 'change'

export function toNote(state: ChangeState): string {
  return JSON.stringify(state, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

export function fromNote(text: string | undefined): ChangeState | undefined {
  if (text === undefined) return undefined
  const { after, ...state } = JSON.parse(text) as ChangeState
  return { ...state, after: after === undefined ? undefined : BigInt(after) }
}
