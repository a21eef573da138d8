/** Writes a value as XML, named by the `xml` keywords of its schema (OpenAPI 3.1.0, section 4.8.26). */
import { type Json, type JsonObject, objectOf, own, stringOf } from '../compile/document/json-value.ts'
import { pointerOf, resolved } from '../compile/document/reference.ts'

export function xmlText(value: unknown, schema: Json | undefined, document: JsonObject): string {
  const name = pointerOf(objectOf(schema))?.split('/').at(-1) ?? 'root'
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, value, schema, document)}\n`
}

function element(name: string, value: unknown, schema: Json | undefined, document: JsonObject): string {
  const node = resolved(document, schema)
  const tag = tagOf(node, name)
  if (Array.isArray(value)) return list(tag, value, node, document)
  if (typeof value !== 'object' || value === null) return `<${tag}>${escaped(value ?? '')}</${tag}>`
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    member,
    of: propertyOf(node, key, document)
  }))
  const isAttribute = ({ of }: { of: JsonObject }) => own(objectOf(own(of, 'xml')), 'attribute') === true
  const attributes = members
    .filter(isAttribute)
    .map(({ key, member, of }) => ` ${tagOf(of, key)}="${escaped(member)}"`)
  const children = members
    .filter((each) => !isAttribute(each))
    .map(({ key, member, of }) => element(key, member, of, document))
  return `<${tag}${attributes.join('')}>${children.join('')}</${tag}>`
}

/** Writes items with the name of their list, or inside an element of its name if it is `wrapped`. */
function list(tag: string, items: readonly unknown[], node: JsonObject, document: JsonObject): string {
  const schema = own(node, 'items')
  const isWrapped = own(objectOf(own(node, 'xml')), 'wrapped') === true
  const text = items.map((item) => element(tag, item, schema, document)).join('')
  return isWrapped ? `<${tag}>${text}</${tag}>` : text
}

/** Returns the schema of a property, from `allOf` too. */
function propertyOf(node: JsonObject, name: string, document: JsonObject): JsonObject {
  const parts = [node, ...[own(node, 'allOf') ?? []].flat().map((part) => resolved(document, part))]
  const found = parts
    .map((part) => own(objectOf(own(part, 'properties')), name))
    .find((each) => each !== undefined)
  return resolved(document, found)
}

/** Returns a valid XML name. */
function tagOf(node: JsonObject, name: string): string {
  const xml = objectOf(own(node, 'xml'))
  const prefix = stringOf(own(xml, 'prefix'))
  const local = (stringOf(own(xml, 'name')) ?? name)
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^(?![A-Za-z_])/, '_')
  return prefix === undefined ? local : `${prefix}:${local}`
}

function escaped(value: unknown): string {
  return String(value).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
