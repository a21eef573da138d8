/** Types of the code that serves a contract: one handler for each operation, one for each security scheme. */
import { type SecurityScheme, uniqueIn } from '@contract-first/contract'
import type { Operation, ParameterSpec, RequestContent } from '@contract-first/engine/model'
import { ts } from '../../source/typescript.ts'
import { keyOf, quoted } from '../../source/values.ts'
import {
  clientTypes,
  type NamedOperation,
  parameterType,
  responseTypes,
  type SentTypes,
  senderTypes,
  statusClasses,
  unionOf
} from './client-types.ts'
import { operationName } from './document-printer.ts'

export function handlerTypes(
  operations: readonly Operation[],
  schemes: ReadonlyMap<string, SecurityScheme>,
  { hasClient, sender }: { readonly hasClient: boolean; readonly sender: SentTypes }
): string {
  const all = [...operations, ...sender.operations]
  const names = operationTypeNames(all.map(({ operationId }) => operationId))
  const named = all.map((operation, index): NamedOperation => {
    const direction = index < operations.length ? 'served' : 'sent'
    const type = operationName({ id: operation.operationId, direction })
    return { operation, name: String(names[index]), at: `operations[${quoted(type)}]` }
  })
  const [served, sent] = [named.slice(0, operations.length), named.slice(operations.length)]
  const principals = principalParameters(operations, [...schemes.keys()])
  const handlers = served.map(
    ({ operation, name }) =>
      `    ${keyOf(operation.operationId)}: (request: ${name}Request<${principalType(operation, principals)}>) => ${result(`${name}Response`)};\n`
  )
  const security = [...schemes].map(([name, scheme]) =>
    securityType(`${keyOf(name)}${principals.has(name) ? '' : '?'}`, scheme)
  )
  const hasRanges = all.some(({ responses }) =>
    Object.keys(responses).some((status) => !/^\d+$/.test(status))
  )
  return [
    ...(hasRanges ? [statusClasses()] : []),
    ...served.map(handlerType),
    handlersDoc(principals),
    handlers.length === 0
      ? 'export type Handlers<_Principal = unknown> = None;'
      : `export interface Handlers<${parameterList(principals)}> {\n${handlers.join('')}}`,
    '/** One handler for each security scheme. A falsy or Error result refuses the request. */',
    security.length === 0
      ? 'export type SecurityHandlers = None;'
      : `export interface SecurityHandlers {\n${security.join('')}}`,
    ...(hasClient ? [clientTypes(served)] : []),
    ...(sent.length === 0 ? [] : [senderTypes(sent, sender.targets)]),
    contractTypes(principals, { client: hasClient, sender: sent.length > 0 })
  ].join('\n')
}

/** Doc comment of `Handlers`; names the parameters, which follow the order of the operations. */
function handlersDoc(principals: PrincipalParameters): string {
  const several = principals.size > 1 ? ', by security scheme' : ''
  return `/** One handler for each operation. The parameters are what the security handlers return${several}. */`
}

/** Types that the server reads: its principals are replaced by those of the security handlers. */
function contractTypes(
  principals: PrincipalParameters,
  has: { readonly client: boolean; readonly sender: boolean }
): string {
  const schemes = [...principals.keys()]
  const members = schemes.map((scheme) => ` readonly ${keyOf(scheme)}: unknown;`).join('')
  const values = schemes.map((scheme) => `this["principals"][${quoted(scheme)}]`).join(', ')
  return `/** Types that createContractServer reads from the contract. */
export interface ContractTypes {
    readonly principals: {${members} };
    readonly handlers: Handlers${values === '' ? '' : `<${values}>`};
    readonly security: SecurityHandlers;${has.client ? '\n    readonly client: ContractClient;' : ''}${has.sender ? '\n    readonly sender: ContractSender;' : ''}
}
`
}

/** Names the request and the response, because editors show the names: `CreatePetRequest`, `CreatePetResponse`. */
function handlerType({ operation, name, at }: NamedOperation): string {
  const parameters = [
    `params: ${parameterTypes(operation, 'path', at)}`,
    `query: ${wholeQueryType(operation, at) ?? parameterTypes(operation, 'query', at)}`,
    `headers: ${parameterTypes(operation, 'header', at)}`,
    `cookies: ${parameterTypes(operation, 'cookie', at)}`,
    `operation: ${operationType(operation)}`
  ].map((line) => `    readonly ${line};\n`)
  const bodies = bodyTypes(operation, at).map((line) => `{\n${parameters.join('')}${line}}`)
  const responses = Object.entries(operation.responses).flatMap((entry) =>
    responseTypes(operation, entry, `${name}Responses`)
  )
  return `${requestType(`${name}Request<Principal = unknown>`, bodies)}
export type ${name}Responses = ${at}["responses"];
export type ${name}Response =${unionOf(responses)};`
}

/** The optional status lets TypeScript name the wrong part of a response. Without an alias, no other name is shown. */
const result = (response: string): string =>
  `${response} | (Promise<${response}> & { readonly status?: undefined })`

