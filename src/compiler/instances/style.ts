/** Style of instances: anything valid, or values that a person would write. */
export interface Style {
  /** True for realistic texts, small numbers, short lists, every declared property. */
  readonly isPlain: boolean
  /** True when plain instances use valid examples and defaults of the contract. */
  readonly usesExamples: boolean
}
