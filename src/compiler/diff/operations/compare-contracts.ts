/** Compares two contracts: the changes, and the clients that they break. */
import { dereference, type JsonObject, objectOf, operationNodes, own } from '../../compile/documents.ts'
import type { Spot } from '../schemas/comparison.ts'
import { callbackDrafts, webhookDrafts } from './callbacks.ts'
import { type Both, both, type Draft, memberDrafts, nowText, type OperationPart } from './draft.ts'
import { queryDrafts } from './encodings.ts'
import { parameterDrafts } from './parameters.ts'
import { requestBodyDrafts } from './request-body.ts'
import { responseDrafts } from './responses.ts'
import { type Change, type List, listOf, type Report, type RuleId } from './rules.ts'
import { type SchemaComparers, schemaComparers } from './schema-changes.ts'
import { schemeDrafts, securityDrafts } from './security.ts'
import { isOfContract, pathsOf, serverDrafts, templateOf } from './servers.ts'

interface CompareOptions {
  readonly old: JsonObject
  readonly now: JsonObject
  /** Returns the place of a node of the new document, or of its member. */
  readonly locate: (spot: Spot) => Pick<Change, 'file' | 'line' | 'column'>
  readonly today: Date
}

export function compareContracts({ old, now, locate, today }: CompareOptions): Report {
  const drafts = unique(allDrafts({ old, now }, today))
  const changes = drafts.map(({ rule, operation = null, place, text, spot }): Change => {
    const message = place === '' ? text : `${place}: ${text}`
    return { rule, operation, place, message, ...locate(spot) }
  })
  const of = (list: List) => changes.filter(({ rule }) => listOf(rule) === list)
  return { breaking: of('breaking'), undecided: of('undecided'), compatible: of('compatible') }
}

function allDrafts(documents: Both<JsonObject>, today: Date): Draft[] {
  const schemas = schemaComparers(documents)
  const { isUnchanged } = schemas.request
  const isAlike = isUnchanged(both(documents, shared))
  return [
    ...schemeDrafts(documents),
    ...webhookDrafts(documents, schemas),
    ...memberDrafts(operationsIn(documents), {
      removed: (operation) => removedDraft(operation, documents.now, today),
      added: ({ name, node }) => ({
        rule: 'operation-added',
        operation: name,
        place: '',
        text: `${name} added`,
        spot: { node }
      }),
      changed: (pair) =>
        isAlike && pair.old.path === pair.now.path && isUnchanged(both(pair, ({ pathItem }) => pathItem))
          ? []
          : [...serversDrafts(pair), ...ofOperation(pair, operationDrafts(pair, schemas))]
    })
  ]
}

const ofOperation = ({ old }: Both<Named>, drafts: readonly Draft[]): Draft[] =>
  drafts.map((draft) => ({ ...draft, operation: old.name }))

/** Returns changes of the servers of the contract once, without an operation. */
function serversDrafts(pair: Both<Named>): readonly Draft[] {
  const drafts = serverDrafts(pair)
  return isOfContract(pair.old) && isOfContract(pair.now) ? drafts : ofOperation(pair, drafts)
}

/** Members of a document that an operation does not depend on, unless it refers to them. */
const apart = new Set(['paths', 'webhooks', 'components', 'info', 'tags', 'externalDocs'])

/** Returns what applies to every operation of a document. */
const shared = (document: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.entries(document).filter(([key]) => !apart.has(key))),
  schemes: own(objectOf(own(document, 'components')), 'securitySchemes') ?? {}
})

interface Named extends OperationPart {
  /** Method and path: `POST /pets`. */
  readonly name: string
}

/** Returns the operations by a key that both contracts have for an operation of the same URL, otherwise of the same path. */
function operationsIn(documents: Both<JsonObject>): Both<ReadonlyMap<string, Named>> {
  const { old, now } = both(documents, (document) => {
    const all = operationNodes(document).map(({ method, ...part }) => {
      const [path, paths] = [part.path, pathsOf({ ...part, document })]
      const operation = { ...part, document, name: `${method} ${path}` }
      return {
        key: `${method} ${templateOf(path)}`,
        urls: paths.map((each) => `${method} ${each}`),
        operation
      }
    })
    return new Map(all.map((each) => [each.key, each]))
  })
  const keys = new Map([...old.values()].flatMap(({ key, urls }) => urls.map((url) => [url, key] as const)))
  const same = [...now.values()].map(({ key, urls, operation }) => {
    const known = urls.flatMap((url) => keys.get(url) ?? [])
    return { key, operation, match: known.includes(key) ? key : known[0] }
  })
  const matched = new Set(same.map(({ match }) => match))
  return {
    old: new Map([...old].map(([key, { operation }]) => [key, operation])),
    now: new Map(
      same.map(({ key, operation, match }) => [match ?? (matched.has(key) ? `added ${key}` : key), operation])
    )
  }
}

