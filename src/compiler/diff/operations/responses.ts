/** Compares the answers of an operation by status. */
import { dereference, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import type { Role } from '../cases/side.ts'
import type { Both, Draft, OperationPart } from './draft.ts'
import { headerDrafts } from './headers.ts'
import { bodyPlace, type Content, contentOf, mediaTypeFor } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

/** Responses by status: `200`, `4XX`, `default`. */
type Responses = ReadonlyMap<string, JsonObject>

export function responseDrafts(
  { old, now }: Both<OperationPart>,
  schemas: SchemaChanges,
  role: Role = 'response'
): Draft[] {
  const [before, after] = [responsesOf(old), responsesOf(now)]
  const statuses = new Set([...before.keys(), ...after.keys()])
  return [
    ...[...statuses].flatMap((status) =>
      statusDrafts(status, { old: before, now: after }, { pair: { old, now }, schemas, role })
    ),
    ...successDrafts({ old: before, now: after }, now)
  ]
}

function responsesOf({ document, node }: OperationPart): Responses {
  const declared = Object.entries(objectOf(own(node, 'responses')))
  return new Map(
    declared
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, response]) => [statusName(status), objectOf(dereference(document, response))])
  )
}

const statusName = (status: string): string => (/^default$/i.test(status) ? 'default' : status.toUpperCase())

/** Returns the response for a status: its own, that of its range, or the default one. */
function responseFor(status: string, responses: Responses): JsonObject | undefined {
  return responses.get(status) ?? responses.get(`${status.charAt(0)}XX`) ?? responses.get('default')
}

interface Context {
  readonly pair: Both<OperationPart>
  readonly schemas: SchemaChanges
  readonly role: Role
}

function statusDrafts(status: string, { old, now }: Both<Responses>, context: Context): Draft[] {
  const [before, after] = [responseFor(status, old), responseFor(status, now)]
  const { node } = context.pair.now
  if (after === undefined) {
    const spot = { node, key: 'responses' }
    return [{ rule: 'response-status-removed', place: status, text: `status ${status} is gone`, spot }]
  }
  if (before === undefined) {
    const spot = { node: objectOf(own(node, 'responses')), key: status }
    return [{ rule: 'response-status-added', place: status, text: `status ${status} added`, spot }]
  }
  const parts = {
    old: { ...context.pair.old, response: before },
    now: { ...context.pair.now, response: after }
  }
  const found = [
    ...contentDrafts(parts, context),
    ...headerDrafts(parts, context.schemas, context.role),
    ...linkDrafts({ old: before, now: after })
  ]
  return found.map((draft) => ({ ...draft, place: `${status}/${draft.place}` }))
}

/** Reports removed successes, for which a client would wait in vain. */
function successDrafts({ old, now }: Both<Responses>, { node }: OperationPart): Draft[] {
  const successes = [...old.keys()].filter((status) => /^2/.test(status))
  const isLeft = successes.some((status) => responseFor(status, now) !== undefined)
  if (successes.length === 0 || isLeft) return []
  const text = `no success that was declared is left (was ${successes.join(', ')})`
  return [
    { rule: 'response-success-removed', place: successes.join(), text, spot: { node, key: 'responses' } }
  ]
}

interface Answer extends OperationPart {
  readonly response: JsonObject
}

function contentDrafts({ old, now }: Both<Answer>, { schemas, role }: Context): Draft[] {
  const [before, after] = [contentOf(old.document, old.response), contentOf(now.document, now.response)]
  const spot = { node: now.response, key: 'content' }
  if (before.size > 0 && after.size === 0)
    return [{ rule: 'response-body-removed', place: 'body', text: 'the body is gone', spot }]
  if (before.size === 0 && after.size > 0)
    return [{ rule: 'response-body-added', place: 'body', text: 'body added', spot }]
  return mediaTypeDrafts({ old: before, now: after }, { schemas, role, node: now.response })
}

interface MediaContext {
  readonly schemas: SchemaChanges
  readonly role: Role
  /** Response in the new contract. */
  readonly node: JsonObject
}

function mediaTypeDrafts({ old, now }: Both<Content>, { schemas, role, node }: MediaContext): Draft[] {
  const names = new Set([...old.keys(), ...now.keys()])
  return [...names].flatMap((name): Draft[] => {
    const [before, after] = [mediaTypeFor(name, old), mediaTypeFor(name, now)]
    const place = bodyPlace(name)
    if (after === undefined)
      return [
        {
          rule: 'response-media-type-removed',
          place,
          text: `${name} is gone`,
          spot: { node, key: 'content' }
        }
      ]
    if (before === undefined)
      return [{ rule: 'response-media-type-added', place, text: `${name} added`, spot: { node: after.node } }]
    const spot = { node: after.node, key: 'schema' }
    return schemas.changes({ old: before.schema, now: after.schema, role, place, spot })
  })
}

/** Compares the links of an answer: clients follow them by name. */
function linkDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const [before, after] = [objectOf(own(old, 'links')), objectOf(own(now, 'links'))]
  const spot = { node: now, key: 'links' }
  return [
    ...Object.keys(before)
      .filter((name) => !Object.hasOwn(after, name))
      .map(
        (name) =>
          ({ rule: 'link-removed', place: `links/${name}`, text: `link ${name} is gone`, spot }) as const
      ),
    ...Object.keys(after)
      .filter((name) => !Object.hasOwn(before, name))
      .map(
        (name) => ({ rule: 'link-added', place: `links/${name}`, text: `link ${name} added`, spot }) as const
      )
  ]
}
