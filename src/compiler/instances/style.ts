/** How instances look: anything that is valid, or what a person would write. */
export interface Style {
  /** Realistic texts, small numbers, short lists, every declared property. */
  readonly isPlain: boolean
  /** Plain instances take examples and defaults of the contract where these are valid. */
  readonly usesExamples: boolean
}
