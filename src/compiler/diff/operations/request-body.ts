/** Compares request bodies. */
import { type JsonObject, own } from '../../compile/documents.ts'
import { type Both, both, type Draft, memberDrafts, memberOf, nowText, type OperationPart } from './draft.ts'
import { encodingDrafts } from './encodings.ts'
import { bodyPlace, contentOf, type MediaType, mediaTypeFor, schemaSpot } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

export function requestBodyDrafts({ old, now }: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  const before = memberOf(old.document, old.node, 'requestBody')
  const after = memberOf(now.document, now.node, 'requestBody')
  const at = { place: 'body', spot: { node: now.node, key: 'requestBody' } }
  if (after === undefined)
    return before === undefined ? [] : [{ rule: 'request-body-removed', text: 'the body is gone', ...at }]
  const isRequired = own(after, 'required') === true
  if (before === undefined) {
    const rule = isRequired ? 'required-request-body-added' : 'optional-request-body-added'
    return [{ rule, text: `body added${isRequired ? ', required' : ''}`, ...at }]
  }
  const bodies = { old: { ...old, body: before }, now: { ...now, body: after } }
  return [...requiredDrafts({ old: before, now: after }), ...contentDrafts(bodies, schemas)]
}

function requiredDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const isRequired = own(now, 'required') === true
  if ((own(old, 'required') === true) === isRequired) return []
  const rule = isRequired ? 'request-body-became-required' : 'request-body-became-optional'
  const text = `the body is ${isRequired ? 'now required' : 'no longer required'}`
  return [{ rule, place: 'body', text, spot: { node: now, key: 'required' } }]
}

interface Body extends OperationPart {
  readonly body: JsonObject
}

function contentDrafts({ old, now }: Both<Body>, schemas: SchemaChanges): Draft[] {
  const contents = both({ old, now }, ({ document, body }) => contentOf(document, body))
  return memberDrafts(contents, {
    find: mediaTypeFor,
    removed: (_media, name) => ({
      rule: 'request-media-type-removed',
      place: bodyPlace(name, contents),
      text: `${name} is gone`,
      spot: { node: now.body, key: 'content' }
    }),
    added: ({ node }, name) => ({
      rule: 'request-media-type-added',
      place: bodyPlace(name, contents),
      text: `${name} added`,
      spot: { node }
    }),
    changed: (media, name) => {
      const place = bodyPlace(name, contents)
      const spot = schemaSpot(media.now)
      return [
        ...schemas.changes({ ...both(media, ({ schema }) => schema), place, spot }),
        ...limitDrafts({ old: ownersOf(old, media.old), now: ownersOf(now, media.now) }),
        ...encodingDrafts(
          { old: { ...old, node: media.old.node }, now: { ...now, node: media.now.node } },
          place,
          schemas
        )
      ]
    }
  })
}

const limitKey = 'x-body-limit'

/** Returns the objects that may set the limit, the most specific first. */
const ownersOf = ({ body, node }: Body, media: MediaType): JsonObject[] => [media.node, body, node]

const limitIn = (owners: readonly JsonObject[]) => owners.find((owner) => own(owner, limitKey) !== undefined)

function limitDrafts(owners: Both<readonly JsonObject[]>): Draft[] {
  const limits = both(owners, (each) => {
    const owner = limitIn(each)
    return owner === undefined ? Number.POSITIVE_INFINITY : Number(own(owner, limitKey))
  })
  if (limits.old === limits.now) return []
  const [, body] = owners.now
  const rule = limits.now < limits.old ? 'body-limit-lowered' : 'body-limit-raised'
  const shown = both(limits, (limit) => (Number.isFinite(limit) ? `${limit} bytes` : 'none'))
  const spot = { node: limitIn(owners.now) ?? body, key: limitKey }
  return [{ rule, place: 'body', text: nowText(limitKey, shown), spot }]
}
