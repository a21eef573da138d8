/** A guarantee, an edit that breaks it, and the test that then fails. */
export interface Mutation {
  readonly guarantee: string
  readonly file: string
  /** Text that occurs once in the file. */
  readonly search: string
  readonly replacement: string
  /** Path of the test, below test/. */
  readonly test: string
}
