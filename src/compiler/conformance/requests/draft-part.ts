/** Changes one part of a draft: the value of a parameter, or the body. */
import type { Draft } from '../../instances/requests/draft.ts'
import { smallerValues } from './smaller-values.ts'

/** One part of a draft: the value of a parameter by its index, or that of the body. */
export type Part = number | 'body'

export function partOf(draft: Draft, part: Part): unknown {
  return part === 'body' ? draft.body?.value : draft.values[part]
}

/** @param value undefined leaves the part out */
export function withPart(draft: Draft, part: Part, value: unknown): Draft {
  if (part !== 'body') return { ...draft, values: draft.values.with(part, value) }
  return { ...draft, body: draft.body && value !== undefined ? { ...draft.body, value } : undefined }
}

/** Makes smaller requests that may show the same finding: the first ones leave out the most. */
export function* smallerDrafts(draft: Draft): Generator<Draft> {
  const { subject, values } = draft
  if (draft.body !== undefined && subject.operation.requestBody?.required !== true)
    yield { ...draft, body: undefined }
  for (const [index, { spec }] of subject.parameters.entries())
    if (!spec.required && values[index] !== undefined) yield withPart(draft, index, undefined)
  const parts: Part[] = ['body', ...values.keys()]
  for (const part of parts)
    for (const value of smallerValues(partOf(draft, part))) yield withPart(draft, part, value)
}
