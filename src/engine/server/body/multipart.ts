/** Reads bodies of `multipart/form-data`, and their parts as the headers describe them (RFC 7578). */
import type { Dicer } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { parseMediaType } from '../../model/media-type.ts'
import { FailureError } from '../errors/failure.ts'
import type { Reserve } from './budget.ts'
import { readBytes } from './payload.ts'
import { nextTurn, Pace } from './turns.ts'
import type { UploadedFile } from './uploads.ts'

const maxParts = 1000
const maxHeaderPairs = 100
/** Characters of a boundary (RFC 2046, section 5.1.1, allows 70); the parser throws beyond 252. */
const maxBoundary = 252

/** Bytes that are parsed in one event-loop turn. */
const maxSlice = 65_536

/**
 * Loads the parser with the first such body.
 * @throws {FailureError} `body-too-large` or `malformed-body`, and what `reserve` throws
 */
export async function multipartBody(
  request: FastifyRequest,
  limit: number,
  reserve: Reserve | undefined
): Promise<Parts> {
  const bytes = await readBytes(request.raw, limit, reserve)
  const sent = new SentParts(await partParser(request))
  await sent.write(bytes)
  await sent.end()
  const parts: Parts = new Map()
  for (const { headers, chunks } of sent.list) {
    const { name, ...part } = partHead(headers)
    addPart(parts, name, { ...part, bytes: Buffer.concat(chunks) })
  }
  return parts
}

/** @throws {FailureError} `malformed-body` for a media type without boundary, or with one that is too long */
export async function partParser({ headers }: FastifyRequest): Promise<Dicer> {
  const boundary = parseMediaType(String(headers['content-type']))?.parameters.get('boundary') ?? ''
  if (boundary === '' || boundary.length > maxBoundary) throw malformed()
  const { Dicer } = await import('@fastify/busboy')
  // Parts are read at once. One that is paused when the body ends would never resume the parser.
  const config = { boundary, maxHeaderPairs, partHwm: Number.MAX_SAFE_INTEGER }
  return new Dicer(config)
}

export interface SentPart {
  headers: PartHeaders
  /** Bytes that the parser has given and that nobody has taken. */
  readonly chunks: Buffer[]
  isComplete: boolean
}

/** Parts as the parser gives them. */
export class SentParts {
  readonly list: SentPart[] = []
  readonly #parser: Dicer
  readonly #finished: Promise<void>
  readonly #pace = new Pace()

  constructor(parser: Dicer) {
    this.#parser = parser
    this.#finished = new Promise((resolve, reject) => {
      parser.on('finish', resolve).on('error', (error) => reject(malformed(error)))
    })
    this.#finished.catch(() => undefined)
    parser.on('part', (stream) => {
      const part: SentPart = { headers: {}, chunks: [], isComplete: false }
      // Ends the call of `write`, which parses no further.
      if (this.list.push(part) > maxParts) throw tooManyParts()
      stream
        .on('header', (headers) => {
          part.headers = headers as PartHeaders
        })
        .on('data', (chunk: Buffer) => part.chunks.push(chunk))
        .on('end', () => {
          part.isComplete = true
        })
        // The parser reports the same error.
        .on('error', () => undefined)
    })
  }

  /**
   * Parses the next bytes of the body, large ones in several event-loop turns.
   * @throws {FailureError} `body-too-large` for too many parts, without parsing the rest
   */
  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += maxSlice) {
      const slice = bytes.subarray(at, at + maxSlice)
      await new Promise((resolve) => this.#parser.write(slice, resolve))
      if (this.#pace.isSpent(slice.length)) await nextTurn()
    }
  }

  /** @throws {FailureError} `malformed-body` for a body without its end */
  async end(): Promise<void> {
    this.#parser.end()
    await this.#finished
  }
}

function tooManyParts(): FailureError {
  return new FailureError('body-too-large', { message: `the body has more than ${maxParts} parts` })
}

export function addPart(parts: Parts, name: string, part: Part): void {
  const list = parts.get(name) ?? []
  list.push(part)
  parts.set(name, list)
}

function malformed(cause?: unknown): FailureError {
  return new FailureError('malformed-body', {
    message: 'the body is not well-formed multipart/form-data',
    cause
  })
}

/** Values of the headers of a part. */
export interface PartHead {
  /** Content-Type without parameters; undefined where the client sent none, empty where it is malformed. */
  readonly mediaType: string | undefined
  /** Name without folders; undefined where the client sent none, or one that is not safe. */
  readonly filename: string | undefined
  /** True where the client has sent a file name, which makes the part a file. */
  readonly isNamed: boolean
  /** Content-Transfer-Encoding in lower case; undefined for an identity encoding. */
  readonly encoding: string | undefined
}

export interface Part extends PartHead {
  readonly bytes: Buffer
  /** The part as its handler receives it; undefined for bytes. */
  readonly file?: UploadedFile
}

/** Parts by field name, in the order of their arrival. */
export type Parts = Map<string, Part[]>

/** Values by lower-case name, each byte as one character. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>

/** Encodings that change nothing (RFC 2045, section 6.2). */
const identity = new Set(['', '7bit', '8bit', 'binary'])

/** @throws {FailureError} `malformed-body` for headers without a name */
export function partHead(headers: PartHeaders): PartHead & { readonly name: string } {
  const first = (header: string) => headers[header]?.[0]
  // A disposition has the syntax of a media type without the slash (RFC 6266, section 4.1).
  const disposition = parseMediaType(`x/${first('content-disposition')?.trimStart() ?? ''}`)
  const parameters = disposition?.type === 'x/form-data' ? disposition.parameters : undefined
  const filename = extendedValue(parameters?.get('filename*')) ?? utf8(parameters?.get('filename'))
  const contentType = first('content-type')
  const encoding = (first('content-transfer-encoding') ?? '').trim().toLowerCase()
  const name = utf8(parameters?.get('name'))
  if (name === undefined) throw malformed()
  return {
    name,
    mediaType: contentType === undefined ? undefined : (parseMediaType(contentType)?.type ?? ''),
    filename: filename === undefined ? undefined : safeName(filename),
    isNamed: filename !== undefined,
    encoding: identity.has(encoding) ? undefined : encoding
  }
}

/** Control characters, line breaks, and the names of folders. */
const unsafeName = /[\p{Cc}\p{Zl}\p{Zp}]|^\.{1,2}$/u

/** Returns the name without its folders; undefined for one that a handler could not use as the name of a file. */
function safeName(sent: string): string | undefined {
  const name = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1)
  return unsafeName.test(name) ? undefined : name
}

function utf8(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1').toString('utf8')
}

/** Decodes `UTF-8''na%C3%AFve.txt` (RFC 8187); browsers send the plain form, some other clients this one. */
function extendedValue(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? '')?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
