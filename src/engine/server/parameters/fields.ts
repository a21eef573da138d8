/**
 * Reads the fields of a urlencoded form (WHATWG URL, section 5.1), which is a body or a whole query, like query parameters
 * (OpenAPI 3.1.0, section 4.8.14.3).
 */
import type { FieldSpec, FormFields } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'
import { decodeParameters } from './decode.ts'
import { emptyObject } from './decoded.ts'
import { claims } from './paired.ts'
import { formDecode, pairsOf } from './pairs.ts'

/** Maximum of fields in a form; parsing more costs far more than the bytes suggest. */
export const maxFields = 1000

/** Values by name, and the problems of their texts, placed in `query`. */
interface FieldValues {
  readonly values: Record<string, unknown>
  readonly problems: readonly Problem[]
}

/** Received form, and the function that reads its fields. */
interface SentForm {
  readonly specs: readonly FieldSpec[]
  readonly read: (specs: readonly FieldSpec[]) => FieldValues
}

/**
 * Reads a form. Fields without a declared type stay strings.
 * @returns undefined for a form of more than `maxFields` fields
 */
export function sentForm(given: string, form: FormFields): SentForm | undefined {
  const text = withoutEmpty(given)
  if (text === undefined) return undefined
  const sent = new URLSearchParams(text)
  return {
    specs: fieldSpecs(new Set(sent.keys()), form),
    read(specs) {
      const { values, problems } = readFields(text, specs)
      for (const [name, value] of sent) if (!(name in values) && !isDeclared(name, form)) values[name] = value
      return { values, problems }
    }
  }
}

/**
 * Leaves out what is empty between two ampersands. Counts the fields before they are parsed, which costs far more.
 * @returns undefined for more than `maxFields` fields
 */
function withoutEmpty(text: string): string | undefined {
  const fields: string[] = []
  let from = 0
  while (from < text.length) {
    const found = text.indexOf('&', from)
    const to = found < 0 ? text.length : found
    if (to > from && fields.push(text.slice(from, to)) > maxFields) return undefined
    from = to + 1
  }
  return fields.join('&')
}

/** Returns the specifications of all fields: the declared ones, and those of `names` that `additional` describes. */
export function fieldSpecs(names: Iterable<string>, form: FormFields): readonly FieldSpec[] {
  const { fields = [], additional } = form
  if (additional === undefined) return fields
  const others = [...names].filter((name) => !isDeclared(name, form))
  return [
    ...fields.map(closed),
    ...others.map((name) => ({ ...additional, name, key: name, isUndeclared: true as const }))
  ]
}

function isDeclared(name: string, { fields = [] }: FormFields): boolean {
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
 */
export function readFields(text: string, specs: readonly FieldSpec[]): FieldValues {
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
  return { values, problems: found }
}

const decoded = (query: string, specs: readonly FieldSpec[]) =>
  decodeParameters(specs, { path: {}, query, headers: {}, cookie: undefined })
