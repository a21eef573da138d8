/**
 * Form bodies, `application/x-www-form-urlencoded` (WHATWG URL, section 5.1; OpenAPI 3.1.0, section 4.8.14.3). Their texts
 * are read as those of parameters are; of what the contract does not tell the type, it stays a text.
 */
import type { FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { sentence } from '../errors/validation-problems.ts'
import { decodeParameters } from '../parameters/decode.ts'
import { emptyObject } from '../parameters/decoded.ts'

export function formBody(text: string, content: RequestContent): Record<string, unknown> {
  const sent = new URLSearchParams(text)
  const result = readTexts(text, fieldSpecs(new Set(sent.keys()), content))
  for (const [name, value] of sent) if (!(name in result) && !isClaimed(name, content)) result[name] = value
  return result
}

/** How to read each field: as declared, or as the contract says of fields that are not. */
export function fieldSpecs(
  names: Iterable<string>,
  content: Pick<RequestContent, 'fields' | 'additional'>
): readonly FieldSpec[] {
  const { fields = [], additional } = content
  if (additional === undefined) return fields
  const others = [...names].filter((name) => !isClaimed(name, content))
  return [...fields, ...others.map((name) => ({ ...additional, name, key: name }))]
}

/** `meta` and, for objects in style deepObject, `meta[a]`. */
function isClaimed(name: string, { fields = [] }: Pick<RequestContent, 'fields'>): boolean {
  const base = name.replace(/\[.*$/, '')
  return fields.some(({ key }) => key === name || key === base)
}

/** @throws {FailureError} `mismatch` */
export function readTexts(text: string, specs: readonly FieldSpec[]): Record<string, unknown> {
  const { query, problems } = decodeParameters(specs, {
    path: {},
    query: text,
    headers: {},
    cookie: undefined
  })
  if (problems.length > 0)
    throw mismatchIn(
      problems.map(({ place, message }) => ({ place: place.replace(/^query/, 'body'), message }))
    )
  return Object.assign(emptyObject(), query)
}

export function mismatchIn(problems: readonly Problem[]): FailureError {
  return new FailureError('mismatch', { message: sentence(problems, 0), problems: [...problems] })
}
