/**
 * Every rule for comparing two contracts; docs/diff-rules.md says what each means. Names are stable, because accepted
 * changes and filters use them.
 */
import { type List, type Rule, type SchemaRule, schemaRules } from '../schemas/rules.ts'

export type { List } from '../schemas/rules.ts'

/** Rules for everything except schemas, each with the list for its changes. */
export const operationRules = {
  'path-removed': 'breaking',
  'operation-removed': 'breaking',
  'operation-moved': 'breaking',
  'operation-removed-after-sunset': 'compatible',
  'operation-added': 'compatible',
  'operation-id-changed': 'undecided',
  'operation-deprecated': 'compatible',
  'operation-undeprecated': 'compatible',
  'sunset-added': 'compatible',
  'sunset-removed': 'compatible',
  'sunset-moved-earlier': 'breaking',
  'sunset-moved-later': 'compatible',
  'sunset-unreadable': 'undecided',
  'strict-query-added': 'breaking',
  'strict-query-removed': 'compatible',
  'required-parameter-added': 'breaking',
  'optional-parameter-added': 'compatible',
  'required-parameter-removed': 'undecided',
  'optional-parameter-removed': 'undecided',
  'parameter-became-required': 'breaking',
  'parameter-became-optional': 'compatible',
  'parameter-texts-kept': 'compatible',
  'parameter-texts-narrowed': 'breaking',
  'parameter-texts-undecided': 'undecided',
  'parameter-style-changed': 'breaking',
  'parameter-explode-changed': 'breaking',
  'parameter-media-type-changed': 'breaking',
  'parameter-reserved-allowed': 'compatible',
  'parameter-reserved-refused': 'breaking',
  'parameter-empty-allowed': 'compatible',
  'parameter-empty-refused': 'breaking',
  'parameter-deprecated': 'compatible',
  'parameter-undeprecated': 'compatible',
  'required-request-body-added': 'breaking',
  'optional-request-body-added': 'compatible',
  'request-body-removed': 'breaking',
  'request-body-became-required': 'breaking',
  'request-body-became-optional': 'compatible',
  'request-media-type-removed': 'breaking',
  'request-media-type-added': 'compatible',
  'request-encoding-changed': 'breaking',
  'request-encoding-kept': 'compatible',
  'body-limit-lowered': 'breaking',
  'body-limit-raised': 'compatible',
  'response-status-added': 'undecided',
  'response-status-removed': 'compatible',
  'response-success-removed': 'breaking',
  'response-body-removed': 'breaking',
  'response-body-added': 'undecided',
  'response-media-type-removed': 'breaking',
  'response-media-range-narrowed': 'compatible',
  'response-media-type-added': 'undecided',
  'response-encoding-changed': 'breaking',
  'response-encoding-kept': 'compatible',
  'required-response-header-removed': 'breaking',
  'optional-response-header-removed': 'undecided',
  'response-header-added': 'compatible',
  'response-header-became-required': 'compatible',
  'response-header-became-optional': 'breaking',
  'response-header-deprecated': 'compatible',
  'response-header-undeprecated': 'compatible',
  'response-header-serialization-changed': 'breaking',
  'response-header-texts-kept': 'compatible',
  'response-header-texts-widened': 'breaking',
  'response-header-texts-undecided': 'undecided',
  'link-removed': 'undecided',
  'link-added': 'compatible',
  'link-changed': 'undecided',
  'security-added': 'breaking',
  'security-removed': 'compatible',
  'security-alternative-removed': 'breaking',
  'security-alternative-added': 'compatible',
  'security-scheme-added': 'breaking',
  'security-scheme-removed': 'compatible',
  'security-scheme-changed': 'breaking',
  'security-scope-added': 'breaking',
  'security-scope-removed': 'compatible',
  'oauth-flow-removed': 'breaking',
  'oauth-flow-added': 'compatible',
  'oauth-url-changed': 'undecided',
  'open-id-url-changed': 'undecided',
  'server-path-changed': 'breaking',
  'server-removed': 'undecided',
  'server-added': 'compatible',
  'server-variable-changed': 'undecided',
  'callback-removed': 'undecided',
  'callback-added': 'compatible',
  'callback-part-lost': 'breaking',
  'callback-part-gained': 'compatible',
  'callback-changed': 'undecided',
  'webhook-removed': 'undecided',
  'webhook-added': 'compatible',
  'webhook-part-lost': 'breaking',
  'webhook-part-gained': 'compatible',
  'webhook-changed': 'undecided'
} as const satisfies Readonly<Record<string, List>>

export type RuleId = keyof typeof operationRules | SchemaRule

export const rules: readonly Rule[] = [
  ...Object.entries(operationRules).map(([id, list]) => ({ id, list })),
  ...schemaRules
]

const lists: ReadonlyMap<string, List> = new Map(rules.map(({ id, list }) => [id, list]))

export const isRule = (id: string): id is RuleId => lists.has(id)

export const isOperationRule = (id: string): boolean => Object.hasOwn(operationRules, id)

export const listOf = (rule: RuleId): List => lists.get(rule) as List

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
