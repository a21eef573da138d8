/** Types of calls and responses: what each operation takes and answers, for clients, senders and handlers. */
import type {
  Operation,
  ParameterSpec,
  RequestContent,
  Response,
  ResponseContent
} from '@contract-first/engine/model'
import { keyOf, quoted } from '../../source/values.ts'

/** An operation that is served or sent. */
export interface NamedOperation {
  readonly operation: Operation
  /** Name in types: `CreatePet`. */
  readonly name: string
  /** Type of the operation by openapi-typescript. */
  readonly at: string
}

/** Webhooks and callbacks. */
export interface SentTypes {
  /** Runtime expressions of the targets of callbacks by operation. */
  readonly targets: Readonly<Record<string, string>>
  readonly operations: readonly Operation[]
}

export function clientTypes(operations: readonly NamedOperation[]): string {
  const calls = operations.map(
    ({ operation, name }) =>
      `    ${keyOf(operation.operationId)}: (call${isOptional(operation) ? '?' : ''}: ${name}Call) => Promise<${name}Answer>;\n`
  )
  return [
    ...operations.map(callTypes),
    '/** One function for each operation. */',
    `export interface ContractClient {\n${calls.join('')}}`
  ].join('\n')
}

/** @param operations at least one */
export function senderTypes(operations: readonly NamedOperation[], targets: SentTypes['targets']): string {
  const calls = operations.map(({ operation, name }) => {
    const target = Object.hasOwn(targets, operation.operationId) ? '(ToUrl | OnExchange)' : 'ToUrl'
    return `    ${keyOf(operation.operationId)}: (call: ${name}Call & SendOptions & ${target}) => Promise<${name}Answer>;\n`
  })
  return [
    ...operations.map(({ name, at }) => `export type ${name}Responses = ${at}["responses"];`),
    ...operations.map(callTypes),
    '/** One function for each webhook and callback. */',
    `export interface ContractSender {\n${calls.join('')}}`
  ].join('\n')
}

const sections = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie' } as const

const isOptional = ({ parameters, requestBody }: Operation): boolean =>
  requestBody?.required !== true && parameters.every(({ required }) => !required)

function callTypes({ operation, name, at }: NamedOperation): string {
  const lines = [
    ...Object.entries(sections).flatMap(([section, place]) => sectionLine(operation, section, place, at)),
    ...wholeQuery(operation, at)
  ]
  const bodies = bodyLines(operation, at).map(
    (body) => `CallOptions & {\n${[...lines, ...body].map((line) => `    readonly ${line};\n`).join('')}}`
  )
  const answers = Object.entries(operation.responses).flatMap((entry) =>
    answerTypes(operation, entry, `${name}Responses`)
  )
  return `export type ${name}Call = ${bodies.join(' | ')};
export type ${name}Answer =${unionOf(answers)};`
}

function sectionLine(
  { parameters }: Operation,
  section: string,
  place: ParameterSpec['in'],
  at: string
): string[] {
  const own = parameters.filter((parameter) => parameter.in === place)
  if (own.length === 0) return []
  const members = own.map(({ name, key, required }) => {
    const type = parameterType(name, place, at)
    return `readonly ${quoted(key)}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};`
  })
  return [`${section}${own.some(({ required }) => required) ? '' : '?'}: { ${members.join(' ')} }`]
}

function wholeQuery({ parameters }: Operation, at: string): string[] {
  const whole = parameters.find((parameter) => parameter.in === 'querystring')
  if (whole === undefined) return []
  return [`query${whole.required ? '' : '?'}: ${parameterType(whole.name, 'query', at)}`]
}

/** Returns the type of a parameter, which is undefined too where the parameter is optional. */
export function parameterType(name: string, place: ParameterSpec['in'], at: string): string {
  const all = `${at}["parameters"][${quoted(place)}]`
  return `${place === 'path' ? all : `NonNullable<${all}>`}[${quoted(name)}]`
}

/** Returns the members about the body, for each media type; that of the first need not be named. */
function bodyLines({ requestBody }: Operation, at: string): readonly (readonly string[])[] {
  const { content = [], required = false } = requestBody ?? {}
  if (content.length === 0) return [[]]
  return content.map((each, index) => {
    const isRange = each.mediaType.includes('*')
    const type = isRange ? 'string' : quoted(each.mediaType)
    return [
      `body${required ? '' : '?'}: ${sentBody(each, at)}${required ? '' : ' | undefined'}`,
      `contentType${index === 0 && !isRange ? '?' : ''}: ${type}${index === 0 && !isRange ? ' | undefined' : ''}`
    ]
  })
}

