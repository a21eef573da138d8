/** The changes between two contracts, as `contract:diff` writes them. */
import type { List, RuleId } from './rules/rules.ts'

export interface Change {
  readonly rule: RuleId
  /** Operation by its old path: `POST /pets`; null for the document. */
  readonly operation: string | null
  readonly place: string
  readonly message: string
  readonly file: string
  /** Line number, from 1. */
  readonly line: number
  /** Column number, from 1. */
  readonly column: number
}

export type Report = Readonly<Record<List, readonly Change[]>>
