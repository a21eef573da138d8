/** Valid requests in another form: each `Accept`, a charset, and a body where none is declared. */

import type { Draft } from '../../instances/requests/draft.ts'

export interface Variant {
  readonly draft: Draft
  /** Completes `a request …`. */
  readonly what: string
  /** True for a request that a server has to accept; otherwise it may refuse it, but must answer. */
  readonly isValid: boolean
}

/** @param version of OpenAPI: in 3.0 an integer has no fraction (JSON Schema draft-wright-00, section 3.5) */
export function variantsOf(base: Draft, version: string): readonly Variant[] {
  const spelled = version.startsWith('3.0') ? [] : integerVariant(base)
  return [...acceptVariants(base), ...charsetVariant(base), ...spelled, ...bodyVariant(base)]
}

function acceptVariants(base: Draft): Variant[] {
  const successes = Object.entries(base.subject.operation.responses).filter(([status]) =>
    /^(?:2|default)/.test(status)
  )
  const types = successes.flatMap(([, { content }]) => content.map(({ mediaType }) => mediaType))
  const concrete = [...new Set(types)].filter((type) => !type.includes('*'))
  if (types.length === 0) return []
  return [...concrete, '*/*', 'application/x-undeclared'].map((type) => ({
    draft: { ...base, more: { headers: { accept: type } } },
    what: `with Accept: ${type}`,
    // Of several statuses, one may have no body of this type.
    isValid: type !== 'application/x-undeclared' && successes.length === 1
  }))
}

function charsetVariant(base: Draft): Variant[] {
  const { kind, items } = base.body?.of.content ?? {}
  if (items !== undefined || !['json', 'text', 'form'].includes(String(kind))) return []
  const rewrite: Draft['rewrite'] = ({ contentType, bytes }) => ({
    contentType: `${contentType}; charset=utf-8`,
    bytes
  })
  return [{ draft: { ...base, rewrite }, what: 'with a charset in Content-Type', isValid: true }]
}

/** A number with a fraction of zero is an integer (JSON Schema 2020-12, section 6.1.1 of Validation). */
function integerVariant({ body, ...base }: Draft): Variant[] {
  const { kind, items } = body?.of.content ?? {}
  if (items !== undefined || kind !== 'json') return []
  const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
  const spelled = (text: string) =>
    text.replaceAll(token, (all) => (/^-?\d{1,15}$/.test(all) ? `${all}.0` : all))
  const rewrite: Draft['rewrite'] = (sent) => ({ ...sent, bytes: Buffer.from(spelled(String(sent.bytes))) })
  return [{ draft: { ...base, body, rewrite }, what: 'with integers as 1.0', isValid: true }]
}

/** Content of a GET has no defined meaning (RFC 9110, section 9.3.1): a server may refuse it, or ignore it. */
function bodyVariant(base: Draft): Variant[] {
  const { method, requestBody } = base.subject.operation
  if (requestBody !== undefined || ['HEAD', 'TRACE'].includes(method)) return []
  const rewrite = () => ({ contentType: 'application/json', bytes: Buffer.from('{}') })
  return [{ draft: { ...base, rewrite }, what: 'with a body that is not declared', isValid: false }]
}
