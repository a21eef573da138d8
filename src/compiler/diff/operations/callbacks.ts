/** Compares callbacks and webhooks, in which the server sends the requests: they may only narrow, responses only widen. */
import { type JsonObject, operationsIn } from '../../compile/documents.ts'
import { type Both, both, type Draft, memberDrafts, membersOf, type OperationPart, placed } from './draft.ts'
import { queryDrafts } from './encodings.ts'
import { parameterDrafts } from './parameters.ts'
import { requestBodyDrafts } from './request-body.ts'
import { responseDrafts } from './responses.ts'
import { isOperationRule, type RuleId } from './rules.ts'
import type { SchemaComparers } from './schema-changes.ts'
import { securityDrafts } from './security.ts'

/** Names the callbacks of an operation: `onEvent post {$request.body#/url}`. */
export function callbackDrafts(pair: Both<OperationPart>, schemas: SchemaComparers): Draft[] {
  const callbacks = both(pair, ({ document, node }) => {
    const declared = [...membersOf(document, node, 'callbacks')].flatMap(([name, callback]) =>
      partsIn(document, { callback }, 'callback').map(
        ([method, part]) => [`${name} ${method} ${part.path}`, part] as const
      )
    )
    return new Map(declared)
  })
  return sentDrafts(callbacks, schemas, { kind: 'callback', spot: { node: pair.now.node, key: 'callbacks' } })
}

export function webhookDrafts(documents: Both<JsonObject>, schemas: SchemaComparers): Draft[] {
  const webhooks = both(documents, (document) => {
    const declared = partsIn(document, document, 'webhooks')
    return new Map(declared.map(([method, part]) => [`${part.path} ${method}`, part]))
  })
  return sentDrafts(webhooks, schemas, { kind: 'webhook', spot: { node: documents.now, key: 'webhooks' } })
}

/** Returns the operations in the path items of an object, by method. */
function partsIn(document: JsonObject, owner: JsonObject, key: string): [string, OperationPart][] {
  return [...membersOf(document, owner, key)].flatMap(([path, pathItem]) =>
    operationsIn(pathItem).map(({ at: [field, method = field], node }): [string, OperationPart] => [
      method,
      { document, path, pathItem, node }
    ])
  )
}

interface Sent {
  readonly kind: 'callback' | 'webhook'
  readonly spot: Draft['spot']
}

function sentDrafts(
  operations: Both<ReadonlyMap<string, OperationPart>>,
  schemas: SchemaComparers,
  { kind, spot }: Sent
): Draft[] {
  const at = (name: string, where: Draft['spot']) => ({ place: `${kind}s/${name}`, spot: where })
  return memberDrafts(operations, {
    removed: (_part, name) => ({ rule: `${kind}-removed`, text: `${name} is gone`, ...at(name, spot) }),
    added: ({ node }, name) => ({ rule: `${kind}-added`, text: `${name} added`, ...at(name, { node }) }),
    changed: (pair, name) => placed(`${kind}s/${name}/`, sentChanges(pair, schemas, kind))
  })
}

/** Compares schemas in the opposite direction, and what else the server sends. */
function sentChanges(
  pair: Both<OperationPart>,
  { request, response }: SchemaComparers,
  kind: Sent['kind']
): Draft[] {
  const found = [
    ...securityDrafts(pair, () => undefined),
    ...parameterDrafts(pair, response),
    ...queryDrafts(pair, response),
    ...requestBodyDrafts(pair, response),
    ...responseDrafts(pair, request)
  ]
  return found.map((draft) => ({ ...draft, rule: sentRule(draft.rule, kind) }))
}

/** Rules for requests by what they mean to a receiver; it is disputed whom the others break. */
const effects: ReadonlyMap<RuleId, 'lost' | 'gained'> = new Map([
  ['required-parameter-removed', 'lost'],
  ['parameter-became-optional', 'lost'],
  ['parameter-style-changed', 'lost'],
  ['parameter-explode-changed', 'lost'],
  ['parameter-media-type-changed', 'lost'],
  ['request-body-removed', 'lost'],
  ['request-body-became-optional', 'lost'],
  ['security-removed', 'lost'],
  ['security-scheme-removed', 'lost'],
  ['security-scheme-changed', 'lost'],
  ['security-alternative-added', 'lost'],
  ['required-parameter-added', 'gained'],
  ['optional-parameter-added', 'gained'],
  ['parameter-became-required', 'gained'],
  ['required-request-body-added', 'gained'],
  ['optional-request-body-added', 'gained'],
  ['request-body-became-required', 'gained'],
  ['security-added', 'gained'],
  ['security-scheme-added', 'gained']
])

function sentRule(rule: RuleId, kind: Sent['kind']): RuleId {
  // Rules for texts are those of the direction in which they are sent.
  if (!isOperationRule(rule) || /-texts-|deprecated$/.test(rule)) return rule
  const effect = effects.get(rule)
  return effect === undefined ? `${kind}-changed` : `${kind}-part-${effect}`
}
