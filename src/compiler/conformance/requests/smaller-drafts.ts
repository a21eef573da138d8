/** Makes smaller requests that may show the same finding: the first ones leave out the most. */
import { smallerValues } from '../values/smaller-values.ts'
import { type Draft, type Part, partOf, withPart } from './draft.ts'

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
