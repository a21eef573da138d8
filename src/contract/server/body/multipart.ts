/**
 * Bodies of `multipart/form-data` (RFC 7578; OpenAPI 3.1.0, section 4.8.14.4). What a part is, is said by the contract:
 * bytes, JSON, or a text that is read as a parameter's is. Only of what the contract leaves open the client decides.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { decodeUtf8 } from '../../json/parse.ts'
import { bodyKind } from '../../media-types/body-kind.ts'
import type { FieldSpec, Operation, RequestContent } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { jsonValue } from '../parameters/delimited.ts'
import { fieldSpecs, mismatchIn, readTexts } from './urlencoded.ts'

/** The parser is loaded only where a contract declares such bodies. */
export async function registerMultipart(
  app: FastifyInstance,
  operations: readonly Operation[],
  limit: number
): Promise<void> {
  const content = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  if (content.every(({ kind, mediaType }) => kind !== 'multipart' && !mediaType.startsWith('*/*'))) return
  const { default: multipart } = await import('@fastify/multipart')
  await app.register(multipart, {
    limits: { fileSize: limit, parts: 1000, headerPairs: 100 },
    // Its reading of fields as texts and JSON would lose what they were.
    isPartAFile: () => true
  })
}

export async function multipartBody(
  request: FastifyRequest,
  content: RequestContent,
  limit: number
): Promise<Record<string, unknown>> {
  try {
    const reading = readParts(request)
    return fromParts(await Promise.race([reading, overflow(request.raw, limit)]), content)
  } catch (error) {
    // Nobody parses the rest; it is read so that the client can read the answer.
    request.raw.unpipe().resume()
    throw multipartFailure(error, limit)
  }
}

interface Part {
  readonly bytes: Buffer
  readonly mediaType: string
  /** As its sender calls it. */
  readonly isFile: boolean
}

type Parts = Map<string, Part[]>

async function readParts(request: FastifyRequest): Promise<Parts> {
  const parts: Parts = new Map()
  for await (const part of request.files()) {
    const { mimetype: mediaType, fieldname } = part
    const isFile = typeof part.filename === 'string' || mediaType === 'application/octet-stream'
    const list = parts.get(fieldname) ?? []
    parts.set(fieldname, [...list, { bytes: await part.toBuffer(), mediaType, isFile }])
  }
  return parts
}

/** Counts all bytes, also those between and before parts. To be called when they are flowing. */
function overflow(request: IncomingMessage, limit: number): Promise<never> {
  let size = 0
  return new Promise((_resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) reject(tooLarge(limit))
    })
  })
}

function tooLarge(limit: number, cause?: unknown): FailureError {
  return new FailureError('body-too-large', { message: `the body is larger than ${limit} bytes`, cause })
}

function multipartFailure(error: unknown, limit: number): FailureError {
  if (error instanceof FailureError) return error
  const code = String(Reflect.get(Object(error), 'code'))
  if (code.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(limit, error)
  return new FailureError('malformed-body', {
    message: 'the body is not well-formed multipart/form-data',
    cause: error
  })
}

function fromParts(parts: Parts, content: RequestContent): Record<string, unknown> {
  const result = emptyObject()
  const texts = new URLSearchParams()
  const specs = fieldSpecs(parts.keys(), content)
  for (const [name, list] of parts) {
    const spec = specs.find(({ key }) => key === name)
    if (spec === undefined || isOpen(spec)) result[name] = only(name, list.map(sentValue))
    else if (spec.bytes)
      result[name] = listed(
        spec,
        list.map(({ bytes }) => bytes)
      )
    else if (spec.jsonItems) result[name] = jsonList(list, spec)
    else for (const part of list) texts.append(name, textOf(part, spec))
  }
  return Object.assign(result, readTexts(String(texts), specs))
}

/** The contract says nothing of what the field is. */
function isOpen({ shape, json, bytes, jsonItems }: FieldSpec): boolean {
  const { types, items, prefixItems, properties, additional } = shape
  const said = [items, prefixItems, properties, additional, json, bytes, jsonItems]
  return types.length === 0 && said.every((member) => member === undefined)
}

const sentValue = ({ bytes, isFile }: Part): unknown => (isFile ? bytes : decodeUtf8(bytes))

/** A string may be sent as JSON, in quotes. */
function textOf({ bytes, mediaType }: Part, spec: FieldSpec): string {
  const text = decodeUtf8(bytes)
  const value = !spec.json && bodyKind(mediaType) === 'json' ? json(spec.key, text) : undefined
  return typeof value === 'string' ? value : text
}

function json(name: string, text: string): unknown {
  try {
    return jsonValue(text)
  } catch {
    throw mismatchIn([{ place: `body/${name}`, message: 'is not valid JSON' }])
  }
}

/** OpenAPI has a part for each item; many clients send the whole list in one. */
function jsonList(parts: readonly Part[], { key, shape }: FieldSpec): unknown {
  const values = parts.map(({ bytes }) => json(key, decodeUtf8(bytes)))
  const [whole, ...others] = values
  const isWhole = others.length === 0 && Array.isArray(whole) && shape.items?.items === undefined
  return isWhole ? whole : values
}

const listed = (spec: FieldSpec, values: readonly unknown[]): unknown =>
  spec.shape.items === undefined ? only(spec.key, values) : values

function only(name: string, values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0]
  throw mismatchIn([{ place: `body/${name}`, message: 'is given more than once' }])
}
