/** Compares two contracts: the changes, and the clients that they break. */
import { type JsonObject, type OperationNode, objectOf, own } from '../compile/documents.ts'
import { callbackDrafts, webhookDrafts } from './operations/callbacks.ts'
import type { Both, Draft, OperationPart } from './operations/draft.ts'
import { operationPairs, pathItemAt } from './operations/operation-pairs.ts'
import { parameterDrafts } from './operations/parameters.ts'
import { requestBodyDrafts } from './operations/request-body.ts'
import { responseDrafts } from './operations/responses.ts'
import { type Change, type List, listOf, type Report } from './operations/rules.ts'
import { SchemaChanges } from './operations/schema-changes.ts'
import { schemeDrafts, securityDrafts } from './operations/security.ts'
import { operationServerDrafts, serverDrafts } from './operations/servers.ts'
import type { Spot } from './schemas/finding.ts'

interface CompareOptions {
  readonly old: JsonObject
  readonly now: JsonObject
  /** Returns the place of a node of the new document, or of its member. */
  readonly locate: (spot: Spot) => Pick<Change, 'file' | 'line' | 'column'>
  readonly today: Date
}

interface Placed extends Draft {
  readonly operation: string | null
}

/** Compares two bundled documents. */
export function compareContracts({ old, now, locate, today }: CompareOptions): Report {
  const drafts = unique(allDrafts({ old, now }, today))
  const changes = drafts.map(({ rule, operation, place, text, spot }): Change => {
    const message = place === '' ? text : `${place}: ${text}`
    return { rule, operation, place, message, ...locate(spot) }
  })
  const of = (list: List) => changes.filter(({ rule }) => listOf(rule) === list)
  return { breaking: of('breaking'), undecided: of('undecided'), compatible: of('compatible') }
}

function allDrafts({ old, now }: Both<JsonObject>, today: Date): Placed[] {
  const schemas = new SchemaChanges({ old, now })
  const { pairs, removed, added } = operationPairs({ old, now })
  const document = [
    ...serverDrafts({ old, now }),
    ...schemeDrafts({ old, now }),
    ...webhookDrafts({ old, now }, schemas)
  ]
  return [
    ...document.map((draft) => ({ ...draft, operation: null })),
    ...pairs.flatMap((pair) => {
      const part: Both<OperationPart> = {
        old: { ...pair.old, document: old },
        now: { ...pair.now, document: now }
      }
      return operationDrafts(part, schemas).map((draft) => ({ ...draft, operation: nameOf(pair.old) }))
    }),
    ...removed.map((operation) => ({ ...removedDraft(operation, now, today), operation: nameOf(operation) })),
    ...added.map((operation) => ({ ...addedDraft(operation), operation: nameOf(operation) }))
  ]
}

const nameOf = ({ method, path }: OperationNode): string => `${method} ${path}`

function removedDraft(operation: OperationNode, now: JsonObject, today: Date): Draft {
  const name = nameOf(operation)
  const pathItem = pathItemAt(now, operation.path)
  const spot = pathItem === undefined ? spotOfPaths(now) : { node: pathItem }
  const sunset = isDeprecated(operation.node) ? sunsetOf(operation.node) : undefined
  if (sunset !== undefined && sunset <= today)
    return { rule: 'operation-removed-after-sunset', place: '', text: `${name} is gone, as announced`, spot }
  const rule = pathItem === undefined ? 'path-removed' : 'operation-removed'
  return { rule, place: '', text: `${name} is gone`, spot }
}

function spotOfPaths(now: JsonObject): Spot {
  const paths = own(now, 'paths')
  return paths === undefined ? { node: now } : { node: now, key: 'paths' }
}

const addedDraft = (operation: OperationNode): Draft => ({
  rule: 'operation-added',
  place: '',
  text: `${nameOf(operation)} added`,
  spot: { node: objectOf(operation.node) }
})

/** Drops duplicates: a change of a shared part is reported once for each operation. */
function unique(drafts: readonly Placed[]): Placed[] {
  const found = new Map(
    drafts.map((draft) => [`${draft.rule} ${draft.operation} ${draft.place} ${draft.text}`, draft])
  )
  return [...found.values()]
}

/** Compares one operation in both contracts. */
function operationDrafts(pair: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  return [
    ...nameDrafts(pair),
    ...lifecycleDrafts({ old: pair.old.node, now: pair.now.node }),
    ...securityDrafts(pair),
    ...operationServerDrafts(pair),
    ...parameterDrafts(pair, schemas),
    ...requestBodyDrafts(pair, schemas),
    ...responseDrafts(pair, schemas),
    ...callbackDrafts(pair, schemas)
  ]
}

/** Reports a changed operationId, after which generated clients name their functions. */
function nameDrafts({ old, now }: Both<OperationPart>): Draft[] {
  const key = 'operationId'
  const [was, is] = [own(old.node, key), own(now.node, key)]
  if (was === is || was === undefined || is === undefined) return []
  const text = `${key} now ${String(is)} (was ${String(was)})`
  return [{ rule: 'operation-id-changed', place: key, text, spot: { node: now.node, key } }]
}

const key = 'x-sunset'
const place = key

const isDeprecated = (node: JsonObject): boolean => own(node, 'deprecated') === true

/** Returns the day from which an operation may be gone; undefined without a valid date. */
function sunsetOf(node: JsonObject): Date | undefined {
  const date = new Date(String(own(node, key)))
  return Number.isNaN(date.getTime()) ? undefined : date
}

function lifecycleDrafts({ old, now }: Both<JsonObject>): Draft[] {
  return [...deprecationDrafts({ old, now }), ...sunsetDrafts({ old, now })]
}

function deprecationDrafts({ old, now }: Both<JsonObject>): Draft[] {
  if (isDeprecated(old) === isDeprecated(now)) return []
  const spot = { node: now, key: 'deprecated' }
  return isDeprecated(now)
    ? [{ rule: 'operation-deprecated', place: 'deprecated', text: 'now deprecated', spot }]
    : [{ rule: 'operation-undeprecated', place: 'deprecated', text: 'no longer deprecated', spot }]
}

function sunsetDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const [was, is] = [own(old, key), own(now, key)]
  if (was === is) return []
  const spot = { node: now, key }
  const text = `${key} now ${String(is ?? 'none')} (was ${String(was ?? 'none')})`
  if (is === undefined) return [{ rule: 'sunset-removed', place, text, spot }]
  const [before, after] = [sunsetOf(old), sunsetOf(now)]
  if (after === undefined) return [{ rule: 'sunset-unreadable', place, text, spot }]
  if (before === undefined) return [{ rule: 'sunset-added', place, text, spot }]
  return [{ rule: after < before ? 'sunset-moved-earlier' : 'sunset-moved-later', place, text, spot }]
}
