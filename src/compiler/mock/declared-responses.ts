/** The responses of an operation, from the document and from its compiled form. */
import { FailureError } from '@contract-first/engine/errors'
import {
  bodiless,
  type CompiledCode,
  declaredResponse,
  type Operation,
  type Response,
  type ResponseHeader
} from '@contract-first/engine/model'
import { type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { statusName } from '../compile/document/operation-objects.ts'
import { resolved } from '../compile/document/reference.ts'
import type { Shown } from '../compile/shapes/hidden.ts'
import { valueFor } from '../instances/plain-instance.ts'
import { codingNames } from './content-coding.ts'

export interface DeclaredResponse extends Response {
  readonly status: number
  /** True for a response to HEAD. */
  readonly isHead: boolean
  /** Name in the contract: `404`, `4XX`, `default`. */
  readonly name: string
  /** The Response Object, or a reference to it. */
  readonly written: JsonObject
  /** The Response Object. */
  readonly node: JsonObject
}

/** Returns whether the contract accepts the value of a body or a header. */
export const accepting =
  ({ validate }: { readonly validate?: string | undefined }, { validators }: CompiledCode) =>
  (value: unknown): boolean =>
    validators[String(validate)]?.(value) !== false

export class DeclaredResponses {
  readonly #operation: Operation
  readonly #document: JsonObject
  readonly #nodes: JsonObject

  /** @param node the Operation Object */
  constructor(operation: Operation, node: JsonObject, document: JsonObject) {
    this.#operation = operation
    this.#document = document
    this.#nodes = objectOf(own(node, 'responses'))
  }

  get names(): string[] {
    return Object.keys(this.#operation.responses)
  }

  /** @returns undefined for a status that the operation does not declare, or that no response can have */
  of(status: number): DeclaredResponse | undefined {
    const response = status >= 200 && status <= 599 ? declaredResponse(this.#operation, status) : undefined
    if (response === undefined) return undefined
    const [name = ''] = Object.entries(this.#operation.responses).find(([, each]) => each === response) ?? []
    const [, found] = Object.entries(this.#nodes).find(([each]) => statusName(each) === name) ?? []
    const written = objectOf(found)
    const isHead = this.#operation.method === 'HEAD'
    return { ...response, status, isHead, name, written, node: resolved(this.#document, written) }
  }

  /** Chooses the lowest success, then a redirection, then `default`, otherwise any other response. */
  get usual(): DeclaredResponse | undefined {
    const lowest = (digit: string) => {
      const names = this.names.filter((name) => name.startsWith(digit)).sort()
      return names[0]?.replace('XX', '00')
    }
    const isDefault = this.names.includes('default') ? '200' : undefined
    const status = lowest('2') ?? lowest('3') ?? isDefault ?? lowest('4') ?? lowest('5')
    return status === undefined ? undefined : this.of(Number(status))
  }
}

/** Sources of the values of responses. */
export interface ValueSource {
  readonly document: JsonObject
  readonly code: CompiledCode
  /** Removes `writeOnly` properties. */
  readonly shown: Shown
  readonly seed: number
  /** True to use no examples. */
  readonly isDynamic?: boolean
}

/** Limits of the values of some headers, beside what the contract says of them. */
const limits: ReadonlyMap<string, { readonly pattern: string; readonly minimum?: number }> = new Map([
  // RFC 9110, section 8.8.3
  ['etag', { pattern: '^(W/)?"[!#-~]*"$' }],
  ['content-encoding', { pattern: `^(${codingNames.join('|')})$` }],
  ['content-length', { pattern: '^[0-9]+$', minimum: 0 }]
])

/**
 * Returns the headers; an optional one without a valid value is left out.
 * @throws {FailureError} `not-implemented` for a required one
 */
export function responseHeaders(response: DeclaredResponse, source: ValueSource): Record<string, unknown> {
  const nodes = Object.entries(objectOf(own(response.node, 'headers')))
  const found: Record<string, unknown> = {}
  for (const [name, written] of nodes) {
    const declared = response.headers.find((each) => each.name === name.toLowerCase())
    if (declared === undefined || !isMade(declared, response)) continue
    const value = headerValue(resolved(source.document, written), declared, source)
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

function headerValue(node: JsonObject, declared: ResponseHeader, source: ValueSource): unknown {
  const { document, code, seed, shown, isDynamic = false } = source
  const fits = accepting(declared, code)
  const limit = limits.get(declared.name)
  const isWithin = (value: unknown) => limit === undefined || new RegExp(limit.pattern).test(String(value))
  const accepts = (value: unknown) => fits(value) && isVisible(value, declared) && isWithin(value)
  const [media] = Object.values(objectOf(own(node, 'content')))
  const written = own(node, 'schema') ?? own(resolved(document, media), 'schema') ?? { type: 'string' }
  const schema = limit === undefined ? written : { allOf: [written, limit] }
  const value = valueFor(node, schema, {
    document,
    direction: 'response',
    accepts,
    seed,
    usesExamples: !isDynamic,
    depth: 2
  })
  return shown(value, written)
}

/** Returns whether a header can carry the value: visible ASCII, a list of such texts, or an object of them. */
function isVisible(value: unknown, declared: ResponseHeader): boolean {
  if (declared.json) return true
  if (value === null) return false
  if (typeof value !== 'object') return /^[\t\x20-\x7e]*$/.test(String(value))
  return Object.values(value).every((item) => typeof item !== 'object' && isVisible(item, declared))
}
