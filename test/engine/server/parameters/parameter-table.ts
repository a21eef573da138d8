/** Parameters for tables of tests: a shape, a text, the decoded value. */
import type { ParameterSpec, TextShape } from '../../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../../src/engine/server/parameters/decode.ts'
import type { ParameterSource } from '../../../../src/engine/server/parameters/decoded.ts'

export const string: TextShape = { types: ['string'] }
export const integer: TextShape = { types: ['integer'] }
export const int64: TextShape = { types: ['int64'] }
export const strings: TextShape = { types: [], items: string }
export const integers: TextShape = { types: [], items: integer }
export const rgb: TextShape = {
  types: [],
  properties: { R: integer, G: integer, name: string, list: integers }
}
export const map: TextShape = { types: [], properties: { R: integer }, additional: string }
export const unknown: TextShape = { types: [] }

type Location = Exclude<ParameterSpec['in'], 'querystring'>

const styles = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const
const sections = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const

/** Returns a parameter `p`, in OpenAPI's default style for its place. */
export function spec(where: Location, shape: TextShape, more: Partial<ParameterSpec> = {}): ParameterSpec {
  const style = more.style ?? styles[where]
  const explode = style === 'form' || style === 'cookie' || style === 'deepObject'
  return { name: 'p', in: where, key: 'p', required: false, style, explode, shape, ...more }
}

/** Returns a request that holds the text in one place. */
export function source(where: Location, text: string): ParameterSource {
  return {
    path: where === 'path' ? { p: text } : {},
    query: where === 'query' ? text : '',
    headers: where === 'header' ? { p: text } : {},
    cookie: where === 'cookie' ? text : undefined
  }
}

/** Returns the value of the only parameter; if it cannot be decoded, the messages of its problems. */
export function decoded(only: ParameterSpec, text: string): unknown {
  const { problems, ...values } = decodeParameters([only], source(only.in as Location, text))
  const section = sections[only.in as Location]
  const place = `${section}/p`
  if (problems.length === 0) return plain(values[section]['p'])
  if (problems.some((problem) => problem.place === place) === Object.hasOwn(values[section], 'p'))
    throw new Error('a parameter has either a value or a problem')
  return problems.map((problem) =>
    problem.place === place ? problem.message : `${problem.place} ${problem.message}`
  )
}

/** Returns a copy with ordinary prototypes, for comparison with literals; `__proto__` stays a property. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}
