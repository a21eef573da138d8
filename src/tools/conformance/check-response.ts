/** Checks every response: its status, media type, headers and body are as the operation declares them. */
import { hasSides, isObject, merged, type Response as Responding } from '@contract-first/contract'
import { header as readHeader } from '@contract-first/engine/client-features'
import { bodyKind, mediaTypeMatcher } from '@contract-first/engine/media-types'
import {
  bodiless,
  type CompiledCode,
  declaredResponse,
  type Items,
  type Response,
  type ResponseContent,
  type ResponseHeader
} from '@contract-first/engine/model'
import { checkerOf, jsonBody, Problems, sentence, validateBody } from '@contract-first/engine/steps'
import { propertySchemas } from '../samples/members.ts'
import { type Subject, sourceOf } from '../samples/requests/draft.ts'
import { readSequence } from '../samples/requests/sequence.ts'
import { failureOf, generalPlace, itemFailure, itemPlace, problemsOf } from '../samples/requests/verdict.ts'
import { Schemas } from '../samples/schemas.ts'
import { type Deviation, deviation } from './finding.ts'
import type { HttpResponse } from './http-client.ts'
import { exactValue, isTooDeep, maxLevels } from './requests/changed-value.ts'
import { placesOf } from './requests/draft-part.ts'

export function checkResponse(
  { operation, declared: source }: Subject,
  response: HttpResponse,
  code: CompiledCode
): readonly Deviation[] {
  const { status } = response
  const declared = declaredResponse(operation, status)
  if (declared === undefined) {
    const names = Object.keys(operation.responses).join(', ')
    return [deviation('undeclared-status', String(status), `answers ${status}; declared are ${names}`)]
  }
  const { method } = operation
  const hasBody = method !== 'HEAD' && !bodiless.has(status)
  return [
    ...declared.headers.flatMap((header) => checkHeader(header, response, code)),
    ...(hasBody ? checkBody(declared, sourceOf(source, status), response, code) : checkNoBody(response)),
    ...(hasBody ? checkSecrets(sourceOf(source, status), response) : [])
  ].map(({ check, place, message }) =>
    deviation(check, `${status} ${place}`, `answers ${status}: ${message}`)
  )
}

function checkHeader(declared: ResponseHeader, { headers }: HttpResponse, code: CompiledCode): Deviation[] {
  const { name, required } = declared
  const text = headers[name]
  if (text === undefined)
    return required ? [deviation('response-header', name, `the header ${name} is missing`)] : []
  if (isHeaderValid(declared, text, code)) return []
  return [deviation('response-header', name, `the header ${name} does not fit its schema`)]
}

function checkBody(
  { content }: Response,
  source: Responding | undefined,
  response: HttpResponse,
  code: CompiledCode
): Deviation[] {
  const { status, headers, body } = response
  if (content.length === 0) {
    // An error without a declared body may still describe the problem.
    if (body.length === 0 || status >= 400) return []
    return [deviation('response-body', 'body', 'it has a body, and none is declared')]
  }
  const type = headers['content-type']
  if (body.length === 0 && type === undefined)
    return [deviation('response-body', 'body', 'it has no body, and one is declared')]
  const declared = content.map(({ mediaType }) => mediaType)
  const chosen = type === undefined ? undefined : content[mediaTypeMatcher(declared)(type)]
  if (type !== undefined && chosen !== undefined)
    return isDecoded(chosen, source) ? [] : checkContent(chosen, type, response, code)
  const found = type === undefined ? 'it has no Content-Type' : `its media type is ${type}`
  return [deviation('response-media-type', 'content-type', `${found}; declared: ${declared.join(', ')}`)]
}

/** Returns true for a text, such as XML, whose schema describes the decoded value: nothing here decodes it. */
function isDecoded({ kind, items, mediaType }: ResponseContent, source: Responding | undefined): boolean {
  const { schema } = source?.contents.find((each) => each.mediaType === mediaType) ?? {}
  if (kind !== 'text' || items !== undefined || schema === undefined) return false
  return merged([schema], 'service').types?.has('string') === false
}

