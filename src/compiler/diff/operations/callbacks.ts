/** Compares callbacks and webhooks, in which the server sends the requests: bodies may only narrow, answers only widen. */
import { dereference, isObject, type JsonObject, methods, objectOf, own } from '../../compile/documents.ts'
import type { Both, Draft, OperationPart } from './draft.ts'
import { requestBodyDrafts } from './request-body.ts'
import { responseDrafts } from './responses.ts'
import { isOperationRule, type RuleId } from './rules.ts'
import type { SchemaChanges } from './schema-changes.ts'

interface Names {
  readonly removed: RuleId
  readonly added: RuleId
  readonly changed: RuleId
}

const callbackNames: Names = {
  removed: 'callback-removed',
  added: 'callback-added',
  changed: 'callback-changed'
}
const webhookNames: Names = { removed: 'webhook-removed', added: 'webhook-added', changed: 'webhook-changed' }

/** Returns the callbacks of an operation as one object: `onEvent {$request.body#/url} post`. */
export function callbackDrafts({ old, now }: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  const pair = { old: callbacksOf(old), now: callbacksOf(now) }
  const spot = { node: now.node, key: 'callbacks' }
  return sentDrafts(pair, schemas, { names: callbackNames, prefix: 'callbacks', spot })
}

function callbacksOf({ document, node }: OperationPart): ReadonlyMap<string, OperationPart> {
  const declared = Object.entries(objectOf(own(node, 'callbacks')))
  return new Map(
    declared.flatMap(([name, callback]) =>
      Object.entries(objectOf(dereference(document, callback))).flatMap(([path, item]) =>
        operationsIn(document, item, path).map(
          ([method, part]) => [`${name} ${method} ${path}`, part] as const
        )
      )
    )
  )
}

/** Compares the webhooks of two contracts. */
export function webhookDrafts({ old, now }: Both<JsonObject>, schemas: SchemaChanges): Draft[] {
  const pair = { old: webhooksOf(old), now: webhooksOf(now) }
  const spot = { node: now, key: 'webhooks' }
  return sentDrafts(pair, schemas, { names: webhookNames, prefix: 'webhooks', spot })
}

function webhooksOf(document: JsonObject): ReadonlyMap<string, OperationPart> {
  const declared = Object.entries(objectOf(own(document, 'webhooks')))
  return new Map(
    declared.flatMap(([name, item]) =>
      operationsIn(document, item, name).map(([method, part]) => [`${name} ${method}`, part] as const)
    )
  )
}

function operationsIn(document: JsonObject, item: unknown, path: string): [string, OperationPart][] {
  const pathItem = isObject(item) ? objectOf(dereference(document, item)) : {}
  return methods.flatMap((method): [string, OperationPart][] => {
    const node = own(pathItem, method)
    return isObject(node) ? [[method, { document, path, pathItem, node }]] : []
  })
}

interface Wording {
  readonly names: Names
  readonly prefix: string
  readonly spot: Draft['spot']
}

function sentDrafts(
  { old, now }: Both<ReadonlyMap<string, OperationPart>>,
  schemas: SchemaChanges,
  { names, prefix, spot }: Wording
): Draft[] {
  return [
    ...[...old].flatMap(([name, part]) => {
      const current = now.get(name)
      const place = `${prefix}/${name}`
      if (current === undefined) return [{ rule: names.removed, place, text: `${name} is gone`, spot }]
      return sentChanges({ old: part, now: current }, schemas, names.changed).map((draft) => ({
        ...draft,
        place: `${place}/${draft.place}`
      }))
    }),
    ...[...now]
      .filter(([name]) => !old.has(name))
      .map(([name, { node }]) => ({
        rule: names.added,
        place: `${prefix}/${name}`,
        text: `${name} added`,
        spot: { node }
      }))
  ]
}

/** Compares schemas in the opposite direction. Other changes are undecided, because it is disputed whom they break. */
function sentChanges(pair: Both<OperationPart>, schemas: SchemaChanges, changed: RuleId): Draft[] {
  const found = [...requestBodyDrafts(pair, schemas, 'response'), ...responseDrafts(pair, schemas, 'request')]
  return found.map((draft) => (isOperationRule(draft.rule) ? { ...draft, rule: changed } : draft))
}
