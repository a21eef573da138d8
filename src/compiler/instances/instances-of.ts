/** The style of instances, and the request of list and object makers for the instances inside of them. */
import type fc from 'fast-check'
import type { Json } from '../compile/document/json-value.ts'
import type { Budget } from './budget.ts'
import type { Schemas } from './schemas.ts'

export interface InstancesOf {
  readonly schemas: Schemas
  readonly style: Style
  readonly budget: Budget
  /** True when only required parts are made, so that recursion ends. */
  readonly isLean: boolean
  /**
   * @param name name of the property, if it is one
   * @returns undefined if there is no instance, or only one that is nested too deeply
   */
  readonly of: (all: readonly Json[], name?: string) => fc.Arbitrary<unknown> | undefined
}

export interface Style {
  /** True for realistic texts, small numbers, short lists, every declared property. */
  readonly isPlain: boolean
  /** True when plain instances use valid examples and defaults of the contract. */
  readonly usesExamples: boolean
}