/** A client takes the bytes of a body that cannot be there for the next response (RFC 9112, section 6.3). */
function checkNoBody({ status, headers, body }: HttpResponse): Deviation[] {
  const isAnnounced =
    status === 204 && (Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers)
  if (!isAnnounced && body.length === 0) return []
  return [deviation('response-body', 'body', `it has a body, and ${status} has none`)]
}

/** Reports the first property that is `writeOnly`, which the validators of answers ignore. */
function checkSecrets(source: Responding | undefined, { headers, body }: HttpResponse): Deviation[] {
  const contents = source?.contents.filter(({ schema }) => schema !== undefined) ?? []
  const type = headers['content-type'] ?? ''
  const { schema } = contents[mediaTypeMatcher(contents.map(({ mediaType }) => mediaType))(type)] ?? {}
  if (schema === undefined || !hasSides(schema) || bodyKind(type) !== 'json') return []
  const schemas = new Schemas('response')
  for (const { path, value, schemas: all } of placesOf(exactValue(body.toString()), schema)) {
    if (!isObject(value)) continue
    const own = all.filter((each) => schemas.holds([each], value))
    const name = Object.keys(value).find((key) => schemas.isHidden(propertySchemas(own, key)))
    const place = ['body', ...path, name].join('/')
    if (name !== undefined) return [deviation('response-body', generalPlace(place), `${place} is write-only`)]
  }
  return []
}

function checkContent(
  content: ResponseContent,
  type: string,
  response: HttpResponse,
  code: CompiledCode
): Deviation[] {
  if (content.items !== undefined) return checkItems(content.items, response, code)
  const { body, isWhole } = response
  const kind = content.mediaType.includes('*') ? bodyKind(type) : content.kind
  if (!isWhole || (kind !== 'json' && kind !== 'text')) return []
  const { mediaType, validate } = content
  const text = body.toString()
  if (kind === 'json' && isTooDeep(text)) return [tooDeep]
  const failure = failureOf(() =>
    kind === 'json'
      ? jsonBody(body, { mediaType, kind, ...(validate !== undefined && { validate }) }, code)
      : validateBody(text, validate, code)
  )
  if (failure === undefined) return []
  const [first] = failure.problems
  if (first === undefined) return [deviation('response-body', 'body', failure.message)]
  const place = `${generalPlace(first.place)} ${first.message}`
  return [deviation('response-body', place, sentence([first], 0))]
}

const tooDeep = deviation('response-body', 'body', `the body is nested deeper than ${maxLevels} levels`)

/** Reports the first wrong item. Of a stream that was left, the last item may be incomplete. */
function checkItems(sequence: Items, { body, isWhole }: HttpResponse, code: CompiledCode): Deviation[] {
  const text = decoded(body, !isWhole)
  if (text === undefined) return [deviation('response-body', 'body', 'the body is not valid UTF-8')]
  if (isTooDeep(text)) return [tooDeep]
  const { items, flaw } = readSequence(sequence, text, isWhole)
  for (const [index, readings] of items.entries()) {
    const [first] = problemsOf(itemFailure(readings, code))
    if (first === undefined) continue
    const place = `${generalPlace(itemPlace(first.place, '*'))} ${first.message}`
    const message = sentence([{ ...first, place: itemPlace(first.place, index) }], 0)
    return [deviation('response-body', place, message)]
  }
  if (flaw === undefined) return []
  return [deviation('response-body', `body ${flaw}`, `the body ${flaw}, after ${items.length} items`)]
}

/** @returns undefined for bytes that are not UTF-8 */
function decoded(body: Buffer, stream: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream })
  } catch {
    return undefined
  }
}

/** Reads the header as a client of this engine does. */
function isHeaderValid(header: ResponseHeader, text: string, code: CompiledCode): boolean {
  const checker = checkerOf(code)
  try {
    if (header.shape === undefined && !header.json) checker.check(header.validate, text, header.name)
    else readHeader(header, text, checker, [])
    return true
  } catch (error) {
    if (!(error instanceof Problems)) throw error
    return false
  }
}
