/** Every rule for comparing two contracts. Names are stable, because accepted changes and filters use them. */
import { type List, type Rule, type SchemaRule, schemaRules } from '../schemas/kinds.ts'
import { type OperationRule, operationRules } from './operation-rules.ts'

export type { List } from '../schemas/kinds.ts'
export type RuleId = OperationRule | SchemaRule

export const rules: readonly Rule[] = [
  ...Object.entries(operationRules).map(([id, [list, sentence]]) => ({ id, list, sentence })),
  ...schemaRules
]

const lists: ReadonlyMap<string, List> = new Map(rules.map(({ id, list }) => [id, list]))

export const isRule = (id: string): id is RuleId => lists.has(id)

export const isOperationRule = (id: string): boolean => Object.hasOwn(operationRules, id)

/** Returns the list for the changes of a rule. */
export const listOf = (rule: RuleId): List => lists.get(rule) as List

/** Returns the table of the documentation, in Markdown. */
export function rulesTable(): string {
  const rows = rules.map(({ id, list, sentence }) => `| \`${id}\` | ${list} | ${sentence} |`)
  return ['| rule | list | when |', '|---|---|---|', ...rows].join('\n')
}

/** The changes between two contracts, as `contract:diff` writes them. */
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
