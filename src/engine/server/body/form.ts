/**
 * Fields of forms: read like query parameters (OpenAPI 3.1.0, sections 4.8.14.3 and 4.8.14.4), and validated together.
 */

import { asRead } from '../../json/exact-json.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, RequestContent } from '../../model/compiled-contract.ts'
import type { FieldSpec } from '../../model/parameter.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { maxFields, readFields, sentForm } from '../parameters/fields.ts'
import { acceptedReading } from '../parameters/readings.ts'
import { bodyMismatch, fieldPlace, validateBody } from './parse.ts'

/** Received form, and the function that reads its fields. */
export interface Form {
  readonly specs: readonly FieldSpec[]
  /** @throws {FailureError} `mismatch` */
  readonly read: (specs: readonly FieldSpec[]) => Record<string, unknown>
}

/**
 * Reads the fields of a text.
 * @throws {FailureError} `mismatch`
 */
export function readTexts(text: string, specs: readonly FieldSpec[]): Record<string, unknown> {
  return valuesOf(readFields(text, specs))
}

function valuesOf({ values, problems }: ReturnType<typeof readFields>): Record<string, unknown> {
  if (problems.length > 0) throw bodyMismatch(problems.map(placedInBody))
  return values
}

const placedInBody = ({ place, pointer, ...problem }: Problem): Problem => ({
  place: place.replace(/^query/, 'body'),
  pointer: pointer.replace(/^\/query/, ''),
  ...problem
})

/**
 * Reads a body of `application/x-www-form-urlencoded`.
 * @throws {FailureError} `body-too-large`
 */
export function urlencodedForm(text: string, content: RequestContent): Form {
  const sent = sentForm(text, content)
  if (sent === undefined)
    throw new FailureError('body-too-large', { message: `the body has more than ${maxFields} fields` })
  return { specs: sent.specs, read: (specs) => valuesOf(sent.read(specs)) }
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
  const check = (value: object) => validateBody(value, validate, code)
  const read = (specs: readonly FieldSpec[]) => reading(form, specs, check)
  const first = read(form.specs)
  const { value, failure } =
    first.failure === undefined ? first : acceptedReading(form.specs, first, { read, placeOf, has })
  if (failure !== undefined) throw failure
  restoreInt64(asRead(value), int64, code)
  return value
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
