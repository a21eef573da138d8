/** Turns drafts into requests: a target, headers and bytes. */
import { stringify } from '@contract-first/engine/json'
import {
  type ExamplePart,
  encodedLiteral,
  type FieldSpec,
  type FormFields,
  type RequestContent,
  templateLiterals
} from '@contract-first/engine/model'
import type { Draft, Message } from './draft.ts'
import {
  headerValue,
  isHeaderText,
  type Pair,
  pairsOf,
  pathText,
  percentEncoded,
  Unsendable
} from './parameter-text.ts'
import { sequenceText } from './sequence.ts'

export interface RawRequest {
  readonly method: string
  /** Path below the base URL, and the query. */
  readonly target: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Longest URL and header: common servers refuse longer ones, whatever the contract allows (RFC 9110, section 4.1). */
const maxTextLength = 4000

/** @throws {Unsendable} for a value that no request can carry */
export function rawRequest(draft: Draft): RawRequest {
  const raw = assembled(draft)
  if (Object.hasOwn(raw.headers, '__proto__') || !isHeaderText(raw.headers['cookie'] ?? ''))
    throw new Unsendable('a header cannot carry this')
  const longest = Math.max(raw.target.length, ...Object.values(raw.headers).map((text) => text.length))
  if (longest > maxTextLength) throw new Unsendable('servers limit the length of URLs and headers')
  return raw
}

function assembled(draft: Draft): RawRequest {
  const { method, path } = draft.subject.operation
  const query = wholeQuery(draft) ?? pairText(draft, 'query', '&')
  const cookie = pairText(draft, 'cookie', '; ')
  const message = messageOf(draft)
  const { contentType, bytes } = draft.spoil?.(message) ?? message
  return {
    method,
    target: `${pathOf(draft, path)}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...headersOf(draft),
      ...(cookie === '' ? {} : { cookie }),
      ...(contentType === undefined ? {} : { 'content-type': contentType })
    },
    body: bytes
  }
}

function messageOf({ body }: Draft): Message {
  if (body === undefined) return { contentType: undefined, bytes: undefined }
  return bodyMessage(body.of.content, body.value)
}

function pathOf(draft: Draft, template: string): string {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => String(name))
  const texts = names.flatMap((name) =>
    draft.subject.parameters.flatMap(({ spec }, index) =>
      spec.in === 'path' && spec.name === name ? [pathText(spec, draft.values[index])] : []
    )
  )
  return templateLiterals(template)
    .map((literal, index) => `${sentLiteral(literal)}${texts[index] ?? ''}`)
    .join('')
}

/** Encodes what no URL holds, such as spaces, and keeps what the template has encoded already. */
const sentLiteral = (text: string): string => encodeURI(encodedLiteral(text)).replaceAll('%25', '%')

function pairText(draft: Draft, location: 'query' | 'cookie', separator: string): string {
  const pairs = draft.subject.parameters.flatMap(({ spec }, index): readonly Pair[] => {
    const value = draft.values[index]
    const encode = spec.style === 'cookie' ? String : percentEncoded
    return spec.in === location && value !== undefined ? pairsOf(spec, value, encode) : []
  })
  return pairs.map(([name, text]) => `${name}=${text}`).join(separator)
}

/**
 * Returns a query that is one parameter; undefined for an operation without one.
 * @throws {Unsendable} for a text in place of a form, and for one without characters, which is no query
 */
function wholeQuery({ subject, values }: Draft): string | undefined {
  const index = subject.parameters.findIndex(({ spec }) => spec.in === 'querystring')
  const spec = subject.parameters[index]?.spec
  const value = values[index]
  if (spec === undefined || value === undefined) return undefined
  if (spec.form !== undefined && typeof value === 'object') return formText(spec.form, value)
  if (spec.form !== undefined || value === '') throw new Unsendable('this query cannot carry the text')
  return percentEncoded(spec.json ? stringify(value) : String(value))
}

function headersOf({ subject, values }: Draft): Record<string, string> {
  const given = subject.parameters.flatMap(({ spec }, index) =>
    spec.in === 'header' && values[index] !== undefined ? [[spec.key, headerValue(spec, values[index])]] : []
  )
  return Object.fromEntries(given)
}

const boundary = 'conformance-6f1d9a3c5b7e'

/**
 * Writes the value of a body as bytes, by its media type.
 * @throws {Unsendable} for a value that the media type cannot carry
 */
export function bodyMessage(content: RequestContent, value: unknown): Message {
  const { mediaType, kind } = content
  const contentType = concrete(mediaType)
  if (content.items !== undefined)
    return { contentType, bytes: Buffer.from(sequenceText(content.items, value)) }
  if (kind === 'json') return { contentType, bytes: Buffer.from(stringify(value)) }
  if (kind === 'form') return { contentType, bytes: Buffer.from(formText(content, value)) }
  if (kind === 'multipart')
    return {
      contentType: `multipart/form-data; boundary=${boundary}`,
      bytes: multipart(partsOf(content, value))
    }
  return { contentType, bytes: Buffer.from(typeof value === 'string' ? value : stringify(value)) }
}

/** Returns a concrete media type within a range. */
function concrete(mediaType: string): string {
  if (!mediaType.includes('*')) return mediaType
  return mediaType.startsWith('text/')
    ? 'text/plain'
    : mediaType.replace('*/*', 'application/octet-stream').replace('/*', '/x-any')
}

function specOf(name: string, fields: readonly FieldSpec[]): FieldSpec {
  const declared = fields.find((field) => field.name === name)
  return (
    declared ?? {
      name,
      in: 'query',
      key: name,
      required: false,
      style: 'form',
      explode: true,
      shape: { types: [] }
    }
  )
}

function formText({ fields = [] }: FormFields, value: unknown): string {
  const pairs = Object.entries(Object(value)).flatMap(([name, member]) =>
    pairsOf(specOf(name, fields), member, percentEncoded)
  )
  return pairs.map(([name, text]) => `${name}=${text}`).join('&')
}

/**
 * Returns the parts of a multipart body (RFC 7578).
 * @throws {Unsendable} for names and bytes that are not ASCII: their text would have more bytes than characters
 */
export function partsOf({ fields = [] }: RequestContent, value: unknown): ExamplePart[] {
  return Object.entries(Object(value)).flatMap(([name, member]) => {
    const spec = specOf(name, fields)
    return (Array.isArray(member) && spec.json !== true ? member : [member]).map((item) => part(spec, item))
  })
}

function part(spec: FieldSpec, value: unknown): ExamplePart {
  const isJson =
    spec.json === true || spec.jsonItems === true || (typeof value === 'object' && value !== null)
  const isFile = spec.bytes === true
  const text = isJson ? stringify(value) : String(value)
  if (!/^[ !#-[\]-~]+$/.test(spec.name) || (isFile && /\P{ASCII}/u.test(text)))
    throw new Unsendable('a part of a form cannot carry this text')
  const listed = spec.contentTypes?.find((name) => !name.includes('*'))
  const mediaType = listed ?? (isJson ? 'application/json' : isFile ? 'application/octet-stream' : undefined)
  return { name: spec.name, text, ...(isFile && { isFile }), ...(mediaType !== undefined && { mediaType }) }
}

function multipart(parts: readonly ExamplePart[]): Buffer {
  const written = parts.map(({ name, text, isFile, mediaType }) => {
    const file = isFile ? '; filename="file"' : ''
    const type = mediaType === undefined ? '' : `Content-Type: ${mediaType}\r\n`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${text}\r\n`
  })
  return Buffer.from(`${written.join('')}--${boundary}--\r\n`)
}
