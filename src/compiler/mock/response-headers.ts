/** The declared headers of a response, from examples or made from their schemas. */

import type { CompiledCode, ResponseHeader } from '@contract-first/engine/model'
import { type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { resolved } from '../compile/document/reference.ts'
import { valueFor } from '../instances/plain-instance.ts'
import { accepting, type DeclaredResponse } from './declared-responses.ts'

/** Headers that the engine and Node control, and content codings that the body does not have. */
const reserved = new Set([
  ...['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer'],
  'content-encoding'
])

export interface HeaderSource {
  readonly document: JsonObject
  readonly code: CompiledCode
  readonly seed: number
  /** True to use no examples. */
  readonly isDynamic: boolean
}

/** Returns the headers; one without a valid value is left out. */
export function responseHeaders(response: DeclaredResponse, source: HeaderSource): Record<string, unknown> {
  const nodes = Object.entries(objectOf(own(response.node, 'headers')))
  const found: Record<string, unknown> = {}
  for (const [name, written] of nodes) {
    const declared = response.headers.find((each) => each.name === name.toLowerCase())
    if (declared === undefined || reserved.has(declared.name)) continue
    const value = headerValue(resolved(source.document, written), declared, source)
    if (value !== undefined) found[declared.name] = value
  }
  return found
}

function headerValue(node: JsonObject, declared: ResponseHeader, source: HeaderSource): unknown {
  const { document, code, seed, isDynamic } = source
  const fits = accepting(declared, code)
  const accepts = (value: unknown) => fits(value) && isVisible(value, declared)
  const [media] = Object.values(objectOf(own(node, 'content')))
  const schema = own(node, 'schema') ?? own(objectOf(media), 'schema') ?? { type: 'string' }
  return valueFor(node, schema, {
    document,
    direction: 'response',
    accepts,
    seed,
    usesExamples: !isDynamic,
    depth: 2
  })
}

/** Returns whether a header can carry the value: visible ASCII, a list of such texts, or an object of them. */
function isVisible(value: unknown, declared: ResponseHeader): boolean {
  if (declared.json) return true
  if (value === null) return false
  if (typeof value !== 'object') return /^[\t\x20-\x7e]*$/.test(String(value))
  return Object.values(value).every((item) => typeof item !== 'object' && isVisible(item, declared))
}
