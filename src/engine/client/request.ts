/**
 * Writes the request of one call by the contract: its target, headers and cookies (OpenAPI 3.1.0, section 4.8.12), and
 * its body by its media type. Parameters and body are checked first.
 */
import { stringify } from '../json/exact-values.ts'
import type { Checker, ClientFeatures, ClientOperation, SentBody } from '../model/client-operation.ts'
import type { Operation, RequestBody, RequestContent } from '../model/compiled-contract.ts'
import { mediaTypeMatcher } from '../model/content-type.ts'
import { encodedLiteral, type ParameterSpec, templateLiterals, templateNames } from '../model/parameter.ts'
import { exactStringify } from '../runtime/serializers.ts'
import { problemAt } from './mismatch.ts'
import {
  headerText,
  isHeaderText,
  pairsOf,
  pathText,
  percentEncoded,
  Unsendable,
  withPathValue
} from './parameter-text.ts'

/** Message about a media type, a status or a body that the contract does not have. */
export const undeclared = 'is not declared'

/** Keeps what is made of each object. */
function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? make(key)
    values.set(key, value)
    return value
  }
}

/** Values of one request. */
export interface RequestValues extends ParameterValues {
  readonly body?: unknown
  /** Media type of the body; by default the first that the operation declares. */
  readonly contentType?: string | undefined
  /** Value of the header Accept; by default all media types that the operation declares. */
  readonly accept?: string | undefined
}

export interface WrittenRequest extends RequestHead {
  readonly body: RequestMessage['body'] | undefined
}

/** @throws {Problems} */
export function writeRequest(
  { operation, accept }: Pick<ClientOperation, 'operation' | 'accept'>,
  sent: RequestValues,
  writing: BodyWriting
): WrittenRequest {
  const values = writing.features.wire?.(sent, writing.checker) ?? sent
  const given = {
    params: values.params ?? {},
    query: planOf(operation).whole ? values.query : (values.query ?? {}),
    headers: lowerCased(values.headers),
    cookies: values.cookies ?? {}
  }
  writing.checker.check(operation.validateParameters, given, '')
  const { target, headers } = requestHead(operation, given, writing)
  const message = requestBody(operation.requestBody, values, writing)
  headers['accept'] = values.accept ?? accept
  if (message) headers['content-type'] = message.contentType
  return { target, headers, body: message?.body }
}

/** Values of parameters by `spec.key`; undefined values are left out. */
interface ParameterValues {
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Value of the whole query, for an operation with one parameter in `querystring`. */
  readonly query?: unknown
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  readonly cookies?: Readonly<Record<string, unknown>> | undefined
}

export interface RequestHead {
  /** Path below the base URL, and the query. */
  target: string
  /** Headers by lower-case name, `cookie` included. */
  readonly headers: Record<string, string>
}

/** Returns the headers by lower-case name, because names have no case (RFC 9110, section 5.1). */
export const lowerCased = <Value>(headers: Readonly<Record<string, Value>> = {}): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * Checks all headers of a request before it is sent: those of a contract, of options and of functions.
 * @throws {Problems} for a name or a value that HTTP cannot carry (RFC 9110, sections 5.1 and 5.5)
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~\x80-\xff]*$/.test(value))
      throw problemAt(`headers/${name}`, 'has a forbidden character')
}

interface HeadWriting {
  readonly checker: Checker
  readonly features: ClientFeatures
}

/** The compiler gives each operation the features that it needs (compile/emit/client-module.ts). */
export const needed = <Feature>(feature: Feature | undefined): Feature => feature as Feature

/**
 * Writes the parameters; it does not validate them.
 * @throws {Problems} for values that a URL or a header cannot carry
 */
export function requestHead(
  operation: Operation,
  values: ParameterValues,
  writing: HeadWriting
): RequestHead {
  const { problem } = writing.checker
  const plan = planOf(operation)
  const at = <T>(place: string, write: () => T): T => {
    try {
      return write()
    } catch (error) {
      throw problem(place, (error as Error).message)
    }
  }
  const { whole } = plan
  const query =
    whole === undefined
      ? joined(plan.query, values, 'query', '&', at)
      : at('query', () => wholeQuery(whole, values.query, writing))
  const cookie = joined(plan.cookie, values, 'cookies', '; ', at)
  if (!isHeaderText(cookie)) throw problem('cookies', 'has a forbidden character')
  const headers: Record<string, string> = {}
  for (const spec of plan.header) {
    const value = values.headers?.[spec.key]
    if (value !== undefined) headers[spec.key] = at(`headers/${spec.key}`, () => headerText(spec, value))
  }
  if (cookie !== '') headers['cookie'] = cookie
  const target = pathOf(plan, values.params, at)
  return { target: query === '' ? target : `${target}?${query}`, headers }
}

/** Writes a value; a value that HTTP cannot carry becomes a problem of its place. */
type At = <T>(place: string, write: () => T) => T

