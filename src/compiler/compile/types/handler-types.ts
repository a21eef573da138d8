/** Types of the code that serves a contract: one handler for each operation, one for each security scheme. */
import type {
  Operation,
  ParameterSpec,
  RequestContent,
  Response,
  ResponseContent
} from '@contract-first/engine/model'
import ts from 'typescript'
import { keyOf, quoted } from '../../source/values.ts'
import { type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { handlerPrelude } from './handler-prelude.ts'

/** @param nameOf returns the name of an operation's type */
export function handlerTypes(
  operations: readonly Operation[],
  schemes: JsonObject,
  marked: boolean,
  nameOf: (operationId: string) => string
): string {
  const views: Views = { nameOf, request: wrap(marked, 'Writable'), response: wrap(marked, 'Readable') }
  const names = operationTypeNames(operations.map(({ operationId }) => operationId))
  const types = operations.map((operation, index) => operationTypes(operation, String(names[index]), views))
  const handlers = operations.map(
    ({ operationId }, index) =>
      `    ${keyOf(operationId)}: (request: ${names[index]}Request<Principal>) => Answer<${names[index]}Answer>;\n`
  )
  const required = new Set(
    operations.flatMap((operation) => operation.security.flat()).map(({ scheme }) => scheme)
  )
  const security = Object.entries(schemes).map(([name, scheme]) =>
    securityType(`${keyOf(name)}${required.has(name) ? '' : '?'}`, objectOf(scheme))
  )
  const used = operations.some(({ responses }) =>
    Object.keys(responses).some((status) => !/^\d+$/.test(status))
  )
  return [
    handlerPrelude,
    ...(used ? [statusClasses()] : []),
    ...types,
    '/** One handler for each operation. */',
    handlers.length === 0
      ? 'export type Handlers<_Principal = unknown> = None;'
      : `export interface Handlers<Principal = unknown> {\n${handlers.join('')}}`,
    '/** One handler for each security scheme. A falsy or Error result refuses the request. */',
    security.length === 0
      ? 'export type SecurityHandlers = None;\n'
      : `export interface SecurityHandlers {\n${security.join('')}}\n`
  ].join('\n')
}

interface Views {
  readonly nameOf: (operationId: string) => string
  readonly request: (type: string) => string
  readonly response: (type: string) => string
}

const wrap =
  (marked: boolean, marker: string) =>
  (type: string): string =>
    marked ? `${marker}<${type}>` : type

function statusClasses(): string {
  const codes = (first: number) => Array.from({ length: 100 }, (_, index) => first * 100 + index).join(' | ')
  const classes = [1, 2, 3, 4, 5].map((first) => `export type Status${first}XX = ${codes(first)};`)
  return [
    ...classes,
    'export type AnyStatus = Status1XX | Status2XX | Status3XX | Status4XX | Status5XX;'
  ].join('\n')
}

/** Names the request and the answer, because editors show the names: `CreatePetRequest`, `CreatePetAnswer`. */
function operationTypes(operation: Operation, name: string, views: Views): string {
  const at = `operations[${quoted(views.nameOf(operation.operationId))}]`
  const parameters = [
    `params: ${parameterTypes(operation, 'path', at)}`,
    `query: ${parameterTypes(operation, 'query', at)}`,
    `headers: ${parameterTypes(operation, 'header', at)}`,
    `cookies: ${parameterTypes(operation, 'cookie', at)}`
  ].map((line) => `    readonly ${line};\n`)
  const bodies = bodyTypes(operation, at, views).map((line) => `{\n${parameters.join('')}${line}}`)
  const responses = Object.entries(operation.responses).flatMap((entry) =>
    responseTypes(operation, entry, at, views)
  )
  const answer = responses.length === 0 ? ' never' : responses.map((line) => `\n    | ${line}`).join('')
  return `${requestType(`${name}Request<Principal = unknown>`, bodies)}\nexport type ${name}Answer =${answer};`
}

/** Declares an interface for a single body: editors show its name instead of its members. */
function requestType(head: string, bodies: readonly string[]): string {
  const [body, ...others] = bodies
  if (others.length === 0) return `export interface ${head} extends RequestContext<Principal> ${body}`
  const members = bodies.map((each) => `(RequestContext<Principal> & ${each})`)
  return `export type ${head} = ${members.join(' | ')};`
}

function parameterTypes(operation: Operation, place: ParameterSpec['in'], at: string): string {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return 'None'
  const source = `NonNullable<${at}["parameters"][${quoted(place)}]>`
  const members = parameters.map((parameter) => {
    const isAlwaysSet = parameter.required || parameter.default !== undefined
    return `readonly ${quoted(parameter.key)}${isAlwaysSet ? '' : '?'}: NonNullable<Pick<${source}, ${quoted(parameter.name)}>>[${quoted(parameter.name)}] & ({} | null);`
  })
  return `{ ${members.join(' ')} }`
}

/** Returns one request type for each media type, discriminated by `mediaType`. */
function bodyTypes(operation: Operation, at: string, views: Views): string[] {
  const { requestBody } = operation
  const line = (type: string, mediaType: string) =>
    `    readonly body: ${type};\n    readonly mediaType: ${mediaType};\n`
  if (requestBody === undefined) return [line('undefined', 'undefined')]
  const present = requestBody.content.map((content) =>
    line(bodyType(content, at, views), quoted(content.mediaType))
  )
  if (present.length === 0 && requestBody.required) return [line('never', 'never')]
  return requestBody.required ? present : [...present, line('undefined', 'undefined')]
}

function bodyType(content: RequestContent, at: string, views: Views): string {
  const type = `NonNullable<${at}["requestBody"]>["content"][${quoted(content.mediaType)}]`
  if (content.mediaType.includes('*') && content.validate !== undefined)
    return `${views.request(type)} | string | Buffer`
  if (content.kind === 'binary') return 'Buffer'
  if (content.validate === undefined) return content.kind === 'text' ? 'string' : 'unknown'
  return views.request(type)
}

function responseTypes(
  operation: Operation,
  [status, response]: readonly [string, Response],
  at: string,
  views: Views
): string[] {
  const key = /^\d+$/.test(status) ? status : quoted(status)
  const source = `${at}["responses"][${key}]`
  const needsHeaders = response.headers.some(({ required }) => required)
  const headers = `headers${needsHeaders ? '' : '?'}: ${source}["headers"]`
  const code = statusType(operation, status)
  if (response.content.length === 0) return [`{ status: ${code}; body?: undefined; ${headers} }`]
  return response.content.map(
    (content) => `{ status: ${code}; body: ${answerType(content, source, views)}; ${headers} }`
  )
}

function answerType({ kind, mediaType }: ResponseContent, source: string, views: Views): string {
  const type = `${source}["content"][${quoted(mediaType)}]`
  if (kind === 'json') return views.response(type)
  if (mediaType.includes('*')) return `${views.response(type)} | string | Bytes`
  return 'string | Bytes'
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

/** @param member the name, with a question mark if no operation requires the scheme: its handler is optional then */
function securityType(member: string, scheme: JsonObject): string {
  const isBasic = own(scheme, 'type') === 'http' && stringOf(own(scheme, 'scheme'))?.toLowerCase() === 'basic'
  const credential = isBasic ? '{ readonly username: string; readonly password: string }' : 'string'
  return `    ${member}: (credential: ${credential}, context: SecurityContext) => unknown;\n`
}

/** @returns a name for each operationId, in order; equal names get a number */
export function operationTypeNames(operationIds: readonly string[]): string[] {
  const taken = new Set<string>()
  return operationIds.map((operationId) => {
    const name = pascalCase(operationId)
    let unique = name
    for (let number = 2; taken.has(unique); number++) unique = `${name}${number}`
    taken.add(unique)
    return unique
  })
}

/**
 * Keeps letters and digits of every script that an identifier may have. TypeScript decides: Node may know a later
 * Unicode.
 */
function pascalCase(operationId: string): string {
  const isPart = (character: string) =>
    ts.isIdentifierPart(Number(character.codePointAt(0)), ts.ScriptTarget.Latest)
  const words = [...operationId]
    .map((character) => (isPart(character) ? character : ' '))
    .join('')
    .split(/ +/)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return ts.isIdentifierStart(Number(name.codePointAt(0)), ts.ScriptTarget.Latest) ? name : `Operation${name}`
}
