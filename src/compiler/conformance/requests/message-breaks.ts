/** Breaks of a message as a whole: a body that is missing, empty, malformed or of another type, a value sent twice. */

import type { ReportedProblem } from '@contract-first/engine/errors'
import { mediaTypeMatcher } from '@contract-first/engine/media-types'
import type { Draft, Message } from '../../instances/requests/draft.ts'
import { parameterPairs, rawRequest } from '../../instances/requests/raw-request.ts'
import type { Judge } from '../../instances/requests/verdict.ts'

export interface Break {
  readonly draft: Draft
  /** Equal for breaks of the same kind at the same place. */
  readonly signature: string
  readonly problem: ReportedProblem
  readonly count: number
  /** True for another value of a kind that is in the list already: it is sent by chance only. */
  readonly isExtra: boolean
}

type Row = readonly [place: string, message: string, change: Partial<Draft>]

/** Returns the breaks of a valid request, each in one way. */
export function messageBreaks(base: Draft, judge: Judge): readonly Break[] {
  const rows = [bodyRows, itemRows, typeRows, repeatedRows, jsonRows].flatMap((make) => make(base, judge))
  return rows.map(([place, message, change]) => ({
    draft: { ...base, ...change },
    signature: `${base.body?.of.content.mediaType ?? ''} ${place} ${message}`,
    problem: { place, message },
    count: 1,
    isExtra: false
  }))
}

const rewritten = (change: (text: string) => string): Partial<Draft> => ({
  rewrite: ({ contentType, bytes }: Message) => ({ contentType, bytes: Buffer.from(change(String(bytes))) })
})

function bodyRows({ body, subject }: Draft, judge: Judge): readonly Row[] {
  if (body === undefined) return []
  const { kind } = body.of.content
  const malformed: Row[] = [
    ['body', 'is not valid JSON', rewritten((text) => `${text}}`)],
    ['body', 'is JSON that ends too early', rewritten((text) => `{"a":${text}`)]
  ]
  return [
    ...(subject.operation.requestBody?.required === true ? absentRows(judge.acceptsEmpty(body)) : []),
    ...(kind === 'json' ? malformed : [])
  ]
}

/** @param mayBeEmpty true for a text, or a form without fields, that the contract allows */
function absentRows(mayBeEmpty: boolean): readonly Row[] {
  const missing: Row = [
    'body',
    'is required, and missing',
    { rewrite: () => ({ contentType: undefined, bytes: undefined }) }
  ]
  return mayBeEmpty ? [missing] : [missing, ['body', 'is empty', rewritten(() => '')]]
}

function itemRows({ body }: Draft): readonly Row[] {
  const items = body?.of.content.items
  if (items === undefined || items.framing === 'events') return []
  const start = items.framing === 'texts' ? '\x1e' : ''
  return [['body', 'ends with an item that is not valid JSON', rewritten((text) => `${text}${start}{"a":\n`)]]
}

function typeRows({ body, subject }: Draft): readonly Row[] {
  const { requestBody } = subject.operation
  if (body === undefined || requestBody === undefined) return []
  const matches = mediaTypeMatcher(requestBody.content.map(({ mediaType }) => mediaType))
  const other = ['text/plain', 'application/x-undeclared'].find((type) => matches(type) < 0)
  const typed = (contentType: string): Partial<Draft> => ({
    rewrite: ({ bytes }: Message) => ({ contentType, bytes })
  })
  const place = 'headers/content-type'
  const { kind } = body.of.content
  return [
    ...(other === undefined ? [] : [[place, `is ${other}, which is not declared`, typed(other)] as const]),
    ...(kind === 'multipart' ? [[place, 'has no boundary', typed('multipart/form-data')] as const] : [])
  ]
}

/** Sends a text that is not JSON as each parameter of the query that is JSON. */
function jsonRows(base: Draft): readonly Row[] {
  return base.subject.parameters.flatMap(({ spec }, index): Row[] => {
    if (spec.in !== 'query' || spec.json !== true) return []
    const change = {
      values: base.values.with(index, undefined),
      more: { query: `${encodeURIComponent(spec.name)}=%7B%22a` }
    }
    return [[`query/${spec.key}`, 'is not valid JSON', change]]
  })
}

/**
 * Sends each pair of the query and of a form for the second time, where the contract takes only one. A client may have two
 * cookies of one name, for two paths (RFC 6265, section 5.4).
 */
function repeatedRows(base: Draft, judge: Judge): readonly Row[] {
  const parameters = base.subject.parameters.flatMap(({ spec }, index): Row[] => {
    const [pair, ...others] = spec.in === 'query' ? parameterPairs(base, index) : []
    if (pair === undefined || others.length > 0) return []
    const more = { query: pair }
    const problem = judge.of({ ...base, more })?.[0]
    return problem === undefined ? [] : [[problem.place, problem.message, { more }]]
  })
  return [...parameters, ...repeatedFields(base)]
}

/** Members of a shape that takes several values. */
const severalIn = ['items', 'prefixItems', 'properties', 'additional'] as const

function repeatedFields(base: Draft): readonly Row[] {
  const content = base.body?.of.content
  if (content?.kind !== 'form' && content?.kind !== 'multipart') return []
  const isForm = content.kind === 'form'
  const text = String(rawRequest(base).body)
  const fields = isForm ? text.split('&') : text.split(/(?=^--)/m)
  return (content.fields ?? []).flatMap(({ name, shape }): Row[] => {
    const own = fields.filter((field) =>
      isForm ? field.startsWith(`${name}=`) : field.includes(` name="${name}"`)
    )
    if (own.length !== 1 || severalIn.some((key) => shape[key] !== undefined)) return []
    const twice = isForm ? (sent: string) => `${sent}&${own[0]}` : (sent: string) => `${own[0]}${sent}`
    return [[`body/${name}`, 'is sent twice', rewritten(twice)]]
  })
}
