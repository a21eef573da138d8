/** Compares the responses of an operation by status. */
import { type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { type Both, both, type Draft, memberDrafts, membersOf, type OperationPart, placed } from './draft.ts'
import { encodingDrafts } from './encodings.ts'
import { headerDrafts } from './headers.ts'
import { bodyPlace, contentOf, mediaTypeFor, schemaSpot, typesWithin } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'

/** Responses by status: `200`, `4XX`, `default`. */
type Responses = ReadonlyMap<string, JsonObject>

export function responseDrafts(pair: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  const responses = both(pair, responsesOf)
  const { node } = pair.now
  const drafts = memberDrafts(responses, {
    find: responseFor,
    removed: (_response, status) => ({
      rule: 'response-status-removed',
      place: status,
      text: `status ${status} is gone`,
      spot: { node, key: 'responses' }
    }),
    added: (_response, status) => ({
      rule: 'response-status-added',
      place: status,
      text: `status ${status} added`,
      spot: { node: objectOf(own(node, 'responses')), key: status }
    }),
    changed: ({ old, now }, status) => {
      if (schemas.isUnchanged({ old, now })) return []
      const parts = { old: { ...pair.old, response: old }, now: { ...pair.now, response: now } }
      return placed(`${status}/`, partDrafts(parts, schemas))
    }
  })
  return [...drafts, ...successDrafts(responses, pair.now)]
}

function responsesOf({ document, node }: OperationPart): Responses {
  const declared = [...membersOf(document, node, 'responses')].filter(([status]) => !status.startsWith('x-'))
  return new Map(declared.map(([status, response]) => [statusName(status), response]))
}

const statusName = (status: string): string => (/^default$/i.test(status) ? 'default' : status.toUpperCase())

/** Returns the response for a status: its own, that of its range, or the default one. */
function responseFor(status: string, responses: Responses): JsonObject | undefined {
  return responses.get(status) ?? responses.get(`${status.charAt(0)}XX`) ?? responses.get('default')
}

interface ResponsePart extends OperationPart {
  readonly response: JsonObject
}

const partDrafts = (parts: Both<ResponsePart>, schemas: SchemaChanges): Draft[] => [
  ...contentDrafts(parts, schemas),
  ...headerDrafts(parts, schemas),
  ...linkDrafts(parts)
]

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

function contentDrafts(parts: Both<ResponsePart>, schemas: SchemaChanges): Draft[] {
  const contents = both(parts, ({ document, response }) => contentOf(document, response))
  const spot = { node: parts.now.response, key: 'content' }
  const [had, has] = [contents.old.size > 0, contents.now.size > 0]
  if (had && !has) return [{ rule: 'response-body-removed', place: 'body', text: 'the body is gone', spot }]
  if (has && !had) return [{ rule: 'response-body-added', place: 'body', text: 'body added', spot }]
  return memberDrafts(contents, {
    find: mediaTypeFor,
    removed: (_media, name) => {
      const left = typesWithin(name, contents.now)
      if (left.length === 0)
        return {
          rule: 'response-media-type-removed',
          place: bodyPlace(name, contents),
          text: `${name} is gone`,
          spot
        }
      const text = `${name} is now ${left.join(' or ')}`
      return { rule: 'response-media-range-narrowed', place: bodyPlace(name, contents), text, spot }
    },
    added: ({ node }, name) => ({
      rule: 'response-media-type-added',
      place: bodyPlace(name, contents),
      text: `${name} added`,
      spot: { node }
    }),
    changed: ({ old, now }, name) => {
      const place = bodyPlace(name, contents)
      const media = {
        old: { document: parts.old.document, node: old.node },
        now: { document: parts.now.document, node: now.node }
      }
      return [
        ...schemas.changes({ old: old.schema, now: now.schema, place, spot: schemaSpot(now) }),
        ...encodingDrafts(media, place, schemas)
      ]
    }
  })
}

/** Compares the links of a response: clients follow them by name. */
function linkDrafts(parts: Both<ResponsePart>): Draft[] {
  const spot = { node: parts.now.response, key: 'links' }
  const place = (name: string) => ({ place: `links/${name}`, spot })
  const links = both(parts, ({ document, response }) => membersOf(document, response, 'links'))
  return memberDrafts(links, {
    removed: (_link, name) => ({ rule: 'link-removed', text: `link ${name} is gone`, ...place(name) }),
    added: (_link, name) => ({ rule: 'link-added', text: `link ${name} added`, ...place(name) }),
    changed: ({ old, now }, name) =>
      targetOf(old) === targetOf(now)
        ? []
        : [{ rule: 'link-changed', text: `link ${name} has changed`, ...place(name) }]
  })
}

const targetOf = ({ description: _text, ...link }: JsonObject): string => identity(link)
