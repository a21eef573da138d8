/** Fields of forms; their texts are read like query parameters (OpenAPI 3.1.0, sections 4.8.14.3 and 4.8.14.4). */
import type { FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import type { Problem } from '../errors/failure.ts'
import { decodeParameters } from '../parameters/decode.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { claims } from '../parameters/paired.ts'
import { formDecode, pairsOf } from '../parameters/pairs.ts'
import { bodyMismatch } from './failures.ts'

/** Received form, and the function that reads its fields. */
export interface Form {
  readonly specs: readonly FieldSpec[]
  /** @throws {FailureError} `mismatch` */
  readonly read: (specs: readonly FieldSpec[]) => Record<string, unknown>
}

type Fields = Pick<RequestContent, 'fields' | 'additional'>

/** Maximum of names in a form; parsing more costs far more than the bytes suggest. */
export const maxFields = 1000

/** Returns the specifications of all fields: the declared ones, and those of `names` that `additional` describes. */
export function fieldSpecs(names: Iterable<string>, content: Fields): readonly FieldSpec[] {
  const { fields = [], additional } = content
  if (additional === undefined) return fields
  const others = [...names].filter((name) => !isDeclared(name, content))
  return [
    ...fields.map(closed),
    ...others.map((name) => ({ ...additional, name, key: name, isUndeclared: true as const }))
  ]
}

export function isDeclared(name: string, { fields = [] }: Fields): boolean {
  return fields.some((field) => claims(field, name))
}

/** Closes an exploded object that would also take the names that `additional` describes. */
function closed(field: FieldSpec): FieldSpec {
  const { additional, properties = {}, ...rest } = field.shape
  return additional === undefined ? field : { ...field, shape: { ...rest, properties } }
}

/**
 * Reads the fields of a text. An undeclared field is read from its own pairs only, which keeps the work linear; a
 * declared object may have pairs of other names.
 *
 * @param text an urlencoded form
 * @throws {FailureError} `mismatch`
 */
export function readTexts(text: string, specs: readonly FieldSpec[]): Record<string, unknown> {
  const { pairs } = pairsOf(text, '&', formDecode)
  const { query, problems } = decoded(
    text,
    specs.filter(({ isUndeclared }) => !isUndeclared)
  )
  const [values, found] = [Object.assign(emptyObject(), query), [...problems]]
  for (const spec of specs.filter(({ isUndeclared }) => isUndeclared)) {
    const raws = pairs.get(spec.name) ?? []
    const field = decoded(raws.map((raw) => `${encodeURIComponent(spec.name)}=${raw}`).join('&'), [spec])
    Object.assign(values, field.query)
    found.push(...field.problems)
  }
  if (found.length > 0) throw bodyMismatch(found.map(placedInBody))
  return values
}

const decoded = (query: string, specs: readonly FieldSpec[]) =>
  decodeParameters(specs, { path: {}, query, headers: {}, cookie: undefined })

const placedInBody = ({ place, message }: Problem): Problem => ({
  place: place.replace(/^query/, 'body'),
  message
})
