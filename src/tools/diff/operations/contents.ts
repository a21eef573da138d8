/** Compares what bodies hold: their schemas, and how the fields of forms and other parts are written. */
import type { Content, Encoding, Origin, PartEncodings } from '@contract-first/contract'
import { itemSchemas, prefixLength } from '../../samples/members.ts'
import { type Case, casesOf } from '../schemas/cases.ts'
import { propertyOf } from '../schemas/members.ts'
import { type Both, both, type Difference, isKept, placed, type SchemaChanges } from './difference.ts'
import { isCovered, mediaTypeName, schemaOrigin, schemasOf } from './media-types.ts'
import { changedStyle, headerDifferences, layoutOf, partHeaderDifferences } from './parameters.ts'
import type { RuleId } from './rules.ts'
import { exploded, type Layout, textDifferences } from './texts.ts'

export function contentDifferences(
  contents: Both<Content>,
  place: string,
  changes: SchemaChanges
): Difference[] {
  const { now } = contents
  const schemas = both(contents, schemasOf)
  const origin = schemaOrigin(now)
  const found = changes.changes(schemas, place, origin)
  const isForm = now.kind === 'form' || now.kind === 'multipart'
  const texts = { schemas, layouts: { old: exploded, now: exploded }, place, origin }
  const layoutsOf = (name: string) => textLayouts(both(contents, (content) => partOf(bodyOf(content), name)))
  return [
    ...(isForm ? textDifferences(found, texts, changes, layoutsOf) : found),
    ...encodingDifferences(contents, place, changes)
  ]
}

/** Compares how the parts of a body are written. */
export const encodingDifferences = (
  contents: Both<Content>,
  place: string,
  changes: SchemaChanges
): Difference[] => partsDifferences(both(contents, bodyOf), place, changes)

/** A body, or a part of one with its encoding. */
interface Part
  extends PartEncodings,
    Partial<Pick<Encoding, 'contentTypes' | 'headers' | (typeof styleKeys)[number]>> {
  readonly origin: Origin
  readonly cases: readonly Case[]
  /** True in a form without parts, where a style decides instead of a media type. */
  readonly isStyled: boolean
}

const styleKeys = ['style', 'explode', 'allowReserved'] as const

const bodyOf = (content: Content): Part => ({
  ...content,
  cases: casesOf(schemasOf(content)),
  isStyled: content.kind === 'form'
})

/** Returns the encodings by name or position, and as `*` that of all further positions. */
const encodingsIn = ({ fields, prefixEncodings, itemEncoding }: Part): ReadonlyMap<string, Encoding> =>
  new Map([
    ...fields,
    ...prefixEncodings.map((encoding, index) => [String(index), encoding] as const),
    ...(itemEncoding === undefined ? [] : [['*', itemEncoding] as const])
  ])

/** Returns the part of a name or a position. */
function partOf(whole: Part, name: string): Part {
  const encodings = encodingsIn(whole)
  const { origin, isStyled } = whole
  const encoding = encodings.get(name) ??
    encodings.get('*') ?? { origin, fields: new Map(), prefixEncodings: [] }
  const cases = whole.cases.flatMap(({ type, schemas }) => {
    if (type === 'object') return casesOf(propertyOf(schemas, name).schemas)
    return type === 'array' ? casesOf(itemSchemas(schemas, Number(name))) : []
  })
  return { ...encoding, cases, isStyled }
}

function partsDifferences(wholes: Both<Part>, place: string, changes: SchemaChanges): Difference[] {
  const names = both(wholes, (whole) => new Set(encodingsIn(whole).keys()))
  return [...names.old.union(names.now)].flatMap((name) => {
    const parts = both(wholes, (whole) => partOf(whole, name))
    const { origin } = parts.now
    const rule = isNewField(wholes, name) ? undefined : ruleFor(parts, changes.isRequest)
    const text = `the encoding of ${name} has changed`
    const headers = both(parts, ({ headers = new Map() }): Encoding['headers'] => headers)
    // A client sends the headers of a part like parameters.
    const found = changes.isRequest
      ? partHeaderDifferences(headers, changes, origin.at('headers'))
      : headerDifferences(headers, changes, origin.at('headers'))
    return placed(`${place}/${name}`, [
      ...(rule === undefined ? [] : [{ rule, place: '', text, origin }]),
      ...placed('/', found),
      ...partsDifferences(parts, '', changes)
    ])
  })
}

