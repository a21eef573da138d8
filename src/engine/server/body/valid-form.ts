/** Reads the fields of a form and validates them together. */
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { acceptedReading } from '../parameters/readings.ts'
import { fieldPlace } from './failures.ts'
import type { Form } from './fields.ts'
import { validateBody } from './parse.ts'

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
