/** Names the parts of OpenAPI 3.2 that have no effect here, so that nothing is passed over in silence. */
import { bodyKind, framingOf, isPatternOnly, sequentialTypes } from '@contract-first/engine/media-types'
import { connectionHeaders, isHeaderName } from '@contract-first/engine/model'
import { streamKey } from '../build/contents.ts'
import { typesOf } from '../document/objects.ts'
import { resolved } from '../document/reference.ts'
import type { ContractNode } from '../document/walk.ts'
import type { Tag } from '../model/contract.ts'
import { type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import type { Reporter } from './reporter.ts'

/** Members of a Media Type Object without an effect (OpenAPI 3.2.0, section 4.14), and what happens instead. */
const unserved: ReadonlyMap<string, string> = new Map([
  ['itemSchema', `the media types that are read and sent item by item are ${sequentialTypes().join(', ')}`],
  ['itemEncoding', 'parts are read by their names, and a body without names is read as bytes'],
  ['prefixEncoding', 'parts are read by their names, and a body without names is read as bytes']
])

/** Members of an Encoding Object without an effect (section 4.15): a part is JSON, a text or bytes as a whole. */
const nested = ['encoding', 'itemEncoding', 'prefixEncoding']

/** Matches the pointer of a media type object of a request body that is received. */
const receivedContent =
  /^(?!.*\/(?:callbacks|webhooks)\/).*\/(?:requestBody\/content|requestBodies\/[^/]+\/content|mediaTypes)\/[^/]+$/

/** Matches the pointer of the content of a response. */
const sentContent = /\/responses\/[^/]+\/content$/

/** Checks an object of the document. */
export function checkUnserved(each: ContractNode, document: JsonObject, reporter: Reporter): void {
  const { node, names, kind } = each
  const { warn, at } = reporter
  if (names === 'encoding' || names === 'content' || names === 'headers')
    for (const [name, value] of Object.entries(node))
      checkMember(each, name, resolved(document, value), document, reporter)
  if (kind === 'responses') checkLength(node, reporter)
  if (names !== undefined) return
  checkDialect(node, node === document ? 'jsonSchemaDialect' : '$schema', reporter)
  if (own(node, streamKey) !== undefined && !receivedContent.test(each.pointer)) {
    const message = `${streamKey} has no effect: it belongs beside a media type of a request body`
    warn(message, at(node, streamKey))
  }
}

/** Checks an encoding, a media type or a header. */
function checkMember(
  holder: ContractNode,
  name: string,
  member: JsonObject,
  document: JsonObject,
  reporter: Reporter
): void {
  const { warn, at } = reporter
  const { node, names } = holder
  if (names === 'headers') checkHeader(name, member, document, reporter)
  if (names === 'encoding')
    for (const key of nested.filter((each) => own(member, each) !== undefined))
      warn(`${key} of an encoding has no effect: parts of a part are not read`, at(member, key))
  if (names !== 'content') return
  checkMediaType(name, member, reporter)
  if (sentContent.test(holder.pointer)) checkSent(name, member, document, reporter)
  const effect = `has no effect: a range is */* or ${rangeOf(name)}`
  if (isPatternOnly(name)) warn(`${name} covers no media type and ${effect}`, at(node, name))
}

function checkMediaType(name: string, mediaType: JsonObject, { warn, at }: Reporter): void {
  const isSequential = framingOf(name) !== undefined
  for (const [member, effect] of unserved)
    if (own(mediaType, member) !== undefined && !(member === 'itemSchema' && isSequential))
      warn(`${member} has no effect: ${effect}`, at(mediaType, member))
  if (isSequential && own(mediaType, 'itemSchema') !== undefined && own(mediaType, 'schema') !== undefined)
    warn('schema has no effect beside itemSchema: items are checked one by one', at(mediaType, 'schema'))
}

const rangeOf = (name: string): string => (name.startsWith('*') ? 'type/*' : name.replace(/\/.*/, '/*'))

/** Names `encoding` of a response, whose handler writes forms by itself, and a schema that no text fits. */
function checkSent(name: string, mediaType: JsonObject, document: JsonObject, { warn, at }: Reporter): void {
  const types = typesOf(resolved(document, own(mediaType, 'schema')))
  const isText = bodyKind(name) === 'text' && framingOf(name) === undefined && !name.includes('*')
  if (isText && types.length > 0 && !types.includes('string'))
    warn(`no body fits: ${name} is sent as a string`, at(mediaType, 'schema'))
  if (own(mediaType, 'encoding') !== undefined)
    warn('encoding of a response has no effect: its handler writes the body', at(mediaType, 'encoding'))
}

/** Names a `Content-Length` of a response that only sequences have. */
function checkLength(response: JsonObject, { warn, at }: Reporter): void {
  const headers = objectOf(own(response, 'headers'))
  const mediaTypes = Object.keys(objectOf(own(response, 'content')))
  if (mediaTypes.length === 0 || mediaTypes.some((name) => framingOf(name) === undefined)) return
  for (const name of Object.keys(headers).filter((each) => each.toLowerCase() === 'content-length'))
    warn(`${name} is not sent: the length of a sequence is not known before its end`, at(headers, name))
}

/** Names parts of a Header Object (section 4.21) without an effect. */
function checkHeader(name: string, header: JsonObject, document: JsonObject, { warn, at }: Reporter): void {
  if (connectionHeaders.has(name.toLowerCase()))
    warn(`${name} has no effect: it belongs to the connection, and Node sends it`, at(header))
  if (!isHeaderName(name)) warn(`${name} is no name of a header: no response can carry it`, at(header))
  const style = own(header, 'style')
  if (style !== undefined && style !== 'simple')
    warn(`style ${String(style)} is not for headers: ${name} has style simple`, at(header, 'style'))
  for (const field of ['allowReserved', 'allowEmptyValue'].filter((each) => own(header, each) !== undefined))
    warn(`${field} of ${name} has no effect: it is a header`, at(header, field))
  const [[type, media] = ['application/json', {}]] = Object.entries(objectOf(own(header, 'content')))
  const schema = resolved(document, own(resolved(document, media), 'schema'))
  if (bodyKind(type) !== 'json' && !['string', undefined].includes(stringOf(own(schema, 'type'))))
    warn(`${name} is not written as ${type}, but in style simple`, at(header, 'content'))
}

/** Dialects of schemas that are read as they are (section 4.24.6). */
const dialects =
  /^https:\/\/(?:spec\.openapis\.org\/oas\/3\.[12]\/dialect\/[\w-]+|json-schema\.org\/draft\/2020-12\/schema)#?$/

function checkDialect(node: JsonObject, key: string, { warn, at }: Reporter): void {
  const dialect = stringOf(own(node, key))
  if (dialect === undefined || dialects.test(dialect)) return
  warn(`the dialect ${dialect} is not known: schemas are read by JSON Schema 2020-12`, at(node, key))
}

export function checkSelf(document: JsonObject, { warn, at }: Reporter): void {
  const uri = stringOf(own(document, '$self'))
  if (uri === undefined) return
  if (!URL.canParse(uri, 'https://a.example'))
    warn(`$self ${uri} is not a URI, and has no effect`, at(document, '$self'))
  else if (uri.includes('#')) warn('$self must not have a fragment, which is left out', at(document, '$self'))
}

/** Checks that tags have parents that are there, and no circles of them (section 4.22). */
export function checkTags(tags: readonly Tag[], { warn }: Reporter): void {
  const byName = new Map(tags.map((tag) => [tag.name, tag]))
  for (const { name, parent, origin } of tags) {
    if (parent !== undefined && !byName.has(parent))
      warn(`tag ${name} has a parent that is not declared`, origin.at('parent'))
    const ancestors = new Set<string>()
    for (let next = parent; next !== undefined && !ancestors.has(next); next = byName.get(next)?.parent)
      ancestors.add(next)
    if (ancestors.has(name)) warn(`tag ${name} is a parent of itself`, origin.at('parent'))
  }
}
