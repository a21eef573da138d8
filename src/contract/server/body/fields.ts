/** Fields of forms, whose texts are read as query parameters are (OpenAPI 3.1.0, sections 4.8.14.3 and 4.8.14.4). */
import type { FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import type { Problem } from '../errors/failure.ts'
import { decodeParameters } from '../parameters/decode.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { claims } from '../parameters/paired.ts'
import { formDecode, pairsOf } from '../parameters/pairs.ts'
import { bodyMismatch } from './failures.ts'

/** A form that was received, and how its fields are read. */
export interface Form {
  readonly specs: readonly FieldSpec[]
  /** @throws {FailureError} `mismatch` */
  readonly read: (specs: readonly FieldSpec[]) => Record<string, unknown>
}

type Fields = Pick<RequestContent, 'fields' | 'additional'>

/** A form of more names costs far more than its bytes. */
export const maxFields = 1000

/** Returns how to read each field: the declared ones, and those of `names` that the contract describes by `additional`. */
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

/** Names that `additional` describes do not belong to an exploded object that takes any name. */
function closed(field: FieldSpec): FieldSpec {
  const { additional, properties = {}, ...rest } = field.shape
  return additional === undefined ? field : { ...field, shape: { ...rest, properties } }
}

/**
 * Reads undeclared fields each by its own pairs, which is linear; an object that is declared may have pairs of other names.
 *
 * @param text of an urlencoded form
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
