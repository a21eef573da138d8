/** JSON form of the values of one schema: read, checked and written without a server. */
import type { Exactness } from '../json/inexact-numbers.ts'
import { parseExactJson } from '../json/parse.ts'
import { restoreInt64 } from '../json/restore-int64.ts'
import type { CompiledCode, Validator } from '../model/compiled-contract.ts'
import type { DeclaredShape, Int64Plan } from '../model/value-plans.ts'
import { declaredOnly } from '../runtime/serializers.ts'
import { wireValues } from '../runtime/wire-values.ts'
import type { Problem } from '../server/errors/failure.ts'
import { accepts, collectProblems } from '../server/errors/validation-problems.ts'

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

/** Value with the exact numbers that its text spells; `''` of the holder is the value. */
interface Parsed {
  readonly holder: { '': unknown }
  readonly exactness: Exactness | undefined
}

/**
 * Reads a text without validating it; int64 become bigints.
 * @throws {MalformedJson}
 */
export const readJson = (text: string, form: JsonForm): unknown => restored(parsed(text), form)

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
  const read = parsed(text)
  const findings = findingsIn(read, form, place)
  return findings === undefined ? { value: restored(read, form) } : { findings }
}

/** @returns undefined for a valid value */
export const findingsOf = (value: unknown, form: JsonForm, place: string): Findings | undefined =>
  findingsIn({ holder: { '': wired(value, form) }, exactness: undefined }, form, place)

/** Copies the declared properties of a value, in the order of their declaration. */
export const declaredIn = (value: unknown, form: JsonForm): unknown =>
  declaredOnly(wired(value, form), form.shapes, form.shape)

function wired(value: unknown, { code }: JsonForm): unknown {
  const wire = wireValues(code.formats)
  return wire === undefined ? value : wire(value)
}

function parsed(text: string): Parsed {
  const { value, exactness, root } = parseExactJson(text)
  return { holder: exactness === undefined ? { '': value } : (root as { '': unknown }), exactness }
}

function restored({ holder, exactness }: Parsed, { int64, code }: JsonForm): unknown {
  if (int64 !== undefined) restoreInt64(holder, int64, code, exactness)
  return holder['']
}

function findingsIn(read: Parsed, { validate }: JsonForm, place: string): Findings | undefined {
  if (validate === undefined || accepts(validate, read.holder[''], read)) return undefined
  return collectProblems(validate.errors, place)
}
