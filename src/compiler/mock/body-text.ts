/** Writes values as bodies of media types other than JSON. */
import { exactStringify } from '@contract-first/engine/runtime/serializers'
import {
  arrayOf,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../compile/document/json-value.ts'
import { isFlagged, pointerOf, resolved } from '../compile/document/reference.ts'

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

interface Written {
  readonly mediaType: string
  readonly schema: Json | undefined
  readonly document: JsonObject
}

/** @param mediaType media type without parameters */
export function bodyText(value: unknown, { mediaType, schema, document }: Written): string {
  if (typeof value === 'string') return value
  if (/[/+]xml$/.test(mediaType)) return xmlText(value, schema, document)
  if (mediaType === 'application/x-www-form-urlencoded') return String(new URLSearchParams(pairsOf(value)))
  if (mediaType === 'text/event-stream')
    return itemsOf(value)
      .map((item) => `data: ${exactStringify(item)}\n\n`)
      .join('')
  if (/[/-]json(l|-seq|lines)$|ndjson$/.test(mediaType))
    return itemsOf(value)
      .map((item) => `${exactStringify(item)}\n`)
      .join('')
  return mediaType === 'text/csv' ? csv(itemsOf(value), columnsOf(schema, document)) : exactStringify(value)
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const pairsOf = (value: unknown): [string, string][] =>
  Object.entries(Object(value)).map(([name, member]) => [name, textOf(member)])

const textOf = (value: unknown): string => (typeof value === 'object' ? exactStringify(value) : String(value))

/** Returns the properties that the schema of a row declares and a response may have, in their order. */
function columnsOf(schema: Json | undefined, document: JsonObject): readonly string[] {
  const node = resolved(document, schema)
  const row = resolved(document, own(node, 'items') ?? node)
  const properties = Object.entries(objectOf(own(row, 'properties')))
  return properties.flatMap(([name, each]) => (isFlagged(document, each, 'writeOnly') ? [] : [name]))
}

/** Writes CSV (RFC 4180), with a header line: the declared columns, then those that only rows have. */
function csv(rows: readonly unknown[], columns: readonly string[]): string {
  const names = [...new Set([...columns, ...rows.flatMap((row) => Object.keys(Object(row)))])]
  const lines = rows.map((row) => names.map((name) => field(textOf(Reflect.get(Object(row), name) ?? ''))))
  return [names.map(field), ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Writes a value as XML, named by the `xml` keywords of its schema (OpenAPI 3.2.0, section 4.26). */
function xmlText(value: unknown, schema: Json | undefined, document: JsonObject): string {
  const name = pointerOf(objectOf(schema))?.split('/').at(-1) ?? 'root'
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, value, schema, document)}\n`
}

function element(name: string, value: unknown, schema: Json | undefined, document: JsonObject): string {
  const node = resolved(document, schema)
  const xml = xmlOf(schema, node)
  const [tag, type] = [tagOf(xml, name), own(xml, 'nodeType')]
  if (type === 'text') return escaped(value)
  if (type === 'cdata') return `<![CDATA[${textOf(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
  if (Array.isArray(value)) return list(name, value, schema, document)
  const { attributes, content } = contentOf(value, node, document)
  return type === 'none' ? content : `<${tag}${namespaceOf(xml)}${attributes}>${content}</${tag}>`
}

/** Returns the XML Object of a schema, which may stand beside its `$ref`. */
const xmlOf = (schema: Json | undefined, node: JsonObject): JsonObject =>
  objectOf(own(objectOf(schema), 'xml') ?? own(node, 'xml'))

function contentOf(value: unknown, node: JsonObject, document: JsonObject) {
  if (typeof value !== 'object' || value === null) return { attributes: '', content: escaped(value ?? '') }
  const members = Object.entries(value).map(([key, member]) => {
    const schema = propertyOf(node, key, document)
    const xml = xmlOf(schema, resolved(document, schema))
    const isAttribute = own(xml, 'nodeType') === 'attribute' || own(xml, 'attribute') === true
    return { isAttribute, key, member, schema, tag: tagOf(xml, key) }
  })
  const attributes = members.filter(({ isAttribute }) => isAttribute)
  const children = members.filter(({ isAttribute }) => !isAttribute)
  return {
    attributes: attributes.map(({ tag, member }) => ` ${tag}="${escaped(member)}"`).join(''),
    content: children.map(({ key, member, schema }) => element(key, member, schema, document)).join('')
  }
}

/** Writes items with the name of their list, or inside an element of its name if it is one (`wrapped` before 3.2). */
function list(
  name: string,
  items: readonly unknown[],
  schema: Json | undefined,
  document: JsonObject
): string {
  const node = resolved(document, schema)
  const xml = xmlOf(schema, node)
  const isWrapped = own(xml, 'nodeType') === 'element' || own(xml, 'wrapped') === true
  const tag = tagOf(xml, name)
  const inner = isWrapped ? (stringOf(own(xml, 'name')) ?? name) : name
  const first = arrayOf(own(node, 'prefixItems'))
  const text = items
    .map((item, index) => element(inner, item, first[index] ?? own(node, 'items'), document))
    .join('')
  return isWrapped ? `<${tag}${namespaceOf(xml)}>${text}</${tag}>` : text
}

/** Returns the schema of a property, from `allOf` too. */
function propertyOf(node: JsonObject, name: string, document: JsonObject): Json | undefined {
  const parts = [node, ...[own(node, 'allOf') ?? []].flat().map((part) => resolved(document, part))]
  return parts.map((part) => own(objectOf(own(part, 'properties')), name)).find((each) => each !== undefined)
}

function namespaceOf(xml: JsonObject): string {
  const [namespace, prefix] = [stringOf(own(xml, 'namespace')), stringOf(own(xml, 'prefix'))]
  if (namespace === undefined) return ''
  return ` xmlns${prefix === undefined ? '' : `:${prefix}`}="${escaped(namespace)}"`
}

function tagOf(xml: JsonObject, name: string): string {
  const prefix = stringOf(own(xml, 'prefix'))
  const local = (stringOf(own(xml, 'name')) ?? name)
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^(?![A-Za-z_])/, '_')
  return prefix === undefined ? local : `${prefix}:${local}`
}

function escaped(value: unknown): string {
  return String(value).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