/** Recognises the encoding of a property that is new or removed, which is reported as such. */
function isNewField(wholes: Both<Part>, name: string): boolean {
  const isDeclared = both(wholes, ({ cases }) =>
    cases.some(({ type, schemas }) => type === 'object' && propertyOf(schemas, name).isDeclared)
  )
  return !isKept(isDeclared) && !(isDeclared.old ? wholes.now : wholes.old).fields.has(name)
}

/** Returns the rule for a difference: further media types are read where values are sent, and the reverse. */
function ruleFor(parts: Both<Part>, isRequest: boolean): RuleId | undefined {
  const { old, now } = parts
  const types = new Set([...old.cases, ...now.cases].map(({ type }) => type))
  const isStyleKept = changedStyle(both(parts, styleOf), types) === undefined
  const [sent, received] = isRequest ? [old, now] : [now, old]
  const isRead = isStyleKept && isReadBy(sent, received)
  if (isRead && isReadBy(received, sent)) return undefined
  return `${isRequest ? 'request' : 'response'}-encoding-${isRead ? 'kept' : 'changed'}`
}

const styleOf = ({ style = 'form', explode = style === 'form' }: Part) => ({ style, explode })

/** Returns true when the receiver reads all that the sender may write. */
function isReadBy(sent: Part, received: Part): boolean {
  const [types, ranges] = [mediaTypesOf(sent), mediaTypesOf(received)]
  const isRead = (type: string) => ranges.some((range) => isCovered(type, range))
  const isFree = sent.allowReserved !== true || received.allowReserved === true
  return isFree && (types.length > 0 || ranges.length === 0) && types.every(isRead)
}

/** Returns the media types of a part; a style writes a text (OpenAPI 3.2.0, section 4.15.1.2). */
function mediaTypesOf(part: Part): readonly string[] {
  const { contentTypes = [], cases, isStyled } = part
  if (isStyled && styleKeys.some((key) => part[key] !== undefined)) return [textType]
  return contentTypes.length > 0 ? contentTypes.map(mediaTypeName) : [usualType(cases, isStyled) ?? []].flat()
}

const textType = 'text/plain'

/**
 * Returns the media type of parts whose encoding names none (section 4.15.1.1). It is undefined where values differ in
 * it, and for bytes, because clients send files in types of their own.
 */
function usualType(cases: readonly Case[], isStyled: boolean, isItem = false): string | undefined {
  const found = cases.map(({ type, schemas }) => {
    if (type === 'object' || (type === 'array' && isItem)) return 'application/json'
    if (type === 'array' && prefixLength(schemas) === 0)
      return usualType(casesOf(itemSchemas(schemas, 0)), isStyled, true)
    const isBytes = schemas.some(({ format, content }) => format === 'binary' || content !== undefined)
    return type === 'array' || (isBytes && !isStyled) ? undefined : textType
  })
  const [only, ...others] = new Set(found.filter((_type, index) => cases[index]?.type !== 'null'))
  return others.length > 0 ? undefined : only
}

/** Returns how the texts of a field are written; undefined for a field that is none. */
function textLayouts(fields: Both<Part>): Both<Layout> | undefined {
  const isText = (field: Part) => mediaTypesOf(field).join() === textType
  const { old, now } = both(fields, (field) => layoutOf({ ...styleOf(field), in: 'query' }))
  return isText(fields.old) && isText(fields.now) && old && now ? { old, now } : undefined
}
