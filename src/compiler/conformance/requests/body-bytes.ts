/** Writes the values of bodies as bytes, by media type. */
import { stringify } from '@contract-first/engine/json'
import type { FieldSpec, RequestContent } from '@contract-first/engine/model'
import type { Message } from './draft.ts'
import { pairsOf, percentEncoded, Unsendable } from './parameter-text.ts'

const boundary = 'conformance-6f1d9a3c5b7e'

/** @throws {Unsendable} for a value that the media type cannot carry */
export function bodyMessage({ mediaType, kind, fields = [] }: RequestContent, value: unknown): Message {
  const contentType = concrete(mediaType)
  if (kind === 'json') return { contentType, bytes: Buffer.from(stringify(value)) }
  if (kind === 'form') return { contentType, bytes: Buffer.from(formText(fields, value)) }
  if (kind === 'multipart')
    return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: multipart(fields, value) }
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

function formText(fields: readonly FieldSpec[], value: unknown): string {
  const pairs = Object.entries(Object(value)).flatMap(([name, member]) =>
    pairsOf(specOf(name, fields), member, percentEncoded)
  )
  return pairs.map(([name, text]) => `${name}=${text}`).join('&')
}

/** Writes a multipart body (RFC 7578). */
function multipart(fields: readonly FieldSpec[], value: unknown): Buffer {
  const parts = Object.entries(Object(value)).flatMap(([name, member]) => {
    const spec = specOf(name, fields)
    return (Array.isArray(member) && spec.json !== true ? member : [member]).map((item) => part(spec, item))
  })
  return Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
}

/** @throws {Unsendable} for names and bytes that are not ASCII: their text would have more bytes than characters */
function part(spec: FieldSpec, value: unknown): string {
  const isJson =
    spec.json === true || spec.jsonItems === true || (typeof value === 'object' && value !== null)
  const isBytes = spec.bytes === true
  const text = isJson ? stringify(value) : String(value)
  if (!/^[ !#-[\]-~]+$/.test(spec.name) || (isBytes && /\P{ASCII}/u.test(text)))
    throw new Unsendable('a part of a form cannot carry this text')
  const listed = spec.contentTypes?.find((name) => !name.includes('*'))
  const type = listed ?? (isJson ? 'application/json' : isBytes ? 'application/octet-stream' : undefined)
  const file = isBytes ? '; filename="file"' : ''
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${spec.name}"${file}\r\n`
  return `${head}${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${text}\r\n`
}
