/**
 * Fields of forms: read like query parameters (OpenAPI 3.1.0, sections 4.8.14.3 and 4.8.14.4), and validated together.
 */

import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { decodeParameters } from '../parameters/decode.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { claims } from '../parameters/paired.ts'
import { formDecode, pairsOf } from '../parameters/pairs.ts'
import { acceptedReading } from '../parameters/readings.ts'
import { bodyMismatch, fieldPlace, validateBody } from './parse.ts'

/** Received form, and the function that reads its fields. */
export interface Form {
  readonly specs: readonly FieldSpec[]
  /** @throws {FailureError} `mismatch` */
  readonly read: (specs: readonly FieldSpec[]) => Record<string, unknown>
}

type Fields = Pick<RequestContent, 'fields' | 'additional'>

/** Maximum of names in a form; parsing more costs far more than the bytes suggest. */
const maxFields = 1000

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

function isDeclared(name: string, { fields = [] }: Fields): boolean {
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

const placedInBody = ({ place, pointer, ...problem }: Problem): Problem => ({
  place: place.replace(/^query/, 'body'),
  pointer: pointer.replace(/^\/query/, ''),
  ...problem
})

/**
 * Reads a body of `application/x-www-form-urlencoded` (WHATWG URL, section 5.1). Fields without a declared type stay
 * strings.
 * @throws {FailureError} `body-too-large`
 */
export function urlencodedForm(text: string, content: RequestContent): Form {
  const sent = new URLSearchParams(text)
  if (sent.size > maxFields)
    throw new FailureError('body-too-large', { message: `the body has more than ${maxFields} fields` })
  return {
    specs: fieldSpecs(new Set(sent.keys()), content),
    read(specs) {
      const result = readTexts(text, specs)
      for (const [name, value] of sent)
        if (!(name in result) && !isDeclared(name, content)) result[name] = value
      return result
    }
  }
}

interface Reading {
  /** Fields by name; empty when a field cannot be decoded. */
  readonly value: Record<string, unknown>
  readonly problems: readonly Problem[]
  readonly failure?: FailureError
}

const placeOf = ({ key }: FieldSpec): string => fieldPlace(key)
const has = ({ value }: Reading, { key }: FieldSpec): boolean => value[key] !== undefined

/** @throws {FailureError} 400 */
export function validForm(
  form: Form,
  { validate, int64 }: RequestContent,
  code: CompiledCode
): Record<string, unknown> {
  const read = (specs: readonly FieldSpec[]) => reading(form, specs, (value) => check(value, validate, code))
  const first = read(form.specs)
  const { value, failure } =
    first.failure === undefined ? first : acceptedReading(form.specs, first, { read, placeOf, has })
  if (failure !== undefined) throw failure
  if (int64 !== undefined) restoreInt64({ '': value }, int64, code, undefined)
  return value
}

function check(value: object, validate: string | undefined, code: CompiledCode): void {
  validateBody(value, { '': value }, { validate, code, exactness: undefined })
}

function reading(form: Form, specs: readonly FieldSpec[], check: (value: object) => void): Reading {
  let value: Record<string, unknown> = {}
  try {
    value = form.read(specs)
    check(value)
    return { value, problems: [] }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error
    return { value, problems: error.failure.problems, failure: error }
  }
}