/** Texts before, between and after the names of the path, as sent, and the parameters. */
const planOf = remembered(({ path, parameters }: Operation) => {
  const specsIn = (location: ParameterSpec['in']) => parameters.filter((spec) => spec.in === location)
  const [whole] = specsIn('querystring')
  return {
    whole,
    query: specsIn('query'),
    header: specsIn('header'),
    cookie: specsIn('cookie'),
    path: templateNames(path).map(
      (name) => specsIn('path').find((spec) => spec.name === name) as ParameterSpec
    ),
    literals: templateLiterals(path).map(sentLiteral)
  }
})

type Plan = ReturnType<typeof planOf>

function pathOf({ path, literals }: Plan, values: ParameterValues['params'], at: At): string {
  return literals.reduce((start, literal, index) => {
    const spec = path[index - 1] as ParameterSpec
    const write = () => withPathValue(start, pathText(spec, values?.[spec.name]), literal)
    return at(`params/${spec.name}`, write) + literal
  })
}

/** Encodes what no URL holds, such as spaces, and keeps what the template has encoded already. */
const sentLiteral = (text: string): string => encodeURI(encodedLiteral(text)).replaceAll('%25', '%')

function joined(
  specs: readonly ParameterSpec[],
  values: ParameterValues,
  place: 'query' | 'cookies',
  separator: string,
  at: At
): string {
  const pairs: string[] = []
  for (const spec of specs) {
    const value: unknown = Object(values[place])[spec.key]
    if (value === undefined) continue
    for (const pair of at(`${place}/${spec.key}`, () => pairsOf(spec, value))) pairs.push(pair.join('='))
  }
  return pairs.join(separator)
}

/**
 * Writes a query that is one parameter.
 * @throws {Unsendable} for a text in place of a form, and for one without characters, which is no query
 */
function wholeQuery(
  { form, json }: ParameterSpec,
  value: unknown,
  { features, checker }: HeadWriting
): string {
  if (value === undefined) return ''
  if (form !== undefined && typeof value === 'object')
    return needed(features.form)(form, value, 'query', checker)
  if (form !== undefined || value === '') throw new Unsendable('cannot be a query')
  return percentEncoded(json ? exactStringify(value) : String(value))
}

interface RequestMessage {
  readonly contentType: string
  readonly body: SentBody
}

interface BodyWriting extends HeadWriting {
  /** Receives the error of a body that is written while it is sent. */
  readonly onError: (error: unknown) => void
}

type Given = Pick<RequestValues, 'body' | 'contentType'>

/**
 * @returns undefined for a request without a body
 * @throws {Problems}
 */
export function requestBody(
  declared: RequestBody | undefined,
  given: Given,
  writing: BodyWriting
): RequestMessage | undefined {
  const { problem } = writing.checker
  const { body } = given
  if (body === undefined) {
    if (declared?.required) throw problem('body', 'is required')
    return undefined
  }
  const content = contentOf(declared?.content ?? [], given)
  const contentType =
    given.contentType ?? (content?.mediaType.includes('*') ? typeOf(body) : content?.mediaType)
  if (content === undefined || contentType === undefined) throw problem('contentType', undeclared)
  return bodyMessage(content, { body, contentType }, writing)
}

/** Returns the content for a media type: that of the call, otherwise that of a Blob, otherwise the first. */
function contentOf(content: readonly RequestContent[], given: Given): RequestContent | undefined {
  if (given.contentType !== undefined) return contentFor(content, given.contentType)
  return contentFor(content, typeOf(given.body) ?? '') ?? content[0]
}

const typeOf = (body: unknown): string | undefined => (body instanceof Blob && body.type) || undefined

/** @throws {Problems} */
export function bodyMessage(
  content: RequestContent,
  { body, contentType }: Given & { readonly contentType: string },
  { checker, features, onError }: BodyWriting
): RequestMessage {
  const { items, mediaType, validate, validateBytes, int64 } = content
  if (items) return { contentType, body: needed(features.writeItems)(items, body, checker, onError) }
  const kind = mediaType.includes('*') ? needed(features.kindOf)(contentType) : content.kind
  if (kind === 'multipart') return needed(features.multipart)(content, body, checker, onError)
  if (kind !== 'binary') checker.check(validate, body, 'body')
  // Without the attempt of exactStringify, whose error for a bigint takes longer than the rest.
  if (kind === 'json') return { contentType, body: int64 ? stringify(body) : exactStringify(body) }
  if (kind === 'form') return { contentType, body: needed(features.form)(content, body, 'body', checker) }
  if (body instanceof Uint8Array) checker.check(validateBytes, body, 'body')
  const sent = typeof body === 'string' ? body : features.bytes?.(body, onError)
  if (sent === undefined) throw checker.problem('body', 'must be text or bytes')
  return { contentType, body: sent }
}

interface Declared {
  readonly mediaType: string
}

/** Returns the index of the content; the one of the last Content-Type is kept, because a server repeats itself. */
const matcherOf = remembered((content: readonly Declared[]) => {
  const match = mediaTypeMatcher(content.map(({ mediaType }) => mediaType))
  let [last, index] = ['', -1]
  return (contentType: string) => {
    if (contentType !== last) index = match(contentType)
    last = contentType
    return index
  }
})

/** Returns the content that a Content-Type matches best; undefined for a type that is not declared. */
export const contentFor = <Content extends Declared>(
  content: readonly Content[],
  contentType: string
): Content | undefined => content[matcherOf(content)(contentType)]
