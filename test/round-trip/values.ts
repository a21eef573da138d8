/** Requests and responses with values of their schemas, and what a handler and a client make of them. */
import fc from 'fast-check'
import { schemaOf } from '../../src/compiler/compile/operations/parameter-spec.ts'
import { itemList } from '../../src/compiler/compile/operations/sequence.ts'
import {
  anyValue,
  type Operation as Declared,
  type Response as DeclaredResponse
} from '../../src/contract/contract.ts'
import type {
  CompiledCode,
  Operation,
  RequestContent,
  Response,
  ResponseContent
} from '../../src/engine/model/compiled-contract.ts'
import { sections } from '../../src/engine/server/parameters/decode.ts'
import { instancesOf, plainInstance } from '../../src/tools/samples/plain-instance.ts'
import type { Draft } from '../../src/tools/samples/requests/draft.ts'
import { isSendable } from '../../src/tools/samples/requests/sequence.ts'
import { exactDocument } from '../../src/tools/samples/schemas.ts'
import { differing, dispatched, type Given, type Seen, shown, textOf } from './recorder.ts'

/** @returns the reason for which no client can send the draft */
export function valuesOf(draft: Draft): object | string {
  const { operation, parameters } = draft.subject
  if (['TRACE', 'CONNECT'].includes(operation.method)) return `fetch sends no ${operation.method}`
  if (draft.body !== undefined && ['GET', 'HEAD'].includes(operation.method))
    return `fetch sends no body with ${operation.method}`
  const { content: { kind } = {}, value } = { ...draft.body?.of, value: draft.body?.value }
  if (
    (kind === 'form' || kind === 'multipart') &&
    (typeof value !== 'object' || value === null || Array.isArray(value))
  )
    return 'a form is an object'
  const groups: Record<string, unknown> = { params: {}, query: {}, headers: {}, cookies: {} }
  for (const [index, { spec }] of parameters.entries()) {
    const value = draft.values[index]
    if (spec.in === 'querystring') groups['query'] = value
    else if (value !== undefined) Object.assign(groups[sections[spec.in]] as object, { [spec.key]: value })
  }
  if (draft.body === undefined) return groups
  const { content } = draft.body.of
  return { ...groups, body: sentBody(content, draft.body.value), contentType: typeIn(content.mediaType) }
}

/** Bodies of texts and bytes are made as values of any type. */
function sentBody({ kind, items }: RequestContent, value: unknown): unknown {
  if (items !== undefined) return value
  if (kind === 'text') return textOf(value)
  return kind === 'binary' ? Buffer.from(textOf(value)) : value
}

/** Returns a concrete media type within a range. */
function typeIn(mediaType: string): string {
  if (mediaType.startsWith('text/*')) return 'text/plain'
  return mediaType.replace('*/*', 'application/octet-stream').replace('/*', '/x-any')
}

