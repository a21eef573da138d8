/** Writes the parameters of a request: its target, headers and cookies (OpenAPI 3.1.0, section 4.8.12). */
import type { Checker, ClientFeatures } from '../model/client-operation.ts'
import type { Operation } from '../model/compiled-contract.ts'
import { encodedLiteral, type ParameterSpec, templateLiterals, templateNames } from '../model/parameter.ts'
import { exactStringify } from '../runtime/serializers.ts'
import { remembered } from './content-for.ts'
import { problemAt } from './mismatch.ts'
import {
  headerText,
  isHeaderText,
  pairsOf,
  pathText,
  percentEncoded,
  Unsendable,
  withPathValue
} from './parameter-text.ts'

/** Values of parameters by `spec.key`; undefined values are left out. */
export interface ParameterValues {
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Value of the whole query, for an operation with one parameter in `querystring`. */
  readonly query?: unknown
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  readonly cookies?: Readonly<Record<string, unknown>> | undefined
}

export interface RequestHead {
  /** Path below the base URL, and the query. */
  target: string
  /** Headers by lower-case name, `cookie` included. */
  readonly headers: Record<string, string>
}

/** Returns the headers by lower-case name, because names have no case (RFC 9110, section 5.1). */
export const lowerCased = <Value>(headers: Readonly<Record<string, Value>> = {}): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * Checks all headers of a request before it is sent: those of a contract, of options and of functions.
 * @throws {Problems} for a name or a value that HTTP cannot carry (RFC 9110, sections 5.1 and 5.5)
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t -~\x80-\xff]*$/.test(value))
      throw problemAt(`headers/${name}`, 'has a forbidden character')
}

export interface HeadWriting {
  readonly checker: Checker
  readonly features: ClientFeatures
}

/** The compiler gives each operation the features that it needs (compile/emit/client-module.ts). */
export const needed = <Feature>(feature: Feature | undefined): Feature => feature as Feature

/**
 * Writes the parameters; it does not validate them.
 * @throws {Problems} for values that a URL or a header cannot carry
 */
export function requestHead(
  operation: Operation,
  values: ParameterValues,
  writing: HeadWriting
): RequestHead {
  const { problem } = writing.checker
  const plan = planOf(operation)
  const at = <T>(place: string, write: () => T): T => {
    try {
      return write()
    } catch (error) {
      throw problem(place, (error as Error).message)
    }
  }
  const { whole } = plan
  const query =
    whole === undefined
      ? joined(plan.query, values, { place: 'query', separator: '&', at })
      : at('query', () => wholeQuery(whole, values.query, writing))
  const cookie = joined(plan.cookie, values, { place: 'cookies', separator: '; ', at })
  if (!isHeaderText(cookie)) throw problem('cookies', 'has a forbidden character')
  const headers: Record<string, string> = {}
  for (const spec of plan.header) {
    const value = values.headers?.[spec.key]
    if (value !== undefined) headers[spec.key] = at(`headers/${spec.key}`, () => headerText(spec, value))
  }
  if (cookie !== '') headers['cookie'] = cookie
  const target = pathOf(plan, values.params, at)
  return { target: query === '' ? target : `${target}?${query}`, headers }
}

/** Writes a value; a value that HTTP cannot carry becomes a problem of its place. */
type At = <T>(place: string, write: () => T) => T

/** Texts before, between and after the names of the path, as sent, and the parameters. */
export const planOf = remembered(({ path, parameters }: Operation) => {
  const specsIn = (location: ParameterSpec['in']) => parameters.filter((spec) => spec.in === location)
  const [whole] = specsIn('querystring')
  return {
    whole,
    query: specsIn('query'),
    header: specsIn('header'),
    cookie: specsIn('cookie'),
    path: templateNames(path).map(
      (name) => specsIn('path').find((spec) => spec.name === name) as ParameterSpec
    ),
    literals: templateLiterals(path).map(sentLiteral)
  }
})

type Plan = ReturnType<typeof planOf>

function pathOf({ path, literals }: Plan, values: ParameterValues['params'], at: At): string {
  return literals.reduce((start, literal, index) => {
    const spec = path[index - 1] as ParameterSpec
    const write = () => withPathValue(start, pathText(spec, values?.[spec.name]), literal)
    return at(`params/${spec.name}`, write) + literal
  })
}

/** Encodes what no URL holds, such as spaces, and keeps what the template has encoded already. */
const sentLiteral = (text: string): string => encodeURI(encodedLiteral(text)).replaceAll('%25', '%')

interface Pairs {
  readonly place: 'query' | 'cookies'
  readonly separator: string
  readonly at: At
}

function joined(
  specs: readonly ParameterSpec[],
  values: ParameterValues,
  { place, separator, at }: Pairs
): string {
  const pairs: string[] = []
  for (const spec of specs) {
    const value: unknown = Object(values[place])[spec.key]
    if (value === undefined) continue
    for (const pair of at(`${place}/${spec.key}`, () => pairsOf(spec, value))) pairs.push(pair.join('='))
  }
  return pairs.join(separator)
}

/**
 * Writes a query that is one parameter.
 * @throws {Unsendable} for a text in place of a form, and for one without characters, which is no query
 */
function wholeQuery(
  { form, json }: ParameterSpec,
  value: unknown,
  { features, checker }: HeadWriting
): string {
  if (value === undefined) return ''
  if (form !== undefined && typeof value === 'object')
    return needed(features.form)(form, value, 'query', checker)
  if (form !== undefined || value === '') throw new Unsendable('cannot be a query')
  return percentEncoded(json ? exactStringify(value) : String(value))
}
