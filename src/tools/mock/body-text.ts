/** Writes values as bodies of media types other than JSON. */
import { endOf, isFlagged, partsOf, type Schema } from '@contract-first/contract'
import { exactStringify } from '@contract-first/engine/runtime/serializers'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** Sample files of one pixel or one page. */
const files: Readonly<Record<string, string | Buffer>> = {
  'image/png': Buffer.from(png, 'base64'),
  'image/gif': Buffer.from(gif, 'base64'),
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'application/pdf':
    '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
}

/** @returns a small file of the media type, if one is known */
export function sampleFile(mediaType: string): string | Buffer | undefined {
  return Object.hasOwn(files, mediaType) ? files[mediaType] : undefined
}

/** @param mediaType media type without parameters */
export function bodyText(value: unknown, mediaType: string, schema: Schema): string {
  if (typeof value === 'string') return value
  if (/[/+]xml$/.test(mediaType)) return xmlText(value, schema)
  if (mediaType === 'application/x-www-form-urlencoded') return String(new URLSearchParams(pairsOf(value)))
  if (mediaType === 'text/event-stream')
    return itemsOf(value)
      .map((item) => `data: ${exactStringify(item)}\n\n`)
      .join('')
  if (/[/-]json(l|-seq|lines)$|ndjson$/.test(mediaType))
    return itemsOf(value)
      .map((item) => `${exactStringify(item)}\n`)
      .join('')
  return mediaType === 'text/csv' ? csv(itemsOf(value), columnsOf(schema)) : exactStringify(value)
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const pairsOf = (value: unknown): [string, string][] =>
  Object.entries(Object(value)).map(([name, member]) => [name, fieldText(member)])

const fieldText = (value: unknown): string =>
  typeof value === 'object' ? exactStringify(value) : String(value)

/** Returns the properties that the schema of a row declares and a response may have, in their order. */
function columnsOf(schema: Schema): readonly string[] {
  const end = endOf(schema)
  const { properties = [] } = endOf(end.items ?? end)
  return [...properties].flatMap(([name, each]) => (isFlagged(each, 'writeOnly') ? [] : [name]))
}

/** Writes CSV (RFC 4180), with a header line: the declared columns, then those that only rows have. */
function csv(rows: readonly unknown[], columns: readonly string[]): string {
  const names = [...new Set([...columns, ...rows.flatMap((row) => Object.keys(Object(row)))])]
  const lines = rows.map((row) => names.map((name) => field(fieldText(Reflect.get(Object(row), name) ?? ''))))
  return [names.map(field), ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Writes a value as XML, named by the `xml` keywords of its schema (OpenAPI 3.2.0, section 4.26). */
const xmlText = (value: unknown, schema: Schema): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(schema.ref?.name ?? 'root', value, schema)}\n`

type Xml = NonNullable<Schema['xml']>

/** Returns the XML Object of a schema, which may stand beside its `$ref`. */
const xmlOf = (schema: Schema | undefined): Xml => (schema && (schema.xml ?? endOf(schema).xml)) ?? {}

function element(name: string, value: unknown, schema: Schema | undefined): string {
  const xml = xmlOf(schema)
  const tag = tagOf(xml, name)
  if (xml.nodeType === 'text') return escaped(value)
  if (xml.nodeType === 'cdata') return `<![CDATA[${fieldText(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
  if (Array.isArray(value)) return list(name, value, schema)
  const { attributes, content } = contentOf(value, schema)
  return xml.nodeType === 'none' ? content : `<${tag}${namespaceOf(xml)}${attributes}>${content}</${tag}>`
}

function contentOf(value: unknown, schema: Schema | undefined) {
  if (typeof value !== 'object' || value === null) return { attributes: '', content: escaped(value ?? '') }
  const members = Object.entries(value).map(([key, member]) => {
    const property = schema && propertyOf(schema, key)
    const xml = xmlOf(property)
    const isAttribute = xml.nodeType === 'attribute' || xml.attribute === true
    return { isAttribute, key, member, property, tag: tagOf(xml, key) }
  })
  const attributes = members.filter(({ isAttribute }) => isAttribute)
  const children = members.filter(({ isAttribute }) => !isAttribute)
  return {
    attributes: attributes.map(({ tag, member }) => ` ${tag}="${escaped(member)}"`).join(''),
    content: children.map(({ key, member, property }) => element(key, member, property)).join('')
  }
}

/** Writes items with the name of their list, or inside an element of its name if it is one (`wrapped` before 3.2). */
function list(name: string, values: readonly unknown[], schema: Schema | undefined): string {
  const xml = xmlOf(schema)
  const isWrapped = xml.nodeType === 'element' || xml.wrapped === true
  const inner = isWrapped ? (xml.name ?? name) : name
  const { prefix = [], items } = schema === undefined ? {} : endOf(schema)
  const text = values.map((value, index) => element(inner, value, prefix[index] ?? items)).join('')
  const tag = tagOf(xml, name)
  return isWrapped ? `<${tag}${namespaceOf(xml)}>${text}</${tag}>` : text
}

/** Returns the schema of a property, from `allOf` too. */
const propertyOf = (schema: Schema, name: string): Schema | undefined =>
  partsOf(schema)
    .map(({ properties }) => properties?.get(name))
    .find((each) => each !== undefined)

function namespaceOf({ namespace, prefix }: Xml): string {
  if (namespace === undefined) return ''
  return ` xmlns${prefix === undefined ? '' : `:${prefix}`}="${escaped(namespace)}"`
}

function tagOf({ prefix, name: written }: Xml, name: string): string {
  const local = (written ?? name).replaceAll(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
  return prefix === undefined ? local : `${prefix}:${local}`
}

function escaped(value: unknown): string {
  return String(value).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