/** Compares what was sent; a handler may be given defaults beside it. */
export function requestDifferences(draft: Draft, seen: Seen): string[] {
  const found = draft.subject.parameters.flatMap(({ spec }, index) => {
    const value = draft.values[index]
    const section = seen[sections[spec.in]]
    const received = spec.in === 'querystring' ? section : Reflect.get(Object(section), spec.key)
    const place = `${sections[spec.in]}/${spec.key}`
    const isDefault = isEmpty(value) && spec.default !== undefined
    return value === undefined || isDefault
      ? []
      : differing(value, received, { isText: spec.json !== true }, place)
  })
  const { items } = draft.body?.of.content ?? {}
  const sent = items === undefined ? draft.body?.value : dispatched(items, draft.body?.value)
  const isText = ['form', 'multipart', 'text'].includes(String(draft.body?.of.content.kind))
  return [...found, ...differing(sent, seen.body, { isText }, 'body')]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

export interface ResponseCase {
  readonly given: Given
  readonly content: ResponseContent | undefined
}

interface Making {
  /** The operation in the model. */
  readonly operation: Declared
  readonly code: CompiledCode
  readonly values: number
  readonly seed: number
}

/** Statuses without a body. */
const bodiless: readonly number[] = [204, 205, 304]

export function responsesOf(operation: Operation, making: Making): readonly ResponseCase[] {
  return Object.entries(operation.responses).flatMap(([name, declared]): readonly ResponseCase[] => {
    const holder = making.operation.responses.get(name) as DeclaredResponse
    const status = statusIn(name, operation)
    // 1xx is no final answer, and `fetch` gives none.
    if (status < 200) return []
    const headers = headersOf(declared, holder, making)
    if (headers === undefined) return []
    const isEmpty = declared.content.length === 0 || bodiless.includes(status) || operation.method === 'HEAD'
    if (isEmpty) return [{ given: { status, headers }, content: undefined }]
    return declared.content.flatMap((content) =>
      bodiesOf(content, holder, making).map((body) => ({
        given: { status, headers: { ...headers, ...typeOf(content, declared) }, body },
        content
      }))
    )
  })
}

/** Returns a status that no more specific name declares. */
function statusIn(name: string, { responses }: Operation): number {
  if (/^\d+$/.test(name)) return Number(name)
  const first = name === 'default' ? 599 : Number(name[0]) * 100 + 99
  const others = Object.keys(responses).filter((other) => other !== name)
  for (let status = first; ; status--)
    if (!others.includes(String(status)) && !others.includes(`${Math.floor(status / 100)}XX`)) return status
}

/** Names the media type where a response has several. */
const typeOf = ({ mediaType }: ResponseContent, { content }: Response): object =>
  content.length > 1 && !mediaType.includes('*') ? { 'content-type': mediaType } : {}

function headersOf(
  declared: Response,
  holder: DeclaredResponse,
  { code, seed }: Making
): Record<string, unknown> | undefined {
  const headers: Record<string, unknown> = {}
  for (const [name, header] of holder.headers) {
    const spec = declared.headers.find((each) => each.name === name.toLowerCase())
    // The server gives the length of what the handler returns.
    if (spec === undefined || spec.name === 'content-length') continue
    const accepts = (each: unknown) => code.validators[String(spec.validate)]?.call(undefined, each) !== false
    const made = plainInstance(schemaOf(header), { direction: 'response', seed, accepts })
    if (made === undefined && spec.required) return undefined
    if (made !== undefined && made !== null) headers[spec.name] = made
  }
  return headers
}

function bodiesOf(content: ResponseContent, holder: DeclaredResponse, making: Making): readonly unknown[] {
  const { code, seed, values } = making
  const declared = holder.contents.find(({ mediaType }) => mediaType === content.mediaType)
  const schema = (declared && (itemList(declared) ?? declared.schema)) ?? anyValue
  const { items, kind } = content
  if (items === undefined) {
    if (kind === undefined || kind === 'form' || kind === 'multipart') return ['a=b']
    if (kind === 'binary' || content.mediaType.includes('*')) return ['bytes: \u00e9']
  }
  const accepts = (value: unknown) =>
    code.validators[String(content.validate)]?.call(undefined, value) !== false
  const options = { direction: 'response', accepts } as const
  const plain = plainInstance(schema, { ...options, seed })
  const instances = values === 0 ? undefined : instancesOf(schema, options)
  const varied = instances === undefined ? [] : sampled(instances, seed, values)
  const all = [...(plain === undefined ? [] : [plain]), ...varied]
  if (items === undefined)
    return content.kind === 'text' ? all.filter((value) => typeof value === 'string') : all
  return all
    .filter((value) => Array.isArray(value))
    .map((list) => dispatched(items, list))
    .filter((list) => list.every((item) => isSendable(items, item)))
}

function sampled(instances: fc.Arbitrary<unknown>, seed: number, numRuns: number): readonly unknown[] {
  try {
    return fc.sample(instances, { seed, numRuns })
  } catch {
    // Too large to be made, or no sample is accepted.
    return []
  }
}

export function responseDifferences(
  { method }: Operation,
  { given, content }: ResponseCase,
  answer: Given | Error,
  { serializers }: CompiledCode
): string[] {
  if (answer instanceof Error)
    return [`${given.status} ${shown(given)} gives ${answer.name}: ${answer.message}`]
  const found: string[] = []
  const compare = (place: string, sent: unknown, received: unknown, isText = false) => {
    for (const difference of differing(sent, received, { isText }, place))
      found.push(`${given.status} ${difference}`)
  }
  compare('status', given.status, answer.status)
  for (const [name, value] of Object.entries(given.headers ?? {}))
    if (name !== 'content-type') compare(`headers/${name}`, value, answer.headers?.[name], true)
  if (method !== 'HEAD') compare('body', writtenBody(given.body, content, serializers), answer.body)
  return found
}

/** Returns the declared part of a body: no other is sent. */
function writtenBody(
  body: unknown,
  content: ResponseContent | undefined,
  serializers: CompiledCode['serializers']
): unknown {
  const write = serializers[String(content?.serialize)]
  if (write === undefined || content?.mediaType.includes('*')) return body
  const { value } = exactDocument(`{"value":${write(body)}}`)
  return value
}
