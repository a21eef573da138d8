/** The responses of an operation, from the document and from its compiled form. */
import {
  anyValue,
  type Content,
  type Header,
  make,
  type Response as Responding
} from '@contract-first/contract'
import { FailureError } from '@contract-first/engine/errors'
import {
  bodiless,
  type CompiledCode,
  declaredResponse,
  isHeaderName,
  type Operation,
  type Response,
  type ResponseContent,
  type ResponseHeader
} from '@contract-first/engine/model'
import { schemaOf } from '../../compiler/compile/operations/parameter-spec.ts'
import type { Shown } from '../../compiler/compile/shapes/serializers.ts'
import { valueFor } from '../samples/plain-instance.ts'
import type { Subject } from '../samples/requests/draft.ts'
import { codingNames } from './content-coding.ts'

export interface DeclaredResponse extends Response {
  readonly status: number
  /** True for a response to HEAD. */
  readonly isHead: boolean
  /** Name in the contract: `404`, `4XX`, `default`. */
  readonly name: string
  readonly declared: Responding
}

/** Returns whether the contract accepts the value of a body or a header. */
export const accepting =
  ({ validate }: { readonly validate?: string | undefined }, { validators }: CompiledCode) =>
  (value: unknown): boolean =>
    validators[String(validate)]?.(value) !== false

/** Returns the declared content of a media type of a response. */
export const contentOf = ({ declared }: DeclaredResponse, { mediaType }: ResponseContent): Content =>
  declared.contents.find((each) => each.mediaType === mediaType) as Content

/** @returns undefined for a status that the operation does not declare, or that no response can have */
export function responseOf({ operation, declared }: Subject, status: number): DeclaredResponse | undefined {
  const response = sendableResponse(operation, status)
  const [name = ''] = Object.entries(operation.responses).find(([, each]) => each === response) ?? []
  const source = declared.responses.get(name)
  const isHead = operation.method === 'HEAD'
  return response && source && { ...response, status, isHead, name, declared: source }
}

/** Chooses the lowest success, then a redirection, then `default`, otherwise any other response. */
export function usualStatus({ responses }: Operation): number | undefined {
  const names = Object.keys(responses)
  const lowest = (digit: string) => {
    const [first] = names.filter((name) => name.startsWith(digit)).sort()
    return first?.replace('XX', '00')
  }
  const isDefault = names.includes('default') ? '200' : undefined
  const status = lowest('2') ?? lowest('3') ?? isDefault ?? lowest('4') ?? lowest('5')
  return status === undefined ? undefined : Number(status)
}

/** Returns the response of a status; undefined for one that is not declared, or that no response can have. */
export const sendableResponse = (operation: Operation, status: number): Response | undefined =>
  status >= 200 && status <= 599 ? declaredResponse(operation, status) : undefined

/** Sources of the values of responses. */
export interface ValueSource {
  readonly code: CompiledCode
  /** Removes `writeOnly` properties. */
  readonly shown: Shown
  readonly seed: number
  /** True to use no examples. */
  readonly isDynamic?: boolean
}

/** Limits of the values of some headers, beside what the contract says of them. */
const limits: ReadonlyMap<string, { readonly regexp: RegExp; readonly minimum?: number }> = new Map([
  // RFC 9110, section 8.8.3
  ['etag', { regexp: /^(W\/)?"[!#-~]*"$/ }],
  ['content-encoding', { regexp: new RegExp(`^(${codingNames.join('|')})$`) }],
  ['content-length', { regexp: /^[0-9]+$/, minimum: 0 }]
])

/**
 * Returns the headers; an optional one without a valid value is left out.
 * @throws {FailureError} `not-implemented` for a required one
 */
export function responseHeaders(response: DeclaredResponse, source: ValueSource): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [name, header] of response.declared.headers) {
    const declared = response.headers.find((each) => each.name === name.toLowerCase())
    if (declared === undefined || !isMade(declared, response)) continue
    const value = headerValue(header, declared, source)
    if (value !== undefined) found[declared.name] = value
    else if (declared.required) throw noValue(name, response)
  }
  return found
}

function noValue(name: string, { status }: DeclaredResponse): FailureError {
  const message = `no value is found for header ${name}, which the contract requires in responses with status ${status}`
  return new FailureError('not-implemented', { message })
}

/** The mock encodes a body only where it must, and gives a length only where HEAD leaves the body out. */
function isMade({ name, required }: ResponseHeader, { status, isHead, content }: DeclaredResponse): boolean {
  if (name === 'content-length') return required && isHead && content.length === 0 && !bodiless.has(status)
  return name !== 'content-encoding' || required
}

function headerValue(header: Header, declared: ResponseHeader, source: ValueSource): unknown {
  if (!isHeaderName(declared.name)) return undefined
  const { code, seed, shown, isDynamic = false } = source
  const fits = accepting(declared, code)
  const limit = limits.get(declared.name)
  const isWithin = (value: unknown) => limit === undefined || limit.regexp.test(String(value))
  const accepts = (value: unknown) => fits(value) && isVisible(value, declared) && isWithin(value)
  const schema = schemaOf(header) === anyValue ? anyText : schemaOf(header)
  const limited = limit && make({ allOf: [schema, limitedBy(limit)] }, schema)
  const value = valueFor(header, limited ?? schema, {
    direction: 'response',
    accepts,
    seed,
    usesExamples: !isDynamic,
    depth: 2
  })
  return shown(value, schema)
}

/** Schema of every text. */
export const anyText = make({ types: new Set(['string'] as const) }, anyValue)

const limitedBy = ({ regexp, ...others }: { readonly regexp: RegExp; readonly minimum?: number }) =>
  make({ ...others, pattern: { source: regexp.source, regexp } }, anyValue)

/** Returns whether a header can carry the value: visible ASCII, a list of such texts, or an object of them. */
function isVisible(value: unknown, declared: ResponseHeader): boolean {
  if (declared.json) return true
  if (value === null) return false
  if (typeof value !== 'object') return /^[\t\x20-\x7e]*$/.test(String(value))
  return Object.values(value).every((item) => typeof item !== 'object' && isVisible(item, declared))
}
