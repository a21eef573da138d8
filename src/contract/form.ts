/**
 * Form bodies, parsed by the Fastify ecosystem's plugins, which are loaded only where a contract declares such bodies
 * (OpenAPI 3.1.0, section 4.8.14.4). Their texts are read as those of parameters are; what is not declared stays a text.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation, RequestContent } from './contract.ts'
import { FailureError, type Problem } from './failure.ts'
import { sentence } from './messages.ts'
import { emptyObject } from './parameter-spec.ts'
import { decodeParameters } from './parameters.ts'

export async function registerForms(
  app: FastifyInstance,
  operations: readonly Operation[],
  limit: number
): Promise<void> {
  const kinds = new Set(
    operations.flatMap(({ requestBody }) => requestBody?.content ?? []).map(({ kind }) => kind)
  )
  if (kinds.has('multipart')) {
    const { default: multipart } = await import('@fastify/multipart')
    await app.register(multipart, {
      limits: { fileSize: limit, fieldSize: limit, parts: 1000, headerPairs: 100 }
    })
  }
}

/** Fields of `application/x-www-form-urlencoded` (WHATWG URL, section 5.1). */
export function formBody(text: string, { fields }: RequestContent): Record<string, unknown> {
  const { query, problems } = decodeParameters(fields ?? [], {
    path: {},
    query: text,
    headers: {},
    cookie: undefined
  })
  refuse(problems)
  const result = Object.assign(emptyObject(), query)
  for (const [name, value] of new URLSearchParams(text)) {
    const base = name.replace(/\[.*$/, '')
    if (!(name in result) && !(fields ?? []).some(({ key }) => key === name || key === base))
      result[name] = value
  }
  return result
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const inBody = problems.map(({ place, message }) => ({ place: place.replace(/^query/, 'body'), message }))
  throw new FailureError('mismatch', { message: sentence(inBody, 0), problems: inBody })
}

/** Parts of `multipart/form-data` (RFC 7578): a file is a Buffer, a field is read by its schema. */
export async function multipartBody(
  request: FastifyRequest,
  { fields }: RequestContent,
  limit: number
): Promise<Record<string, unknown>> {
  try {
    const reading = readParts(request)
    return fromParts(await Promise.race([reading, overflow(request.raw, limit)]), fields ?? [])
  } catch (error) {
    // Nobody parses the rest; it is read so that the client can read the answer.
    request.raw.unpipe().resume()
    throw multipartFailure(error, limit)
  }
}

type Parts = Map<string, unknown[]>

async function readParts(request: FastifyRequest): Promise<Parts> {
  const parts: Parts = new Map()
  for await (const part of request.parts()) {
    const value = part.type === 'file' ? await part.toBuffer() : String(part.value)
    const values = parts.get(part.fieldname)
    if (values === undefined) parts.set(part.fieldname, [value])
    else values.push(value)
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

function fromParts(
  parts: ReadonlyMap<string, readonly unknown[]>,
  fields: NonNullable<RequestContent['fields']>
): Record<string, unknown> {
  const result = emptyObject()
  const texts = new URLSearchParams()
  for (const [name, values] of parts) {
    const spec = fields.find(({ key }) => key === name)
    const isList = spec?.shape.items !== undefined && spec.json !== true
    if (values.some((value) => typeof value !== 'string'))
      result[name] = isList ? values : single(name, values)
    else if (spec === undefined) result[name] = single(name, values)
    else for (const value of values) texts.append(name, String(value))
  }
  const { query, problems } = decodeParameters(fields, {
    path: {},
    query: String(texts),
    headers: {},
    cookie: undefined
  })
  refuse(problems)
  return Object.assign(result, query)
}

function single(name: string, values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0]
  throw new FailureError('mismatch', {
    message: `body/${name} is given more than once`,
    problems: [{ place: `body/${name}`, message: 'is given more than once' }]
  })
}
