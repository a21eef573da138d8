/** JSON form of the values of one schema: read, checked and written without a server. */
import { parseExactJson } from '../json/parse.ts'
import { restoreInt64 } from '../json/restore-int64.ts'
import type { CompiledCode, Validator } from '../model/compiled-contract.ts'
import type { DeclaredShape, Int64Plan } from '../model/value-plans.ts'
import { declaredOnly } from '../runtime/serializers.ts'
import { wireValues } from '../runtime/wire-values.ts'
import type { Problem } from '../server/errors/failure.ts'
import { collectProblems } from '../server/errors/validation-problems.ts'

export interface JsonForm {
  /** Validator of the schema; undefined where every value is valid. */
  readonly validate: Validator | undefined
  /** Plan of the int64 in a value; undefined where there is none. */
  readonly int64: Int64Plan | undefined
  /** Code with the validators that the plan names. */
  readonly code: Pick<CompiledCode, 'validators' | 'formats'>
  readonly shapes: readonly DeclaredShape[]
  /** Number of the schema's shape. */
  readonly shape: number
}

/** Distinct problems of a value, up to a bound, and the number of further ones. */
export interface Findings {
  readonly problems: readonly Problem[]
  readonly omitted: number
}

/**
 * Reads a text without validating it; int64 become bigints.
 * @throws {MalformedJson}
 */
export const readJson = (text: string, { int64, code }: JsonForm): unknown =>
  restoreInt64(parseExactJson(text), int64, code)

/**
 * Reads and validates a text; int64 become bigints.
 * @param place name of the value in the places of problems
 * @throws {MalformedJson}
 */
export function checkedJson(
  text: string,
  form: JsonForm,
  place: string
): { readonly value: unknown } | { readonly findings: Findings } {
  const parsed = parseExactJson(text)
  const findings = findingsIn(parsed.value, form, place)
  return findings === undefined ? { value: restoreInt64(parsed, form.int64, form.code) } : { findings }
}

/** @returns undefined for a valid value */
export const findingsOf = (value: unknown, form: JsonForm, place: string): Findings | undefined =>
  findingsIn(wired(value, form), form, place)

/** Copies the declared properties of a value, in the order of their declaration. */
export const declaredIn = (value: unknown, form: JsonForm): unknown =>
  declaredOnly(wired(value, form), form.shapes, form.shape)

function wired(value: unknown, { code }: JsonForm): unknown {
  const wire = code.formats && wireValues(code.formats)
  return wire === undefined ? value : wire(value)
}

function findingsIn(value: unknown, { validate }: JsonForm, place: string): Findings | undefined {
  return validate?.(value) === false ? collectProblems(validate.errors, place) : undefined
}
