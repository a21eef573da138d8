/** A request for a person to paste: it calls the operation that is easiest to call. */

import type { Contract, Operation, SecurityScheme } from '@contract-first/engine/model'
import { exactStringify } from '@contract-first/engine/runtime/serializers'
import { type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { type OperationNode, operationNodes } from '../compile/document/operation-objects.ts'
import { type Parameter, parametersOf } from '../compile/document/parameter-objects.ts'
import { resolved } from '../compile/document/reference.ts'
import { plainInstance } from '../instances/plain-instance.ts'
import { examplesOf } from './examples.ts'

export interface SampleRequest {
  readonly summary: string
  readonly method: string
  /** Path with the query, without the base path. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

interface Source {
  readonly document: JsonObject
  readonly contract: Contract
  readonly seed: number
}

type Pairs = readonly (readonly [string, string])[]

/** @returns undefined if no operation can be called without a style of parameters or a body that is hard to write */
export function sampleRequest(source: Source): SampleRequest | undefined {
  const { operations } = source.contract
  const nodes = operationNodes(source.document).map((node, index) => ({
    node,
    operation: operations[index] as Operation
  }))
  const cost = ({ method, parameters, requestBody }: Operation) =>
    (method === 'GET' ? 0 : 10) +
    (requestBody === undefined ? 0 : 20) +
    parameters.filter(({ required }) => required).length
  const easiest = nodes.toSorted((a, b) => cost(a.operation) - cost(b.operation))
  for (const { node, operation } of easiest.slice(0, 50)) {
    const request = requestOf(node, operation, source)
    if (request !== undefined) return request
  }
  return undefined
}

function requestOf(node: OperationNode, operation: Operation, source: Source): SampleRequest | undefined {
  const parameters = parametersOf(source.document, node.pathItem, node.node).filter(
    ({ required }) => required
  )
  const values = parameters.map((parameter) => [parameter, textOf(parameter, source)] as const)
  const credentials = credentialsOf(operation, source.contract)
  const body = bodyOf(node.node, operation, source)
  if (values.some(([, text]) => text === undefined) || credentials === undefined || body === undefined)
    return undefined
  const within = (place: string): Pairs =>
    values.flatMap(([parameter, text]) =>
      parameter.in === place ? [[parameter.name, String(text)] as const] : []
    )
  const path = within('path').reduce(
    (written, [name, text]) => written.replace(`{${name}}`, encodeURIComponent(text)),
    node.path
  )
  const query = String(
    new URLSearchParams([...within('query'), ...credentials.query].map(([name, text]) => [name, text]))
  )
  const cookies = [...within('cookie'), ...credentials.cookies].map((pair) => pair.join('=')).join('; ')
  return {
    summary: String(own(node.node, 'summary') ?? operation.operationId),
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: [
      ...credentials.headers,
      ...within('header'),
      ...(cookies === '' ? [] : [['Cookie', cookies] as const]),
      ...(body === none ? [] : [['Content-Type', body.mediaType] as const])
    ],
    body: body === none ? undefined : body.text
  }
}

/** Returns undefined for an object or a list, whose text depends on the style of its parameter. */
function textOf({ node, schema }: Parameter, { document, seed }: Source): string | undefined {
  const [example] = examplesOf(node, document)
  const value = example?.value ?? plainInstance(schema, { document, direction: 'request', seed })
  if (own(node, 'content') !== undefined) return value === undefined ? undefined : exactStringify(value)
  return value === undefined || typeof value === 'object' ? undefined : String(value)
}

const none = Symbol('no body is needed')

function bodyOf(node: JsonObject, { requestBody }: Operation, { document, seed }: Source) {
  if (requestBody?.required !== true) return none
  const json = requestBody.content.find(({ kind }) => kind === 'json')
  if (json === undefined || json.mediaType.includes('*')) return undefined
  const content = objectOf(own(resolved(document, own(node, 'requestBody')), 'content'))
  const media = resolved(document, own(content, json.mediaType))
  const [example] = examplesOf(media, document)
  const value =
    example?.value ?? plainInstance(own(media, 'schema') ?? true, { document, direction: 'request', seed })
  return value === undefined ? undefined : { mediaType: json.mediaType, text: exactStringify(value) }
}

interface Credentials {
  readonly headers: Pairs
  readonly query: Pairs
  readonly cookies: Pairs
}

/** Returns one credential for each scheme of the first alternative; undefined for one that a request cannot carry. */
function credentialsOf({ security }: Operation, { securitySchemes }: Contract): Credentials | undefined {
  const schemes = (security[0] ?? []).map(({ scheme }) => securitySchemes[scheme] as SecurityScheme)
  if (schemes.some(({ type }) => type === 'mutualTLS')) return undefined
  const keys = (place: string): Pairs =>
    schemes.flatMap((each) =>
      each.type === 'apiKey' && each.in === place ? [[each.name, 'mock'] as const] : []
    )
  const authorization = schemes.filter(({ type }) => type !== 'apiKey').map(authorizationOf)
  return {
    headers: [...keys('header'), ...authorization.map((text) => ['Authorization', text] as const)],
    query: keys('query'),
    cookies: keys('cookie')
  }
}

function authorizationOf(scheme: SecurityScheme): string {
  const name = scheme.type === 'http' ? scheme.scheme : 'bearer'
  if (name === 'basic') return `Basic ${Buffer.from('mock:mock').toString('base64')}`
  return name === 'bearer' ? 'Bearer mock' : `${name} mock`
}
