/** What has changed between two contracts, as `contract:diff` writes it. */
import type { List, RuleId } from './rules/rules.ts'

export interface Change {
  readonly rule: RuleId
  /** By its old path: `POST /pets`; null for the document. */
  readonly operation: string | null
  readonly place: string
  readonly message: string
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

export type Report = Readonly<Record<List, readonly Change[]>>
