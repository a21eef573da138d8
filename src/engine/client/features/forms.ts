/** Writes urlencoded forms (WHATWG URL, section 5.2) and multipart bodies (RFC 7578; OpenAPI 3.1.0, section 4.8.14.4). */
import type { Checker, SentBody } from '../../model/client-operation.ts'
import { type RequestContent, uploadSize } from '../../model/compiled-contract.ts'
import { mediaTypeMatcher } from '../../model/content-type.ts'
import type { FieldSpec, FormFields } from '../../model/parameter.ts'
import { exactStringify } from '../../runtime/serializers.ts'
import { isHeaderText, pairsOf } from '../parameter-text.ts'
import { type Bytes, byteChunks, byteStream, isBytes, isStream } from './streams.ts'

/**
 * Writes a form, with a space as `%20`.
 * @param place place of the form: `body`, or `query`
 * @throws {Error} of the checker
 */
export function formText(form: FormFields, value: unknown, place: string, { problem }: Checker): string {
  const pairs = fieldsOf(form, value).flatMap(([spec, member]) => {
    try {
      return pairsOf(spec, member)
    } catch (error) {
      throw problem(`${place}/${spec.key}`, (error as Error).message)
    }
  })
  return pairs.map(([name, text]) => `${name}=${text}`).join('&')
}

/** Returns each member of a form with its description. */
function fieldsOf(
  { fields = [], additional }: FormFields,
  value: unknown
): readonly (readonly [FieldSpec, unknown])[] {
  const unknown = {
    in: 'query',
    required: false,
    style: 'form',
    explode: true,
    shape: { types: [] }
  } as const
  return Object.entries(Object(value)).flatMap(([name, member]) => {
    const declared = fields.find((field) => field.name === name)
    return member === undefined
      ? []
      : [[declared ?? { ...unknown, ...additional, name, key: name }, member] as const]
  })
}

export interface Part {
  readonly name: string
  readonly data: string | Bytes
  readonly filename?: string
  readonly mediaType?: string
  /** Media types and ranges that the contract allows. */
  readonly contentTypes?: readonly string[]
}

/**
 * Writes a form as a Blob, which can be sent again; one with a stream as a stream.
 * @param onError receives the error of a stream
 * @throws {Error} of the checker
 */
export function multipart(
  content: RequestContent,
  body: unknown,
  { check, problem }: Checker,
  onError: (error: unknown) => void
): { readonly contentType: string; readonly body: SentBody } {
  check(content.validate, standIns(body), 'body')
  const words = crypto.getRandomValues(new Uint32Array(4))
  const boundary = `part-${[...words].map((word) => word.toString(36)).join('')}`
  const parts = partsOf(content, body)
  for (const { name, filename = '', mediaType = '', contentTypes } of parts) {
    if (`${name}${filename}`.includes('\0') || !isHeaderText(mediaType))
      throw problem(`body/${name}`, 'has a forbidden character')
    if (contentTypes !== undefined && mediaTypeMatcher(contentTypes)(mediaType) < 0)
      throw problem(`body/${name}`, `must be of media type ${contentTypes.join(' or ')}`)
  }
  const pieces = parts.flatMap((part) => [partHead(part, boundary), part.data, '\r\n'])
  pieces.push(formEnd(boundary))
  const contentType = `multipart/form-data; boundary=${boundary}`
  const isWhole = pieces.every((piece) => typeof piece === 'string' || !isStream(piece))
  return { contentType, body: isWhole ? new Blob(pieces as never) : byteStream(chunks(pieces), onError) }
}

async function* chunks(pieces: readonly (string | Bytes)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const isStreamed = typeof piece === 'object' && isStream(piece)
    yield* byteChunks(isStreamed ? piece : new Blob([piece]).stream())
  }
}

/** Replaces files by what validators know of them: their size, where it is known. */
function standIns(form: unknown): unknown {
  const standIn = (value: unknown) =>
    value instanceof Uint8Array || !isFile(value) ? value : { [uploadSize]: sizeOf(value) }
  if (typeof form !== 'object' || form === null) return form
  const fields = Object.entries(form).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(standIn) : standIn(value)
  ])
  return Object.fromEntries(fields)
}

/**
 * A file: bytes, a stream, a Blob, or an object `{ content, filename?, mediaType? }`; also a file as handlers receive it,
 * which has `stream()`.
 */
type File = object & {
  readonly content?: Bytes
  readonly stream?: () => Bytes
  readonly filename?: string
  readonly name?: string
  readonly mediaType?: string
  readonly type?: string
  readonly size?: number
  readonly byteLength?: number
}

const isFile = (value: unknown): value is File =>
  isBytes(value) || isBytes(Object(value).content) || typeof Object(value).stream === 'function'

const sizeOf = ({ size, byteLength, content }: File): number =>
  size ?? byteLength ?? (content === undefined ? Number.NaN : sizeOf(content))

export function partsOf(form: FormFields, value: unknown): readonly Part[] {
  return fieldsOf(form, value).flatMap(([spec, member]) => {
    const items = Array.isArray(member) && spec.json !== true ? member : [member]
    return items.map((item) => partOf(spec, item))
  })
}

function partOf({ name, bytes, json, jsonItems, contentTypes = [] }: FieldSpec, value: unknown): Part {
  const listed = contentTypes.find((type) => !type.includes('*'))
  if (isFile(value))
    return { name, ...filePart(value, listed), ...(contentTypes.length > 0 && { contentTypes }) }
  const isJson = json === true || jsonItems === true || (typeof value === 'object' && value !== null)
  if (bytes === true && !isJson) return { name, data: String(value), ...fileHead({}, listed) }
  const mediaType = listed ?? (isJson ? 'application/json' : undefined)
  return { name, data: isJson ? exactStringify(value) : String(value), ...(mediaType && { mediaType }) }
}

function filePart(file: File, listed: string | undefined): Omit<Part, 'name'> {
  const { content = isBytes(file) ? file : undefined, stream } = file
  return {
    data: content ?? (Reflect.apply(stream as () => Bytes, file, []) as Bytes),
    ...fileHead(file, listed)
  }
}

/** @param listed media type that the contract declares */
const fileHead = ({ content, filename, name, mediaType, type }: File, listed: string | undefined) => {
  const inner: File = content ?? {}
  return {
    filename: filename ?? name ?? inner.name ?? 'file',
    mediaType: mediaType ?? (type || inner.type || listed || 'application/octet-stream')
  }
}

/** Text before the data of a part. A name is written as browsers do (WHATWG HTML, section 4.10.22.8). */
export function partHead({ name, filename, mediaType }: Part, boundary: string): string {
  const file = filename === undefined ? '' : `; filename="${escaped(filename)}"`
  const type = mediaType === undefined ? '' : `Content-Type: ${mediaType}\r\n`
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${file}\r\n${type}\r\n`
}

const escaped = (text: string): string => text.replaceAll(/["\r\n]/g, encodeURIComponent)

export const formEnd = (boundary: string): string => `--${boundary}--\r\n`
