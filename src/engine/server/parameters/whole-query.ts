/** Reads a query that is one parameter (OpenAPI 3.2.0, section 4.12.1): a form, JSON or a text. */
import { asRead, type ParsedJson } from '../../json/exact-json.ts'
import type { FieldSpec, FormFields, ParameterSpec } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'
import { withDefault } from './decode.ts'
import type { UndecodableParameter } from './decoded.ts'
import { maxFields, sentForm } from './fields.ts'
import { parseJson } from './json-text.ts'
import { percentDecode } from './pairs.ts'
import { primitiveOf } from './primitive.ts'

export interface DecodedQuery {
  readonly query: ParsedJson
  readonly problems: readonly Problem[]
}

interface WholeQuery {
  /** Fields of a form; an empty list for any other value. */
  readonly fields: readonly FieldSpec[]
  readonly read: (fields: readonly FieldSpec[]) => DecodedQuery
}

/**
 * An empty query is no value, because nothing distinguishes it from a missing one. A required form then has no fields, so
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
