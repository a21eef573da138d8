/** Compares the headers of a response. */
import { dereference, type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { type Both, both, type Draft, memberDrafts, membersOf, placed } from './draft.ts'
import { writtenAs } from './media-types.ts'
import type { SchemaChanges } from './schema-changes.ts'
import { textDrafts } from './text-drafts.ts'

interface ResponsePart {
  readonly document: JsonObject
  readonly response: JsonObject
}

interface Header {
  readonly name: string
  readonly node: JsonObject
  readonly isRequired: boolean
  readonly schema: Json
}

export function headerDrafts(pair: Both<ResponsePart>, schemas: SchemaChanges): Draft[] {
  const spot = { node: pair.now.response, key: 'headers' }
  return memberDrafts(both(pair, headersOf), {
    removed: ({ name, isRequired }) => ({
      rule: isRequired ? 'required-response-header-removed' : 'optional-response-header-removed',
      place: `header/${name}`,
      text: `header ${name} is gone`,
      spot
    }),
    added: ({ name, node }) => ({
      rule: 'response-header-added',
      place: `header/${name}`,
      text: `header ${name} added`,
      spot: { node }
    }),
    changed: (headers) => placed(`header/${headers.old.name}`, headerChanges(headers, schemas))
  })
}

/** Returns the headers by lower-case name, without `Content-Type`, which has no effect (OpenAPI 3.1.0, section 4.8.17). */
function headersOf({ document, response }: ResponsePart): ReadonlyMap<string, Header> {
  const declared = [...membersOf(document, response, 'headers')].map(([name, node]): [string, Header] => {
    const [media] = Object.values(objectOf(own(node, 'content')))
    const schema = own(node, 'schema') ?? own(objectOf(dereference(document, media)), 'schema') ?? true
    return [name.toLowerCase(), { name, node, isRequired: own(node, 'required') === true, schema }]
  })
  return new Map(declared.filter(([key]) => key !== 'content-type'))
}

function headerChanges({ old, now }: Both<Header>, schemas: SchemaChanges): Draft[] {
  const { node, isRequired } = now
  const pair = { old: old.schema, now: now.schema }
  const isExploded = both({ old, now }, (header) => own(header.node, 'explode') === true)
  const hasExplode = isExploded.old !== isExploded.now && schemas.typesOf(pair).has('object')
  const found: Draft[] = []
  if (old.isRequired !== isRequired)
    found.push({
      rule: isRequired ? 'response-header-became-required' : 'response-header-became-optional',
      place: '',
      text: `header ${old.name} is ${isRequired ? 'now required' : 'no longer required'}`,
      spot: { node, key: 'required' }
    })
  const isDeprecated = both({ old, now }, (header) => own(header.node, 'deprecated') === true)
  if (isDeprecated.old !== isDeprecated.now)
    found.push({
      rule: isDeprecated.now ? 'response-header-deprecated' : 'response-header-undeprecated',
      place: '',
      text: `header ${old.name} is ${isDeprecated.now ? 'now' : 'no longer'} deprecated`,
      spot: { node, key: 'deprecated' }
    })
  const written = both({ old, now }, (header) => writtenAs(header.node))
  if (written.old !== written.now || hasExplode)
    found.push({
      rule: 'response-header-serialization-changed',
      place: '',
      text: `header ${old.name} is written otherwise`,
      spot: { node, key: written.old === written.now ? 'explode' : 'content' }
    })
  const place = { place: '', spot: { node, key: 'schema' } }
  const changes = schemas.changes({ ...pair, ...place })
  const isText = written.old === 'text' && written.now === 'text'
  const layout = { delimiter: ',', isEncoded: false }
  return [
    ...found,
    ...(isText
      ? textDrafts(changes, { schemas: pair, layouts: { old: layout, now: layout }, ...place }, schemas)
      : changes)
  ]
}