function sentBody({ kind, mediaType, items, validate }: RequestContent, at: string): string {
  const type = `NonNullable<${at}["requestBody"]>["content"][${quoted(mediaType)}]`
  if (mediaType.includes('*')) return `${validate === undefined ? 'string' : `${type} | string`} | SentBytes`
  if (items !== undefined) return `Iterable<${type}> | AsyncIterable<${type}>`
  if (kind === 'binary') return 'string | SentBytes'
  if (validate === undefined) return kind === 'text' ? 'string' : 'unknown'
  return kind === 'multipart' ? `SentForm<${type}>` : type
}

function answerTypes(
  operation: Operation,
  [status, { content }]: readonly [string, Response],
  declared: string
): string[] {
  const source = memberOf(declared, status)
  const code = statusType(operation, status)
  const isBodiless = operation.method === 'HEAD' || ['204', '205', '304'].includes(status)
  if (content.length === 0 || isBodiless) return [`Answer<${code}, ${source}, undefined, undefined>`]
  return content.map(
    (each) => `Answer<${code}, ${source}, ${quoted(each.mediaType)}, ${receivedBody(each, source)}>`
  )
}

function receivedBody({ kind, mediaType, items, stream }: ResponseContent, source: string): string {
  const type = `${source}["content"][${quoted(mediaType)}]`
  if (items !== undefined) return `AsyncIterable<${type}>`
  if (mediaType.includes('*')) return `${type} | string | Uint8Array`
  if (kind === 'json') return type
  if (kind !== 'binary' && kind !== 'multipart') return 'string'
  return stream ? 'ReadableStream<Uint8Array>' : 'Uint8Array'
}

/** Status as declared, and its response. */
type Entry = readonly [status: string, response: Response]

/**
 * Returns one type for each media type of the response.
 * @param declared name of the type of all responses
 */
export function responseTypes(operation: Operation, [status, response]: Entry, declared: string): string[] {
  const source = memberOf(declared, status)
  const tagged = makesTag(operation, [status, response])
  const isOptional = (name: string) => name === 'content-length' || (tagged && name === 'etag')
  const isRequired = response.headers.some(({ name, required }) => required && !isOptional(name))
  const declaredHeaders = response.headers.length === 0 ? 'AnyHeaders' : `${source}["headers"]`
  const members = tagged ? `OptionalTag<${declaredHeaders}>` : declaredHeaders
  const headers = `headers${isRequired ? '' : '?'}: ${members}`
  const code = statusType(operation, status)
  if (response.content.length === 0) return [`{ status: ${code}; body?: undefined; ${headers} }`]
  return response.content.map(
    (content) => `{ status: ${code}; body: ${contentType(content, source)}; ${headers} }`
  )
}

/** Returns true where the server makes an entity tag that a handler may leave out, although it is required. */
const makesTag = ({ method }: Operation, [status, { headers, content }]: Entry): boolean =>
  ['GET', 'HEAD'].includes(method) &&
  status.startsWith('2') &&
  content.length > 0 &&
  headers.some(({ name, required }) => required && name === 'etag')

function contentType({ kind, mediaType, items }: ResponseContent, source: string): string {
  const type = `${source}["content"][${quoted(mediaType)}]`
  if (items !== undefined) return `Iterable<${type}> | AsyncIterable<${type}>`
  if (kind === 'json') return type
  if (mediaType.includes('*')) return `${type} | string | Bytes`
  return 'string | Bytes'
}

/** Returns the member of a status of the type of all responses: numbers are keys of their own. */
export const memberOf = (declared: string, status: string): string =>
  `${declared}[${/^\d+$/.test(status) ? status : quoted(status)}]`

/** Returns a union with a line for each type. */
export const unionOf = (types: readonly string[]): string =>
  types.length === 0 ? ' never' : types.map((type) => `\n    | ${type}`).join('')

/** Returns the types of all ranges, and of all statuses. */
export function statusClasses(): string {
  const codes = (first: number) => Array.from({ length: 100 }, (_, index) => first * 100 + index).join(' | ')
  const classes = [1, 2, 3, 4, 5].map((first) => `export type Status${first}XX = ${codes(first)};`)
  return [
    ...classes,
    'export type AnyStatus = Status1XX | Status2XX | Status3XX | Status4XX | Status5XX;'
  ].join('\n')
}

/** Returns the statuses of a range, or all statuses, without those that are declared more specifically. */
function statusType(operation: Operation, status: string): string {
  if (/^\d+$/.test(status)) return status
  const others = Object.keys(operation.responses)
  const exact = others.filter((other) => /^\d+$/.test(other))
  const classes =
    status === 'default'
      ? others.filter((other) => /^\dXX$/.test(other)).map((other) => `Status${other}`)
      : []
  const excluded = [...exact, ...classes]
  const all = status === 'default' ? 'AnyStatus' : `Status${status}`
  return excluded.length === 0 ? all : `Exclude<${all}, ${excluded.join(' | ')}>`
}
