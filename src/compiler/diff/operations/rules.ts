/** Every rule for comparing two contracts. Names are stable, because accepted changes and filters use them. */
import { type List, type Rule, type SchemaRule, schemaRules } from '../schemas/kinds.ts'

export type { List } from '../schemas/kinds.ts'

/** Rules for everything except schemas, each with the list for its changes. */
export const operationRules = {
  'path-removed': ['breaking', 'A path and its operations are gone.'],
  'operation-removed': ['breaking', 'An operation is gone; others of its path are left.'],
  'operation-removed-after-sunset': ['compatible', 'A deprecated operation is gone after its `x-sunset`.'],
  'operation-added': ['compatible', 'An operation is new.'],
  'operation-id-changed': [
    'undecided',
    'An operation has another `operationId`: generated clients name functions by it.'
  ],
  'operation-deprecated': ['compatible', 'An operation is now deprecated.'],
  'operation-undeprecated': ['compatible', 'An operation is no longer deprecated.'],
  'sunset-added': ['compatible', 'An operation has an `x-sunset`.'],
  'sunset-removed': ['compatible', 'An operation has no `x-sunset` any longer.'],
  'sunset-moved-earlier': ['breaking', 'The `x-sunset` of an operation is earlier than announced.'],
  'sunset-moved-later': ['compatible', 'The `x-sunset` of an operation is later than announced.'],
  'sunset-unreadable': ['undecided', 'The new `x-sunset` of an operation is not a date.'],
  'strict-query-added': [
    'breaking',
    'Names in the query that are not declared are refused: `x-strict-query`.'
  ],
  'strict-query-removed': ['compatible', 'Names in the query that are not declared are no longer refused.'],
  'required-parameter-added': ['breaking', 'A required parameter is new.'],
  'optional-parameter-added': ['compatible', 'An optional parameter is new.'],
  'required-parameter-removed': ['undecided', 'A required parameter is gone: clients still send it.'],
  'optional-parameter-removed': ['undecided', 'An optional parameter is gone: clients may still send it.'],
  'parameter-became-required': ['breaking', 'A parameter is now required.'],
  'parameter-became-optional': ['compatible', 'A parameter is no longer required.'],
  'parameter-texts-kept': [
    'compatible',
    'A parameter has other types or another style, and every text of before is still valid.'
  ],
  'parameter-texts-narrowed': ['breaking', 'A parameter has types for which texts of before are not valid.'],
  'parameter-texts-undecided': [
    'undecided',
    'A parameter has other types, and nothing shows if every text of before is still valid.'
  ],
  'parameter-style-changed': ['breaking', 'A parameter is written in another style.'],
  'parameter-explode-changed': ['breaking', 'Lists or objects in a parameter are exploded otherwise.'],
  'parameter-media-type-changed': ['breaking', 'A parameter is written as another media type, or as none.'],
  'parameter-reserved-allowed': ['compatible', 'A parameter may have reserved characters.'],
  'parameter-reserved-refused': ['breaking', 'A parameter may no longer have reserved characters.'],
  'parameter-empty-allowed': ['compatible', 'A parameter may be empty.'],
  'parameter-empty-refused': ['breaking', 'A parameter may no longer be empty.'],
  'parameter-deprecated': ['compatible', 'A parameter is now deprecated.'],
  'parameter-undeprecated': ['compatible', 'A parameter is no longer deprecated.'],
  'required-request-body-added': ['breaking', 'A required body is new.'],
  'optional-request-body-added': ['compatible', 'An optional body is new.'],
  'request-body-removed': ['breaking', 'The body is gone: clients still send it.'],
  'request-body-became-required': ['breaking', 'The body is now required.'],
  'request-body-became-optional': ['compatible', 'The body is no longer required.'],
  'request-media-type-removed': ['breaking', 'A media type of the body is no longer accepted.'],
  'request-media-type-added': ['compatible', 'A media type of the body is accepted, too.'],
  'request-encoding-changed': ['breaking', 'A field of a form is encoded otherwise.'],
  'body-limit-lowered': ['breaking', 'The body may be less long: `x-body-limit`.'],
  'body-limit-raised': ['compatible', 'The body may be longer: `x-body-limit`.'],
  'response-status-added': ['undecided', 'A status is new that neither a range nor `default` declared.'],
  'response-status-removed': ['compatible', 'A status is gone.'],
  'response-success-removed': ['breaking', 'No status of success is left that was declared.'],
  'response-body-removed': ['breaking', 'The body of an answer is gone.'],
  'response-body-added': ['undecided', 'An answer has a body; it had none.'],
  'response-media-type-removed': [
    'breaking',
    'A media type of an answer is gone: clients that ask for it get 406.'
  ],
  'response-media-range-narrowed': ['compatible', 'A range of media types of an answer is now a part of it.'],
  'response-media-type-added': [
    'undecided',
    'An answer may have another media type, where a client sends no `Accept`.'
  ],
  'required-response-header-removed': ['breaking', 'A header that was always sent is gone.'],
  'optional-response-header-removed': ['undecided', 'A header that was sometimes sent is gone.'],
  'response-header-added': ['compatible', 'A header of an answer is new.'],
  'response-header-became-required': ['compatible', 'A header is now always sent.'],
  'response-header-became-optional': ['breaking', 'A header is no longer always sent.'],
  'response-header-serialization-changed': [
    'breaking',
    'A header is written as another media type, or exploded otherwise.'
  ],
  'response-header-texts-kept': [
    'compatible',
    'A header has other types, and every text that it may have was valid before.'
  ],
  'response-header-texts-widened': [
    'breaking',
    'A header has types of which some texts were not valid before.'
  ],
  'response-header-texts-undecided': [
    'undecided',
    'A header has other types, and nothing shows if every text was valid before.'
  ],
  'link-removed': ['undecided', 'A link of an answer is gone.'],
  'link-added': ['compatible', 'A link of an answer is new.'],
  'security-added': ['breaking', 'Credentials are needed; none were.'],
  'security-removed': ['compatible', 'No credentials are needed any longer.'],
  'security-alternative-removed': ['breaking', 'Credentials that were enough are no longer.'],
  'security-alternative-added': ['compatible', 'Other credentials are enough, too.'],
  'security-scheme-added': ['breaking', 'Further credentials are needed at the same time.'],
  'security-scheme-removed': ['compatible', 'Fewer credentials are needed at the same time.'],
  'security-scheme-changed': ['breaking', 'Credentials are sent otherwise.'],
  'security-scope-added': ['breaking', 'Credentials need another scope.'],
  'security-scope-removed': ['compatible', 'Credentials need fewer scopes.'],
  'oauth-flow-removed': ['breaking', 'An OAuth flow is gone.'],
  'oauth-flow-added': ['compatible', 'An OAuth flow is new.'],
  'oauth-url-changed': ['undecided', 'An OAuth flow has another URL.'],
  'open-id-url-changed': ['undecided', 'OpenID Connect is discovered at another URL.'],
  'server-removed': ['undecided', 'A server URL is gone.'],
  'server-added': ['compatible', 'A server URL is new.'],
  'server-variable-changed': ['undecided', 'A server URL has other variables.'],
  'callback-removed': ['undecided', 'A callback is gone.'],
  'callback-added': ['compatible', 'A callback is new.'],
  'callback-changed': ['undecided', 'A callback has changed, its schemas excepted.'],
  'webhook-removed': ['undecided', 'A webhook is gone.'],
  'webhook-added': ['compatible', 'A webhook is new.'],
  'webhook-changed': ['undecided', 'A webhook has changed, its schemas excepted.']
} as const satisfies Readonly<Record<string, readonly [List, string]>>

export type RuleId = keyof typeof operationRules | SchemaRule

export const rules: readonly Rule[] = [
  ...Object.entries(operationRules).map(([id, [list, sentence]]) => ({ id, list, sentence })),
  ...schemaRules
]

const lists: ReadonlyMap<string, List> = new Map(rules.map(({ id, list }) => [id, list]))

export const isRule = (id: string): id is RuleId => lists.has(id)

export const isOperationRule = (id: string): boolean => Object.hasOwn(operationRules, id)

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
