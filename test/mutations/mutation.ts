/** A guarantee, an edit that breaks it, and the test that fails then. */
export interface Mutation {
  readonly guarantee: string
  readonly file: string
  /** Occurs once in the file. */
  readonly search: string
  readonly replacement: string
  /** Path in test/. */
  readonly test: string
}
