/** Fields of forms, whose texts are read as query parameters are (OpenAPI 3.1.0, sections 4.8.14.3 and 4.8.14.4). */
import type { FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import { decodeParameters } from '../parameters/decode.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { bodyMismatch } from './failures.ts'

/** A form that was received, and how its fields are read. */
export interface Form {
  readonly specs: readonly FieldSpec[]
  /** @throws {FailureError} `mismatch` */
  readonly read: (specs: readonly FieldSpec[]) => Record<string, unknown>
}

type Fields = Pick<RequestContent, 'fields' | 'additional'>

/** Returns how to read each field: the declared ones, and those of `names` that the contract describes by `additional`. */
export function fieldSpecs(names: Iterable<string>, content: Fields): readonly FieldSpec[] {
  const { fields = [], additional } = content
  if (additional === undefined) return fields
  const others = [...names].filter((name) => !isDeclared(name, content))
  return [...fields, ...others.map((name) => ({ ...additional, name, key: name }))]
}

/** `meta` and, for objects in style deepObject, `meta[a]`. */
export function isDeclared(name: string, { fields = [] }: Fields): boolean {
  const base = name.replace(/\[.*$/, '')
  return fields.some(({ key }) => key === name || key === base)
}

/**
 * @param text of an urlencoded form
 * @throws {FailureError} `mismatch`
 */
export function readTexts(text: string, specs: readonly FieldSpec[]): Record<string, unknown> {
  const source = { path: {}, query: text, headers: {}, cookie: undefined }
  const { query, problems } = decodeParameters(specs, source)
  if (problems.length > 0)
    throw bodyMismatch(
      problems.map(({ place, message }) => ({ place: place.replace(/^query/, 'body'), message }))
    )
  return Object.assign(emptyObject(), query)
}
