/** Compares how the fields of forms are written, and the headers of the parts of a multipart message. */
import {
  arrayOf,
  dereference,
  type JsonObject,
  objectOf,
  own,
  type Parameter,
  parameterIn,
  stringOf
} from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { type Both, both, type Draft, memberDrafts, membersOf, type OperationPart, placed } from './draft.ts'
import { headerDrafts } from './headers.ts'
import { contentOf, isCovered } from './media-types.ts'
import { parametersDrafts, parametersIn, placeOf } from './parameters.ts'
import type { RuleId } from './rules.ts'
import type { SchemaChanges } from './schema-changes.ts'

/** A Media Type Object with the contract that it belongs to. */
export interface MediaPart {
  readonly document: JsonObject
  readonly node: JsonObject
}

export function encodingDrafts(media: Both<MediaPart>, place: string, schemas: SchemaChanges): Draft[] {
  const spot = { node: media.now.node, key: 'encoding' }
  return memberDrafts(both(media, encodingsOf), {
    find: (name, encodings) => encodings.get(name) ?? {},
    changed: (encodings, name) => {
      const rule = isNewField(media, encodings, name) ? undefined : ruleFor(encodings, schemas)
      const text = `the encoding of ${name} has changed`
      const drafts = [
        ...(rule === undefined ? [] : [{ rule, place: '', text, spot }]),
        ...placed('/', partDrafts(media, encodings, schemas))
      ]
      return placed(`${place}/${name}`, drafts)
    }
  })
}

/** Returns the encodings by field; those of the items of a list by their place (OpenAPI 3.2.0, section 4.14.5). */
function encodingsOf({ document, node }: MediaPart): ReadonlyMap<string, JsonObject> {
  const listed = arrayOf(own(node, 'prefixEncoding')).map((each, index) => [String(index), each] as const)
  const rest = own(node, 'itemEncoding')
  const items = [...listed, ...(rest === undefined ? [] : [['*', rest] as const])]
  return new Map([
    ...membersOf(document, node, 'encoding'),
    ...items.map(([name, each]) => [name, objectOf(dereference(document, each))] as const)
  ])
}

/** Recognises the encoding of a property that is new or removed, which is reported as such. */
function isNewField(media: Both<MediaPart>, encodings: Both<JsonObject>, name: string): boolean {
  const isDeclared = both(media, ({ document, node }) => {
    const schema = objectOf(dereference(document, own(node, 'schema')))
    return own(objectOf(own(schema, 'properties')), name) !== undefined
  })
  if (isDeclared.old === isDeclared.now) return false
  return Object.keys(isDeclared.old ? encodings.now : encodings.old).length === 0
}

/** Returns the rule for a difference: further media types are read where values are sent, and the reverse. */
function ruleFor(encodings: Both<JsonObject>, { isRequest }: SchemaChanges): RuleId | undefined {
  const forms = both(encodings, ({ style = 'form', explode = style === 'form', allowReserved = false }) =>
    identity([style, explode, allowReserved])
  )
  const { old, now } = both(encodings, ({ contentType }) => typesIn(stringOf(contentType)))
  const isKept = isWithin(old, now)
  const isSame = isKept && isWithin(now, old)
  const role = isRequest ? 'request' : 'response'
  if (forms.old !== forms.now) return `${role}-encoding-changed`
  if (isSame) return undefined
  return (isRequest ? isKept : isWithin(now, old)) ? `${role}-encoding-kept` : `${role}-encoding-changed`
}

const typesIn = (written = ''): string[] => written.toLowerCase().split(/\s*,\s*/)

const isWithin = (types: readonly string[], ranges: readonly string[]): boolean =>
  types.every((type) => ranges.some((range) => isCovered(type, range)))

/** Compares the headers of a part: a client sends them like parameters. */
function partDrafts(media: Both<MediaPart>, encodings: Both<JsonObject>, schemas: SchemaChanges): Draft[] {
  const owners = {
    old: { document: media.old.document, response: encodings.old },
    now: { document: media.now.document, response: encodings.now }
  }
  if (!schemas.isRequest) return headerDrafts(owners, schemas)
  const headers = both(owners, ({ document, response }) => {
    const declared = [...membersOf(document, response, 'headers')].map(
      ([name, node]) => [name.toLowerCase(), parameterIn(document, { ...node, name, in: 'header' })] as const
    )
    return new Map(declared.flatMap(([key, each]) => (each === undefined ? [] : [[key, each]])))
  })
  return parametersDrafts(headers, schemas, { node: encodings.now, key: 'headers' })
}

/** Compares how the fields of a whole query are written that is a form. */
export function queryDrafts(pair: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  const queries = both(pair, (part) => parametersIn(part).get('querystring'))
  if (queries.old === undefined || queries.now === undefined) return []
  const mediaIn = ({ document }: OperationPart, { node }: Parameter) => ({
    document,
    node: contentOf(document, node).values().next().value?.node ?? {}
  })
  const media = { old: mediaIn(pair.old, queries.old), now: mediaIn(pair.now, queries.now) }
  return encodingDrafts(media, placeOf(queries.old), schemas)
}
