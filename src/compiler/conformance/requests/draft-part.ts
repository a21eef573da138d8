/** Changes one part of a draft: the value of a parameter, or the body; makes smaller ones that may show the same finding. */
import type { Draft } from '../../instances/requests/draft.ts'

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

/** Yields values that are all smaller than the given one, so that a search ends. */
function* smallerValues(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) yield* smallerLists(value)
  else if (typeof value === 'object' && value !== null) yield* smallerObjects(value)
  else if (typeof value === 'string') yield* smallerTexts(value)
  else if (typeof value === 'bigint') yield* smallerIntegers(value)
  else if (typeof value === 'number') yield* smallerNumbers(value)
}

function* smallerLists(list: readonly unknown[]): Generator<unknown> {
  if (list.length === 0) return
  yield []
  if (list.length > 2) yield list.slice(0, Math.ceil(list.length / 2))
  if (list.length > 1) yield list.slice(0, -1)
  for (const [index, item] of list.slice(0, 3).entries())
    for (const smaller of smallerValues(item)) yield list.with(index, smaller)
}

function* smallerObjects(object: object): Generator<unknown> {
  const entries = Object.entries(object)
  for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
  for (const [name, member] of entries)
    for (const smaller of smallerValues(member))
      yield Object.fromEntries(entries.map(([other, own]) => [other, other === name ? smaller : own]))
}

function* smallerTexts(text: string): Generator<string> {
  if (text === '') return
  yield ''
  if (text.length > 1) yield 'a'
  const characters = [...text]
  const middle = Math.floor(characters.length / 2)
  if (middle === 0) return
  yield characters.slice(0, middle).join('')
  yield characters.slice(middle).join('')
}

function* smallerIntegers(integer: bigint): Generator<bigint> {
  if (integer !== 0n) yield 0n
  if (integer > 1n || integer < -1n) yield integer / 2n
}

function* smallerNumbers(number: number): Generator<number> {
  if (number !== 0) yield 0
  if (Math.abs(number) > 1) yield Math.trunc(number / 2)
}
