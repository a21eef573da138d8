/** A guarantee, how it could be lost, and the test that would tell. */
export interface Mutation {
  readonly guarantee: string
  readonly file: string
  /** Occurs once in the file. */
  readonly search: string
  readonly replacement: string
  /** Below test/. */
  readonly test: string
}
