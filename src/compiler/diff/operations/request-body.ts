/** Compares request bodies. */
import { type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { type Both, type Draft, keysOf, memberOf, type OperationPart } from './draft.ts'
import { bodyPlace, type Content, contentOf, type MediaType, mediaTypeFor } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

/** @param direction `response` when the server sends the request: in callbacks and webhooks */
export function requestBodyDrafts(
  { old, now }: Both<OperationPart>,
  schemas: SchemaChanges,
  role: 'request' | 'response' = 'request'
): Draft[] {
  const before = memberOf(old.document, old.node, 'requestBody')
  const after = memberOf(now.document, now.node, 'requestBody')
  const spot = { node: now.node, key: 'requestBody' }
  if (before === undefined && after === undefined) return []
  if (after === undefined)
    return [{ rule: 'request-body-removed', place: 'body', text: 'the body is gone', spot }]
  const isRequired = own(after, 'required') === true
  if (before === undefined) {
    const rule = isRequired ? 'required-request-body-added' : 'optional-request-body-added'
    return [{ rule, place: 'body', text: `body added${isRequired ? ', required' : ''}`, spot }]
  }
  const bodies = { old: { ...old, body: before }, now: { ...now, body: after } }
  return [...requiredDrafts({ old: before, now: after }), ...contentDrafts(bodies, schemas, role)]
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

function contentDrafts(
  { old, now }: Both<Body>,
  schemas: SchemaChanges,
  role: 'request' | 'response'
): Draft[] {
  const [before, after] = [contentOf(old.document, old.body), contentOf(now.document, now.body)]
  return [
    ...[...before].flatMap(([name, media]) => {
      const current = mediaTypeFor(name, after)
      if (current === undefined) return removedType(name, now)
      const spot = { node: current.node, key: 'schema' }
      const pair = { old: media.schema, now: current.schema, role, place: bodyPlace(name), spot }
      return [
        ...schemas.changes(pair),
        ...limitDrafts({ old: { ...old, media }, now: { ...now, media: current } }),
        ...encodingDrafts({ old: media.node, now: current.node }, bodyPlace(name))
      ]
    }),
    ...addedTypes(before, after)
  ]
}

function removedType(name: string, { body }: Body): Draft[] {
  const spot = { node: body, key: 'content' }
  return [{ rule: 'request-media-type-removed', place: bodyPlace(name), text: `${name} is gone`, spot }]
}

function addedTypes(before: Content, after: Content): Draft[] {
  return [...after].flatMap(([name, { node }]) =>
    before.has(name) || mediaTypeFor(name, before) !== undefined
      ? []
      : [
          {
            rule: 'request-media-type-added',
            place: bodyPlace(name),
            text: `${name} added`,
            spot: { node }
          } as const
        ]
  )
}

const limitKey = 'x-body-limit'

/** Returns the limit of the most specific object that sets one. */
function limitOf({ media, body, node }: Body & { readonly media: MediaType }): number {
  const written = [media.node, body, node]
    .map((owner) => own(owner, limitKey))
    .find((value) => value !== undefined)
  return written === undefined ? Number.POSITIVE_INFINITY : Number(written)
}

function limitDrafts({ old, now }: Both<Body & { readonly media: MediaType }>): Draft[] {
  const [was, is] = [limitOf(old), limitOf(now)]
  if (was === is) return []
  const owners = [now.media.node, now.body, now.node]
  const node = owners.find((owner) => own(owner, limitKey) !== undefined) ?? now.body
  const rule = is < was ? 'body-limit-lowered' : 'body-limit-raised'
  const shown = (limit: number) => (Number.isFinite(limit) ? `${limit} bytes` : 'none')
  const text = `${limitKey} now ${shown(is)} (was ${shown(was)})`
  return [{ rule, place: 'body', text, spot: { node, key: limitKey } }]
}

/** Compares the encoding of the fields of a form. */
function encodingDrafts({ old, now }: Both<JsonObject>, place: string): Draft[] {
  const encodings = { old: objectOf(own(old, 'encoding')), now: objectOf(own(now, 'encoding')) }
  return keysOf(encodings).flatMap((name) => {
    const [was, is] = [encodings.old, encodings.now].map((each) => meaningOf(own(each, name)))
    const spot = { node: now, key: 'encoding' }
    const text = `the encoding of ${name} has changed`
    return was === is ? [] : [{ rule: 'request-encoding-changed', place: `${place}/${name}`, text, spot }]
  })
}

function meaningOf(encoding: Json | undefined): string {
  const { contentType, style, explode, allowReserved } = objectOf(encoding)
  const form = { style: style ?? 'form', explode: explode ?? true, allowReserved: allowReserved ?? false }
  return identity({ contentType: contentType ?? null, ...form })
}
