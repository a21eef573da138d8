/** Valid requests in another form: each `Accept`, a charset, and a body where none is declared. */

import type { Draft } from '../../instances/requests/draft.ts'

export interface Variant {
  readonly draft: Draft
  /** Completes `a request …`. */
  readonly what: string
  /** True for a request that a server has to accept; otherwise it may refuse it, but must answer. */
  readonly isValid: boolean
}

export function variantsOf(base: Draft): readonly Variant[] {
  return [...acceptVariants(base), ...charsetVariant(base), ...bodyVariant(base)]
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
  const spoil: Draft['spoil'] = ({ contentType, bytes }) => ({
    contentType: `${contentType}; charset=utf-8`,
    bytes
  })
  return [{ draft: { ...base, spoil }, what: 'with a charset in Content-Type', isValid: true }]
}

/** Content of a GET has no defined meaning (RFC 9110, section 9.3.1): a server may refuse it, or ignore it. */
function bodyVariant(base: Draft): Variant[] {
  const { method, requestBody } = base.subject.operation
  if (requestBody !== undefined || ['HEAD', 'TRACE'].includes(method)) return []
  const spoil = () => ({ contentType: 'application/json', bytes: Buffer.from('{}') })
  return [{ draft: { ...base, spoil }, what: 'with a body that is not declared', isValid: false }]
}
