/** Compares what bodies hold: their schemas, how the fields of forms are written, and the headers of their parts. */
import type { Content, Encoding } from '@contract-first/contract'
import { type Both, both, type Draft, isKept, memberDrafts, placed } from './draft.ts'
import { headerDrafts } from './headers.ts'
import { isCovered, schemaOrigin, schemasOf } from './media-types.ts'
import { parametersDrafts } from './parameters.ts'
import type { RuleId } from './rules.ts'
import type { SchemaChanges } from './schema-changes.ts'
import { exploded, textDrafts } from './texts.ts'

export function contentDrafts(contents: Both<Content>, place: string, changes: SchemaChanges): Draft[] {
  const { now } = contents
  const schemas = both(contents, schemasOf)
  const origin = schemaOrigin(now)
  const found = changes.changes(schemas, place, origin)
  const isForm = now.kind === 'form' || now.kind === 'multipart'
  const texts = { schemas, layouts: { old: exploded, now: exploded }, place, origin }
  const isText = (name: string) =>
    [contents.old, now].every(({ fields }) => (fields.get(name)?.contentTypes ?? []).length === 0)
  return [
    ...(isForm ? textDrafts(found, texts, changes, isText) : found),
    ...encodingDrafts(contents, place, changes)
  ]
}

const none: Pick<Encoding, 'contentTypes' | 'headers'> & Partial<Encoding> = {
  contentTypes: [],
  headers: new Map()
}

export function encodingDrafts(contents: Both<Content>, place: string, changes: SchemaChanges): Draft[] {
  const fields = both(contents, (content): ReadonlyMap<string, typeof none> => content.fields)
  const origin = contents.now.origin.at('encoding')
  return memberDrafts(fields, {
    find: (name, encodings) => encodings.get(name) ?? none,
    changed: (encodings, name) => {
      const rule = isNewField(contents, name) ? undefined : ruleFor(encodings, changes.isRequest)
      const text = `the encoding of ${name} has changed`
      const headers = both(encodings, (encoding) => encoding.headers)
      const at = encodings.now.origin?.at('headers') ?? origin
      // A client sends the headers of a part like parameters.
      const parts = changes.isRequest
        ? parametersDrafts(both(headers, asParameters), changes, at)
        : headerDrafts(headers, changes, at)
      const own: Draft[] = rule === undefined ? [] : [{ rule, place: '', text, origin }]
      return placed(`${place}/${name}`, [...own, ...placed('/', parts)])
    }
  })
}

const asParameters = (headers: Encoding['headers']) =>
  new Map(
    [...headers].map(([name, header]) => {
      const fixed = { in: 'header', style: 'simple', allowReserved: false, allowEmptyValue: false } as const
      return [name.toLowerCase(), { ...header, ...fixed, name }]
    })
  )

/** Recognises the encoding of a property that is new or removed, which is reported as such. */
function isNewField(contents: Both<Content>, name: string): boolean {
  const isDeclared = both(contents, (content) =>
    schemasOf(content).some((schema) => (schema.ref ?? schema).properties?.has(name))
  )
  return !isKept(isDeclared) && !(isDeclared.old ? contents.now : contents.old).fields.has(name)
}

/** Returns the rule for a difference: further media types are read where values are sent, and the reverse. */
function ruleFor(encodings: Both<typeof none>, isRequest: boolean): RuleId | undefined {
  const forms = both(encodings, ({ style = 'form', explode = style === 'form', allowReserved = false }) =>
    [style, explode, allowReserved].join()
  )
  const { old, now } = both(encodings, ({ contentTypes }) => contentTypes.map((type) => type.toLowerCase()))
  const isWithin = (types: readonly string[], others: readonly string[]) =>
    others.length === 0
      ? types.length === 0
      : types.length > 0 && types.every((type) => others.some((range) => isCovered(type, range)))
  const role = isRequest ? 'request' : 'response'
  if (!isKept(forms)) return `${role}-encoding-changed`
  if (isWithin(old, now) && isWithin(now, old)) return undefined
  return (isRequest ? isWithin(old, now) : isWithin(now, old))
    ? `${role}-encoding-kept`
    : `${role}-encoding-changed`
}
