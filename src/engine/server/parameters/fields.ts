/**
 * Reads the fields of a urlencoded form (WHATWG URL, section 5.1), which is a body or a whole query, like query parameters
 * (OpenAPI 3.1.0, section 4.8.14.3); and a query that is one parameter: a form, JSON or a text.
 */

import { asRead, type ParsedJson } from '../../json/exact-json.ts'
import type { FieldSpec, FormFields, ParameterSpec } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'
import { decodeParameters, withDefault } from './decode.ts'
import { emptyObject, type UndecodableParameter } from './decoded.ts'
import { parseJson } from './json-text.ts'
import { claims } from './paired.ts'
import { formDecode, pairsOf, percentDecode } from './pairs.ts'
import { primitiveOf } from './primitive.ts'

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

interface DecodedQuery {
  readonly query: ParsedJson
  readonly problems: readonly Problem[]
}

interface WholeQuery {
  /** Fields of a form; an empty list for any other value. */
  readonly fields: readonly FieldSpec[]
  readonly read: (fields: readonly FieldSpec[]) => DecodedQuery
}

/**
 * Reads a query that is one parameter (OpenAPI 3.2.0, section 4.12.1). An empty query is no value, because nothing distinguishes it from a missing one. A required form then has no fields, so
 * that the validator names the missing ones.
 * @param query percent-encoded, without the question mark
 */
export function wholeQuery(spec: ParameterSpec, query: string): WholeQuery {
  const { form, required, apiKeys = [] } = spec
  const text = apiKeys.length === 0 ? query : withoutKeys(query, apiKeys)
  if (form !== undefined && (required || text !== '')) return formQuery(form, text)
  return { fields: [], read: () => loneValue(spec, text) }
}

function withoutKeys(query: string, apiKeys: readonly string[]): string {
  const isKey = (pair: string) => [...new URLSearchParams(pair).keys()].some((name) => apiKeys.includes(name))
  return query
    .split('&')
    .filter((pair) => !isKey(pair))
    .join('&')
}

function formQuery(form: FormFields, query: string): WholeQuery {
  const sent = sentForm(query, form)
  if (sent === undefined) return { fields: [], read: () => refused(`has more than ${maxFields} fields`) }
  const read = (fields: readonly FieldSpec[]) => {
    const { values, problems } = sent.read(fields)
    return { query: asRead(values), problems }
  }
  return { fields: sent.specs, read }
}

function loneValue(spec: ParameterSpec, query: string): DecodedQuery {
  if (query === '') return { query: asRead(withDefault(undefined, spec)), problems: [] }
  try {
    const text = percentDecode(query)
    return { query: spec.json ? parseJson(text) : asRead(primitiveOf(text, spec.shape.types)), problems: [] }
  } catch (error) {
    // The decoders throw no other error.
    return refused((error as UndecodableParameter).message)
  }
}

function refused(message: string): DecodedQuery {
  const problem: Problem = { place: 'query', pointer: '/query', keyword: undefined, message }
  return { query: asRead(undefined), problems: [problem] }
}
