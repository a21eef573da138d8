/** Every rule for comparing two contracts. Names are stable, because accepted changes and filters use them. */
import { type List, type Rule, type SchemaRule, schemaRules, schemaRulesTable } from '../schemas/rules.ts'

export type { List } from '../schemas/rules.ts'

/** Rules for everything except schemas, each with the list for its changes and its meaning. */
export const operationRules = {
  'path-removed': ['breaking', 'All operations of a path are gone.'],
  'operation-removed': ['breaking', 'Other operations of the path are left.'],
  'operation-moved': ['breaking', 'Its URL or method differs, its `operationId` does not.'],
  'operation-removed-after-sunset': ['compatible', 'It was deprecated, and its `x-sunset` is over.'],
  'operation-added': ['compatible', 'An operation is new.'],
  'operation-id-changed': ['undecided', 'Generated clients name functions by it.'],
  'operation-deprecated': ['compatible', 'It is now deprecated.'],
  'operation-undeprecated': ['compatible', 'It is no longer deprecated.'],
  'sunset-added': ['compatible', '`x-sunset` is new.'],
  'sunset-removed': ['compatible', '`x-sunset` is gone.'],
  'sunset-moved-earlier': ['breaking', '`x-sunset` is earlier than announced.'],
  'sunset-moved-later': ['compatible', '`x-sunset` is later than announced.'],
  'sunset-unreadable': ['undecided', 'The new `x-sunset` is no date.'],
  'strict-query-added': ['breaking', '`x-strict-query` refuses undeclared names.'],
  'strict-query-removed': ['compatible', 'Undeclared names are accepted.'],
  'required-parameter-added': ['breaking', 'A required parameter is new.'],
  'optional-parameter-added': ['compatible', 'An optional parameter is new.'],
  'required-parameter-removed': ['undecided', 'Clients still send it.'],
  'optional-parameter-removed': ['undecided', 'Clients may still send it.'],
  'parameter-became-required': ['breaking', 'It was optional.'],
  'parameter-became-optional': ['compatible', 'It was required.'],
  'parameter-texts-kept': ['compatible', 'Type or style differs; earlier texts stay valid.'],
  'parameter-texts-narrowed': ['breaking', 'The new type refuses earlier texts.'],
  'parameter-texts-undecided': ['undecided', 'The new type may refuse earlier texts.'],
  'parameter-style-changed': ['breaking', '`style` differs.'],
  'parameter-explode-changed': ['breaking', '`explode` differs.'],
  'parameter-media-type-changed': ['breaking', '`content` differs, or is new or gone.'],
  'parameter-reserved-allowed': ['compatible', '`allowReserved` is set.'],
  'parameter-reserved-refused': ['breaking', '`allowReserved` is gone.'],
  'parameter-empty-allowed': ['compatible', '`allowEmptyValue` is set.'],
  'parameter-empty-refused': ['breaking', '`allowEmptyValue` is gone.'],
  'parameter-deprecated': ['compatible', 'It is now deprecated.'],
  'parameter-undeprecated': ['compatible', 'It is no longer deprecated.'],
  'required-request-body-added': ['breaking', 'A required body is new.'],
  'optional-request-body-added': ['compatible', 'An optional body is new.'],
  'request-body-removed': ['breaking', 'Clients still send it.'],
  'request-body-became-required': ['breaking', 'It was optional.'],
  'request-body-became-optional': ['compatible', 'It was required.'],
  'request-media-type-removed': ['breaking', 'It is no longer accepted.'],
  'request-media-type-added': ['compatible', 'It is accepted, too.'],
  'request-encoding-changed': ['breaking', 'A part or a form field is encoded otherwise.'],
  'request-encoding-kept': ['compatible', 'A part may be encoded otherwise, too.'],
  'body-limit-lowered': ['breaking', '`x-body-limit` is lower.'],
  'body-limit-raised': ['compatible', '`x-body-limit` is higher.'],
  'response-status-added': ['undecided', 'No range nor `default` declared it.'],
  'response-status-removed': ['compatible', 'A status is gone.'],
  'response-success-removed': ['breaking', 'No declared success is left.'],
  'response-body-removed': ['breaking', 'An answer has no body.'],
  'response-body-added': ['undecided', 'An answer had no body.'],
  'response-media-type-removed': ['breaking', 'Clients that ask for it get 406.'],
  'response-media-range-narrowed': ['compatible', 'A range became a part of it.'],
  'response-media-type-added': ['undecided', 'Clients without `Accept` may get it.'],
  'response-encoding-changed': ['breaking', 'A part of an answer is encoded otherwise.'],
  'response-encoding-kept': ['compatible', 'A part of an answer is encoded in fewer ways.'],
  'required-response-header-removed': ['breaking', 'It was always sent.'],
  'optional-response-header-removed': ['undecided', 'It was sometimes sent.'],
  'response-header-added': ['compatible', 'A header is new.'],
  'response-header-became-required': ['compatible', 'It is always sent.'],
  'response-header-became-optional': ['breaking', 'It is not always sent.'],
  'response-header-deprecated': ['compatible', 'It is now deprecated.'],
  'response-header-undeprecated': ['compatible', 'It is no longer deprecated.'],
  'response-header-serialization-changed': ['breaking', '`content` or `explode` differs.'],
  'response-header-texts-kept': ['compatible', 'The type differs; every text was valid before.'],
  'response-header-texts-widened': ['breaking', 'Some texts were not valid before.'],
  'response-header-texts-undecided': ['undecided', 'Some texts may not have been valid.'],
  'link-removed': ['undecided', 'A link is gone.'],
  'link-added': ['compatible', 'A link is new.'],
  'link-changed': ['undecided', 'A link leads elsewhere.'],
  'security-added': ['breaking', 'No credentials were needed.'],
  'security-removed': ['compatible', 'No credentials are needed.'],
  'security-alternative-removed': ['breaking', 'Sufficient credentials no longer suffice.'],
  'security-alternative-added': ['compatible', 'Other credentials suffice, too.'],
  'security-scheme-added': ['breaking', 'Further credentials are needed at once.'],
  'security-scheme-removed': ['compatible', 'Fewer credentials are needed at once.'],
  'security-scheme-changed': ['breaking', 'Credentials are sent otherwise.'],
  'security-scope-added': ['breaking', 'Another scope is needed.'],
  'security-scope-removed': ['compatible', 'Fewer scopes are needed.'],
  'oauth-flow-removed': ['breaking', 'An OAuth flow is gone.'],
  'oauth-flow-added': ['compatible', 'An OAuth flow is new.'],
  'oauth-url-changed': ['undecided', 'An OAuth flow has another URL.'],
  'open-id-url-changed': ['undecided', '`openIdConnectUrl` differs.'],
  'server-path-changed': ['breaking', 'No URL of an operation is left.'],
  'server-removed': ['undecided', 'A server URL is gone.'],
  'server-added': ['compatible', 'A server URL is new.'],
  'server-variable-changed': ['undecided', 'A server URL has other variables.'],
  'callback-removed': ['undecided', 'A callback is gone.'],
  'callback-added': ['compatible', 'A callback is new.'],
  'callback-part-lost': ['breaking', 'Something is no longer sent, or sent otherwise.'],
  'callback-part-gained': ['compatible', 'Something is sent, too, or always.'],
  'callback-changed': ['undecided', 'More than its schemas differs.'],
  'webhook-removed': ['undecided', 'A webhook is gone.'],
  'webhook-added': ['compatible', 'A webhook is new.'],
  'webhook-part-lost': ['breaking', 'Something is no longer sent, or sent otherwise.'],
  'webhook-part-gained': ['compatible', 'Something is sent, too, or always.'],
  'webhook-changed': ['undecided', 'More than its schemas differs.']
} as const satisfies Readonly<Record<string, readonly [List, string]>>

export type RuleId = keyof typeof operationRules | SchemaRule

export const rules: readonly Rule[] = [
  ...Object.entries(operationRules).map(([id, [list]]) => ({ id, list })),
  ...schemaRules
]

const lists: ReadonlyMap<string, List> = new Map(rules.map(({ id, list }) => [id, list]))

export const isRule = (id: string): id is RuleId => lists.has(id)

export const isOperationRule = (id: string): boolean => Object.hasOwn(operationRules, id)

export const listOf = (rule: RuleId): List => lists.get(rule) as List

/** Returns the tables of the documentation, in Markdown: operations by list, then schemas by kind. */
export function rulesTables(): string {
  const byList = Map.groupBy(Object.entries(operationRules), ([, [list]]) => list)
  const tables = [...byList].map(([list, found]) => {
    const rows = found.map(([id, [, sentence]]) => `| \`${id}\` | ${sentence} |`)
    return [`## Operations: ${list}`, '', '| rule | |', '|---|---|', ...rows].join('\n')
  })
  return [...tables, `## Schemas\n\n${schemaRulesTable()}`].join('\n\n')
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
