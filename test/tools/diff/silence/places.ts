/** Documents with one schema at every place, and the places that a report leaves out. */
import type { Report } from '../../../../src/tools/diff/diff.ts'
import { schemas } from './keywords.ts'

export type Node = Readonly<Record<string, unknown>>

interface Place {
  readonly place: string
  readonly sender: 'client' | 'server'
  /** True where the value is written as a text, which `1` and `"1"` share. */
  readonly isText?: true
}

const json = (schema: unknown) => ({ 'application/json': { schema } })
const parameter = (name: string, where: string, schema: unknown) => ({ name, in: where, schema })
const sentBy = (schema: unknown) => ({
  parameters: [parameter('X-A', 'header', schema), parameter('q', 'query', schema)],
  requestBody: { content: json(schema) },
  responses: {
    200: { description: 'OK', headers: { 'X-B': { schema } }, content: json(schema) }
  }
})

/** Returns a document that has the schema at every place. */
export function everywhere(schema: unknown): Node {
  const form = { type: 'object', properties: { f: schema } }
  const stream = { 'application/jsonl': { itemSchema: schema } }
  const all = {
    parameters: [
      { ...parameter('v', 'path', schema), required: true },
      ...['query', 'header', 'cookie'].map((where) => parameter('p', where, schema)),
      { name: 'm', in: 'query', content: json(schema) }
    ],
    requestBody: {
      content: {
        ...json(schema),
        ...stream,
        'application/merge-patch+json': { schema },
        'application/x-www-form-urlencoded': { schema: form },
        'multipart/form-data': {
          schema: form,
          encoding: { f: { contentType: 'application/json', headers: { 'X-P': { schema } } } }
        }
      }
    },
    responses: {
      200: {
        description: 'OK',
        headers: { 'X-B': { schema }, 'X-M': { content: json(schema) } },
        content: { ...json(schema), ...stream }
      },
      '4XX': { description: 'No', content: json(schema) },
      default: { description: 'No', content: json(schema) }
    },
    callbacks: { done: { '{$request.query.url}': { post: sentBy(schema) } } }
  }
  return {
    ...{ openapi: '3.1.0', info: { title: 'Things', version: '1' } },
    paths: { '/things/{v}': { post: all } },
    webhooks: { event: { post: sentBy(schema) } },
    components: { schemas }
  }
}

const operation = 'POST /things/{v}'
const of = (sender: Place['sender'], places: readonly string[], isText?: true): Place[] =>
  places.map((place) => ({ place, sender, ...(isText ? { isText } : {}) }))
const callback = `${operation} callbacks/done post {$request.query.url}`
const webhook = 'webhooks/event post'

export const everyPlace: readonly Place[] = [
  ...of('client', [
    ...['query/m', 'body', 'body(application/jsonl)/*', 'body(application/merge-patch+json)'].map(
      (place) => `${operation} ${place}`
    ),
    `${operation} body(multipart/form-data)/f`,
    `${callback}/200/body`,
    `${webhook}/200/body`
  ]),
  ...of(
    'client',
    [
      ...['path/v', 'query/p', 'header/p', 'cookie/p'].map((place) => `${operation} ${place}`),
      `${operation} body(application/x-www-form-urlencoded)/f`,
      `${operation} body(multipart/form-data)/f/header/X-P`,
      `${callback}/200/header/X-B`,
      `${webhook}/200/header/X-B`
    ],
    true
  ),
  ...of('server', [
    ...['200/body', '200/body(application/jsonl)/*', '200/header/X-M', '4XX/body', 'default/body'].map(
      (place) => `${operation} ${place}`
    ),
    `${callback}/body`,
    `${webhook}/body`
  ]),
  ...of(
    'server',
    [
      `${operation} 200/header/X-B`,
      ...[callback, webhook].flatMap((each) => [`${each}/header/X-A`, `${each}/query/q`])
    ],
    true
  )
]

const pathTo = (names: readonly string[]) => names.map((name) => `/${name}`)

/** Returns an object that has the schema in every place within a schema. */
export const within = (schema: unknown): Node => ({
  type: 'object',
  properties: {
    first: schema,
    second: schema,
    third: schema,
    list: { type: 'array', items: schema },
    tuple: { type: 'array', prefixItems: [schema, schema] },
    map: { type: 'object', additionalProperties: schema },
    named: { type: 'object', patternProperties: { '^x-': schema } },
    all: { allOf: [schema, {}] },
    one: {
      allOf: [
        { type: 'object', properties: { in: schema } },
        { type: 'object', properties: { out: schema } }
      ]
    },
    cats: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'cat' }, cat: schema }, required: ['kind'] },
        { type: 'object', properties: { kind: { const: 'dog' }, dog: schema }, required: ['kind'] }
      ]
    }
  }
})

export const placesWithin: readonly string[] = pathTo([
  ...['first', 'second', 'third', 'list/*', 'tuple/0', 'tuple/1', 'map/*', 'named/~^x-', 'all'],
  ...['one/in', 'one/out', 'cats/cat', 'cats/dog']
])

/** Returns the places of changes: `POST /things body/name`. */
export const linesOf = (report: Report, lists: readonly (keyof Report)[]): string[] =>
  lists.flatMap((list) =>
    report[list].map(({ operation: name, place }) =>
      [name ?? '', place].filter((part) => part !== '').join(' ')
    )
  )

/** Returns the places at and below which no change of the lists is reported. */
export function silent(
  report: Report,
  lists: readonly (keyof Report)[],
  places: readonly string[]
): string[] {
  const lines = linesOf(report, lists)
  return places.filter((place) => !lines.some((line) => line === place || line.startsWith(`${place}/`)))
}

export const hurting = ['breaking', 'undecided'] as const
export const any = ['breaking', 'undecided', 'compatible'] as const
