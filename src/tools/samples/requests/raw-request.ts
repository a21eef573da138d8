/** Turns drafts into requests: a target, headers and bytes. */
import type { Schema } from '@contract-first/contract'
import { form } from '@contract-first/engine/client-features'
import { stringify } from '@contract-first/engine/json'
import {
  type ExamplePart,
  isHeaderName,
  mayBeObject,
  type Operation,
  type ParameterSpec,
  type RequestContent
} from '@contract-first/engine/model'
import {
  formEnd,
  isHeaderText,
  partHead,
  requestHead,
  sections,
  Unsendable,
  partsOf as writtenParts
} from '@contract-first/engine/steps'
import type { Draft, RawRequest } from './draft.ts'
import { sequenceText } from './sequence.ts'

/** Longest URL and header: common servers refuse longer ones, whatever the contract allows (RFC 9110, section 4.1). */
const maxTextLength = 4000

/** @throws {Unsendable} for a value that no request can carry */
export function rawRequest(draft: Draft): RawRequest {
  const raw = written(draft)
  const isName = (name: string) => name !== '__proto__' && isHeaderName(name)
  if (!Object.keys(raw.headers).every(isName) || !isHeaderText(raw.headers['cookie'] ?? ''))
    throw new Unsendable('a header cannot carry this')
  if (draft.subject.isOther(String(raw.target.split('?')[0])))
    throw new Unsendable('another path of the contract is asked with this')
  const longest = Math.max(raw.target.length, ...Object.values(raw.headers).map((text) => text.length))
  if (longest > maxTextLength) throw new Unsendable('servers limit the length of URLs and headers')
  return draft.rewrite?.(raw) ?? raw
}

/** Refuses nothing but what HTTP cannot carry: drafts may break the contract. */
const checker = {
  validators: {},
  check: Boolean,
  problem: (place: string, message: string) => new Unsendable(`${place} ${message}`)
}

function written({ subject: { operation, parameters }, values, body }: Draft): RawRequest {
  for (const [index, { spec, schema }] of parameters.entries())
    if (spec.in === 'path') assertReadable(values[index], spec.json === true, mayHaveSlash(schema))
  const { target, headers } = headOf(
    operation,
    parameters.map(({ spec }) => spec),
    values
  )
  const { method } = operation
  if (body === undefined) return { method, target, headers, body: undefined }
  const { contentType, bytes } = bodyMessage(body.of.content, body.value)
  return { method, target, headers: { ...headers, 'content-type': contentType }, body: bytes }
}

/** @throws {Unsendable} */
function headOf(operation: Operation, specs: readonly ParameterSpec[], values: readonly unknown[]) {
  const groups = { params: {}, query: {} as unknown, headers: {}, cookies: {} }
  for (const [index, spec] of specs.entries()) {
    const value = values[index]
    if (spec.in === 'querystring') groups.query = value
    else Object.assign(groups[sections[spec.in]] as object, { [spec.key]: value })
  }
  const { target, headers } = requestHead(operation, groups, { checker, features: { form } })
  const [path = '', query = ''] = target.split('?', 2)
  return { target: query === '' ? path : `${path}?${query.replaceAll(/[!'()*]/g, octet)}`, headers }
}

/** Encodes reserved characters of a query that `encodeURIComponent` leaves (RFC 6570, section 3.2.1). */
const octet = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Returns `name=value` as a query carries it; several for an exploded list. */
export function queryPairs({ subject, values }: Draft, index: number): readonly string[] {
  const spec = subject.parameters[index]?.spec
  if (spec?.in !== 'query' || values[index] === undefined) return []
  const alone = { ...subject.operation, path: '/', parameters: [spec] }
  const [, query = ''] = headOf(alone, [spec], [values[index]]).target.split('?', 2)
  return query === '' ? [] : query.split('&')
}

const unreadableSegment = /^\.{0,2}$|[\\\p{Cc}]/u

const mayHaveSlash = ({ pattern, ref }: Schema): boolean =>
  pattern?.source.includes('/') === true || (ref !== undefined && mayHaveSlash(ref))

/** Refuses texts that clients, proxies and servers normalise: `.`, `..`, control characters, and slashes, unless a pattern has them. */
function assertReadable(value: unknown, isJson: boolean, maySplit: boolean): void {
  const texts = isJson || typeof value !== 'object' ? [value] : Object.values(Object(value))
  const written = texts.map((text) => (isJson ? stringify(text) : String(text)))
  const isUnreadable = (text: string) => unreadableSegment.test(text) || (text.includes('/') && !maySplit)
  if (written.length === 0 || written.some(isUnreadable))
    throw new Unsendable('a segment of a path cannot carry this text')
}

const boundary = 'conformance-6f1d9a3c5b7e'

/**
 * Writes the value of a body as bytes, by its media type.
 * @throws {Unsendable} for a value that the media type cannot carry
 */
export function bodyMessage(content: RequestContent, value: unknown): { contentType: string; bytes: Buffer } {
  const { mediaType, kind } = content
  const contentType = concrete(mediaType)
  if (content.items !== undefined)
    return { contentType, bytes: Buffer.from(sequenceText(content.items, value)) }
  if (kind === 'json') return { contentType, bytes: Buffer.from(stringify(value)) }
  if (kind === 'form') return { contentType, bytes: Buffer.from(form(content, value, 'body', checker)) }
  if (kind === 'multipart')
    return {
      contentType: `multipart/form-data; boundary=${boundary}`,
      bytes: multipart(partsOf(content, value))
    }
  return { contentType, bytes: Buffer.from(typeof value === 'string' ? value : stringify(value)) }
}

/** Returns a concrete media type within a range. */
export function concrete(mediaType: string): string {
  if (!mediaType.includes('*')) return mediaType
  return mediaType.startsWith('text/')
    ? 'text/plain'
    : mediaType.replace('*/*', 'application/octet-stream').replace('/*', '/x-any')
}

/**
 * Returns the parts of a multipart body (RFC 7578).
 * @throws {Unsendable} for names and bytes that are not ASCII: their text would have more bytes than characters
 */
export function partsOf(content: RequestContent, value: unknown): ExamplePart[] {
  return writtenParts(content, value).map(({ name, data, filename, mediaType }) => {
    const text = String(data)
    const isFile = filename !== undefined
    const spec = content.fields?.find((field) => field.name === name)
    if (spec?.bytes && !isFile && !mayBeObject(spec.shape)) throw new Unsendable('a file is not an object')
    if (!/^[ !#-[\]-~]+$/.test(name) || (isFile && /\P{ASCII}/u.test(text)))
      throw new Unsendable('a part of a form cannot carry this text')
    return { name, text, ...(isFile && { isFile }), ...(mediaType !== undefined && { mediaType }) }
  })
}

function multipart(parts: readonly ExamplePart[]): Buffer {
  const written = parts.map(({ text, isFile, ...part }) => {
    const head = partHead({ ...part, data: text, ...(isFile && { filename: 'file' }) }, boundary)
    return `${head}${text}\r\n`
  })
  return Buffer.from(`${written.join('')}${formEnd(boundary)}`)
}
