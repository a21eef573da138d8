/** Breaks of a message as a whole: a body that is missing, empty, malformed or of another type, a value sent twice. */

import type { ReportedProblem } from '@contract-first/engine/errors'
import { mediaTypeMatcher } from '@contract-first/engine/media-types'
import type { RequestContent } from '@contract-first/engine/model'
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
  return [...bodyRows(base), ...itemRows(base), ...typeRows(base), ...repeatedRows(base, judge)].map(
    ([place, message, change]) => ({
      draft: { ...base, ...change },
      signature: `${base.body?.of.content.mediaType ?? ''} ${place} ${message}`,
      problem: { place, message },
      count: 1,
      isExtra: false
    })
  )
}

const spoilt = (change: (text: string) => string): Partial<Draft> => ({
  spoil: ({ contentType, bytes }: Message) => ({ contentType, bytes: Buffer.from(change(String(bytes))) })
})

function bodyRows({ body, subject }: Draft): readonly Row[] {
  if (body === undefined) return []
  const { kind } = body.of.content
  const malformed: Row[] = [
    ['body', 'is not valid JSON', spoilt((text) => `${text}}`)],
    ['body', 'is JSON that ends too early', spoilt((text) => `{"a":${text}`)]
  ]
  return [
    ...(subject.operation.requestBody?.required === true ? absentRows(kind) : []),
    ...(kind === 'json' ? malformed : [])
  ]
}

function absentRows(kind: RequestContent['kind']): readonly Row[] {
  const missing: Row = [
    'body',
    'is required, and missing',
    { spoil: () => ({ contentType: undefined, bytes: undefined }) }
  ]
  // An empty text, or a form without fields, may be valid.
  const empty: Row = ['body', 'is empty', spoilt(() => '')]
  return kind === 'json' || kind === 'multipart' ? [missing, empty] : [missing]
}

function itemRows({ body }: Draft): readonly Row[] {
  const items = body?.of.content.items
  if (items === undefined || items.framing === 'events') return []
  const start = items.framing === 'texts' ? '\x1e' : ''
  return [['body', 'ends with an item that is not valid JSON', spoilt((text) => `${text}${start}{"a":\n`)]]
}

function typeRows({ body, subject }: Draft): readonly Row[] {
  const { requestBody } = subject.operation
  if (body === undefined || requestBody === undefined) return []
  const matches = mediaTypeMatcher(requestBody.content.map(({ mediaType }) => mediaType))
  const other = ['text/plain', 'application/x-undeclared'].find((type) => matches(type) < 0)
  if (other === undefined) return []
  const spoil = ({ bytes }: Message): Message => ({ contentType: other, bytes })
  return [['headers/content-type', `is ${other}, which is not declared`, { spoil }]]
}

/** Sends each pair of the query, of the cookies and of a form for the second time, where the contract takes only one. */
function repeatedRows(base: Draft, judge: Judge): readonly Row[] {
  const parameters = base.subject.parameters.flatMap(({ spec }, index): Row[] => {
    const [pair, ...others] = ['query', 'cookie'].includes(spec.in) ? parameterPairs(base, index) : []
    if (pair === undefined || others.length > 0) return []
    const more = spec.in === 'query' ? { query: pair } : { headers: { cookie: pair } }
    const problem = judge.of({ ...base, more })?.[0]
    return problem === undefined ? [] : [[problem.place, problem.message, { more }]]
  })
  return [...parameters, ...repeatedFields(base)]
}

/** Members of a shape that takes several values. */
const severalIn = ['items', 'prefixItems', 'properties', 'additional'] as const

function repeatedFields(base: Draft): readonly Row[] {
  const content = base.body?.of.content
  if (content?.kind !== 'form') return []
  const pairs = String(rawRequest(base).body).split('&')
  return (content.fields ?? []).flatMap(({ name, shape }): Row[] => {
    const own = pairs.filter((pair) => pair.startsWith(`${name}=`))
    if (own.length !== 1 || severalIn.some((key) => shape[key] !== undefined)) return []
    return [[`body/${name}`, 'is sent twice', spoilt((text) => `${text}&${own[0]}`)]]
  })
}