function removedDraft({ name, path, node }: Named, now: JsonObject, today: Date): Draft {
  const paths = Object.entries(objectOf(own(now, 'paths')))
  const [, item] = paths.find(([other]) => templateOf(other) === templateOf(path)) ?? []
  const pathItem = dereference(now, item)
  const key = own(now, 'paths') === undefined ? {} : { key: 'paths' }
  const at = { operation: name, place: '', spot: pathItem ? { node: pathItem } : { node: now, ...key } }
  const sunset = isDeprecated(node) ? sunsetOf(node) : undefined
  if (sunset !== undefined && sunset <= today)
    return { rule: 'operation-removed-after-sunset', text: `${name} is gone, as announced`, ...at }
  return { rule: pathItem ? 'operation-removed' : 'path-removed', text: `${name} is gone`, ...at }
}

/** Drops duplicates: a change of a shared part is reported once for each operation. */
function unique(drafts: readonly Draft[]): Draft[] {
  const found = new Map(
    drafts.map((draft) => [`${draft.rule} ${draft.operation} ${draft.place} ${draft.text}`, draft])
  )
  return [...found.values()]
}

function operationDrafts(pair: Both<OperationPart>, schemas: SchemaComparers): Draft[] {
  const nodes = both(pair, ({ node }) => node)
  return [
    ...nameDrafts(nodes),
    ...deprecationDrafts(nodes),
    ...sunsetDrafts(nodes),
    ...strictQueryDrafts(pair),
    ...securityDrafts(pair),
    ...parameterDrafts(pair, schemas.request),
    ...queryDrafts(pair, schemas.request),
    ...requestBodyDrafts(pair, schemas.request),
    ...responseDrafts(pair, schemas.response),
    ...callbackDrafts(pair, schemas)
  ]
}

/** Reports a changed operationId, after which generated clients name their functions. */
function nameDrafts(nodes: Both<JsonObject>): Draft[] {
  const key = 'operationId'
  const { old, now } = both(nodes, (node) => own(node, key))
  if (old === now || old === undefined || now === undefined) return []
  const text = nowText(key, { old, now })
  return [{ rule: 'operation-id-changed', place: key, text, spot: { node: nodes.now, key } }]
}

const isDeprecated = (node: JsonObject): boolean => own(node, 'deprecated') === true

function deprecationDrafts({ old, now }: Both<JsonObject>): Draft[] {
  if (isDeprecated(old) === isDeprecated(now)) return []
  const at = { place: 'deprecated', spot: { node: now, key: 'deprecated' } }
  return isDeprecated(now)
    ? [{ rule: 'operation-deprecated', text: 'now deprecated', ...at }]
    : [{ rule: 'operation-undeprecated', text: 'no longer deprecated', ...at }]
}

const sunsetKey = 'x-sunset'

/** Returns the day from which an operation may be gone; undefined without a valid date. */
function sunsetOf(node: JsonObject): Date | undefined {
  const date = new Date(String(own(node, sunsetKey)))
  return Number.isNaN(date.getTime()) ? undefined : date
}

function sunsetDrafts(nodes: Both<JsonObject>): Draft[] {
  const written = both(nodes, (node) => own(node, sunsetKey) ?? 'none')
  if (written.old === written.now) return []
  const spot = { node: nodes.now, key: sunsetKey }
  return [{ rule: sunsetRule(nodes), place: sunsetKey, text: nowText(sunsetKey, written), spot }]
}

function sunsetRule(nodes: Both<JsonObject>): RuleId {
  const { old, now } = both(nodes, sunsetOf)
  if (own(nodes.now, sunsetKey) === undefined) return 'sunset-removed'
  if (now === undefined) return 'sunset-unreadable'
  if (old === undefined) return 'sunset-added'
  return now < old ? 'sunset-moved-earlier' : 'sunset-moved-later'
}

const strictKey = 'x-strict-query'

const isStrict = ({ document, node }: OperationPart): boolean =>
  (own(node, strictKey) ?? own(document, strictKey)) === true

function strictQueryDrafts(pair: Both<OperationPart>): Draft[] {
  const { old, now } = both(pair, isStrict)
  if (old === now) return []
  const spot = { node: pair.now.node, key: strictKey }
  return now
    ? [
        {
          rule: 'strict-query-added',
          place: strictKey,
          text: 'now refuses undeclared names in the query',
          spot
        }
      ]
    : [
        {
          rule: 'strict-query-removed',
          place: strictKey,
          text: 'no longer refuses undeclared names in the query',
          spot
        }
      ]
}