/** Declares an interface for a single body: editors show its name instead of its members. */
function requestType(head: string, bodies: readonly string[]): string {
  const [body, ...others] = bodies
  if (others.length === 0) return `export interface ${head} extends RequestContext<Principal> ${body}`
  const members = bodies.map((each) => `(RequestContext<Principal> & ${each})`)
  return `export type ${head} = ${members.join(' | ')};`
}

const operationType = ({ operationId, method, path }: Operation): string =>
  `DeclaredOperation<${[operationId, method, path].map(quoted).join(', ')}>`

function parameterTypes(operation: Operation, place: ParameterSpec['in'], at: string): string {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return 'None'
  const members = parameters.map(
    (parameter) =>
      `readonly ${quoted(parameter.key)}${isAlwaysSet(parameter) ? '' : '?'}: ${valueType(parameter.name, place, at)};`
  )
  return `{ ${members.join(' ')} }`
}

const isAlwaysSet = ({ required, default: standard }: ParameterSpec) => required || standard !== undefined

/** Returns the type of the value of a parameter that has one. */
const valueType = (name: string, place: ParameterSpec['in'], at: string): string =>
  `${parameterType(name, place, at)} & ({} | null)`

/** Returns the type of a query that is one parameter; undefined for any other. */
function wholeQueryType({ parameters }: Operation, at: string): string | undefined {
  const whole = parameters.find((parameter) => parameter.in === 'querystring')
  if (whole === undefined) return undefined
  return `(${valueType(whole.name, 'query', at)})${isAlwaysSet(whole) ? '' : ' | undefined'}`
}

/** Returns one request type for each media type, discriminated by `mediaType`. */
function bodyTypes(operation: Operation, at: string): string[] {
  const { requestBody } = operation
  const line = (type: string, mediaType: string) =>
    `    readonly body: ${type};\n    readonly mediaType: ${mediaType};\n`
  if (requestBody === undefined) return [line('undefined', 'undefined')]
  const present = requestBody.content.map((content) => line(bodyType(content, at), quoted(content.mediaType)))
  if (present.length === 0 && requestBody.required) return [line('never', 'never')]
  return requestBody.required ? present : [...present, line('undefined', 'undefined')]
}

function bodyType(content: RequestContent, at: string): string {
  const type = `NonNullable<${at}["requestBody"]>["content"][${quoted(content.mediaType)}]`
  if (content.stream && content.kind === 'binary') return 'Readable'
  if (content.mediaType.includes('*') && content.validate !== undefined) return `${type} | string | Buffer`
  if (content.items !== undefined) return `AsyncIterable<${type}>`
  if (content.kind === 'binary') return 'Buffer'
  if (content.validate === undefined) return content.kind === 'text' ? 'string' : 'unknown'
  return type
}

/** @param member the name, with a question mark if no operation requires the scheme: its handler is optional then */
function securityType(member: string, { type, scheme }: SecurityScheme): string {
  const isBasic = type === 'http' && scheme?.toLowerCase() === 'basic'
  const credential = isBasic ? '{ readonly username: string; readonly password: string }' : 'string'
  return `    ${member}: (credential: ${credential}, context: SecurityContext) => unknown;\n`
}

/** The security schemes that operations require, with the type parameters of their principals. */
type PrincipalParameters = ReadonlyMap<string, string>

/** @param declared names of the schemes, in their order in the contract */
function principalParameters(
  operations: readonly Operation[],
  declared: readonly string[]
): PrincipalParameters {
  const required = new Set(operations.flatMap(({ security }) => security.flat().map(({ scheme }) => scheme)))
  const schemes = declared.filter((scheme) => required.has(scheme))
  const names = schemes.length === 1 ? [''] : operationTypeNames(schemes)
  return new Map(schemes.map((scheme, index) => [scheme, `${names[index]}Principal`]))
}

/** Declares one parameter for each scheme. Without the others, the first is the principal of all. */
function parameterList(parameters: PrincipalParameters): string {
  const [first = '_Principal', ...others] = parameters.values()
  return [`${first} = unknown`, ...others.map((name) => `${name} = ${first}`)].join(', ')
}

/**
 * Returns the type of an operation's principal: that of its scheme, an object by scheme where several are required
 * together, a union for alternatives, and undefined where no credentials are required.
 */
function principalType({ security }: Operation, parameters: PrincipalParameters): string {
  const alternatives = security.map((requirements) => {
    const members = requirements.map(({ scheme }) => [scheme, String(parameters.get(scheme))] as const)
    const [only] = members
    if (only === undefined) return 'undefined'
    if (members.length === 1) return only[1]
    return `{ ${members.map(([scheme, name]) => `readonly ${keyOf(scheme)}: ${name}`).join('; ')} }`
  })
  return [...new Set(alternatives.length === 0 ? ['undefined'] : alternatives)].join(' | ')
}

/** @returns a name for each operationId, in order; equal names get a number */
export function operationTypeNames(operationIds: readonly string[]): string[] {
  const taken = new Set<string>()
  return operationIds.map((operationId) => uniqueIn(taken, pascalCase(operationId)))
}

/** @returns by operationId the name of the type of a response */
export const responseTypeNames = (operationIds: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    operationTypeNames(operationIds).map((name, index) => [operationIds[index] ?? '', `${name}Response`])
  )

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
