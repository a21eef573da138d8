/** Writes the values of required parameters into the path, the query, the headers and the cookies. */
import type { Node } from './examples.ts'

type Pair = readonly [name: string, value: string]

export interface ExampleParameters {
  /** Path with the query. */
  readonly path: string
  readonly headers: readonly Pair[]
  readonly cookies: readonly Pair[]
}

/** @returns undefined where a required parameter has no value, or a value that needs another style than the default */
export function exampleParameters(
  path: string,
  declared: readonly Node[],
  valueIn: (holder: Node) => unknown
): ExampleParameters | undefined {
  const required = declared.filter((each) => each['required'] === true)
  const values = required.map((each) => ({ each, texts: textsOf(each, valueIn(each)) }))
  if (values.some(({ texts }) => texts === undefined)) return undefined
  const within = (place: string): Pair[] =>
    values.flatMap(({ each, texts = [] }) =>
      each['in'] === place ? texts.map((text) => [String(each['name']), text] as const) : []
    )
  const written = within('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path
  )
  const query = new URLSearchParams(within('query').map(([name, value]) => [name, value])).toString()
  return {
    path: query === '' ? written : `${written}?${query}`,
    headers: within('header'),
    cookies: within('cookie')
  }
}

const isText = (value: unknown): boolean => value !== undefined && typeof value !== 'object'

/** Returns one text, or several for a list in the query. */
function textsOf({ in: place, style, explode }: Node, value: unknown): readonly string[] | undefined {
  if (isText(value)) return style === 'matrix' || style === 'label' ? undefined : [String(value)]
  if (!Array.isArray(value) || value.length === 0 || style !== undefined || !value.every(isText))
    return undefined
  return place === 'query' && explode !== false ? value.map(String) : [value.join()]
}
