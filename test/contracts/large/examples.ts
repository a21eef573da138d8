/** Valid examples of the schemas of a large contract, and a valid exchange with each of its operations. */
import type { Exchange } from '../exchanges.ts'
import type { Document } from '../large-contract.ts'
import type { Operation, Schema } from './schemas.ts'

/** Depth below which optional properties are left out, so that recursive schemas end. */
const maxDepth = 3

const byFormat: Readonly<Record<string, unknown>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T20:57:08Z',
  email: 'ada@example.org',
  uri: 'https://example.org/a?b=c',
  uuid: '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e',
  ipv4: '192.0.2.1',
  byte: 'aGVsbG8='
}

export type Direction = 'request' | 'response'

export class Examples {
  readonly #schemas: Readonly<Record<string, Schema>>

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
  }

  of(schema: Schema, direction: Direction, depth = 0): unknown {
    const { $ref, allOf, oneOf, anyOf, example } = schema as Record<string, never>
    if (example !== undefined) return example
    if ($ref !== undefined) return this.of(this.#named($ref), direction, depth)
    const [first] = (oneOf ?? anyOf ?? []) as Schema[]
    if (first !== undefined) return this.of(first, direction, depth)
    if (allOf === undefined) return this.#ofType(schema, direction, depth)
    const parts = (allOf as Schema[]).map((part) => this.of(part, direction, depth) as object)
    return Object.assign({}, ...parts)
  }

  #named(reference: string): Schema {
    return this.#schemas[reference.replace('#/components/schemas/', '')] ?? {}
  }

  #ofType(schema: Schema, direction: Direction, depth: number): unknown {
    const { type, enum: values, format } = schema as { type?: string; enum?: unknown[]; format?: string }
    if (values !== undefined) return values[0]
    if (type === 'array') return this.#array(schema, direction, depth)
    if (type === 'object') return this.#object(schema, direction, depth)
    if (type === 'string') return byFormat[format ?? ''] ?? 'text'
    if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
    return true
  }

  #array({ items, minItems = 0 }: Schema, direction: Direction, depth: number): unknown[] {
    const isEmpty = depth > maxDepth && minItems === 0
    return isEmpty ? [] : [this.of(items as Schema, direction, depth + 1)]
  }

  #object(
    { properties, required = [], additionalProperties }: Schema,
    direction: Direction,
    depth: number
  ): object {
    const hidden = direction === 'request' ? 'readOnly' : 'writeOnly'
    const shown = Object.entries((properties ?? {}) as Record<string, Schema>).filter(
      ([name, property]) =>
        property[hidden] !== true && ((required as string[]).includes(name) || depth < maxDepth)
    )
    const members = shown.map(([name, property]) => [name, this.of(property, direction, depth + 1)])
    const isMap = properties === undefined && typeof additionalProperties === 'object'
    if (isMap) members.push(['key', this.of(additionalProperties as Schema, direction, depth + 1)])
    return Object.fromEntries(members)
  }
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** @returns the exchange by operationId */
export function exampleExchanges({ paths, components }: Document): Map<string, Exchange> {
  const examples = new Examples(components['schemas'] as Record<string, Schema>)
  const placed = Object.entries(paths as Record<string, Schema>).flatMap(
    ([path, { parameters: _, ...methods }]) =>
      Object.entries(methods as Record<string, Operation>).map(
        ([method, operation]) =>
          [
            String(operation['operationId']),
            exchange(`${method.toUpperCase()} ${urlOf(path)}`, operation, examples)
          ] as const
      )
  )
  return new Map(placed)
}

/** Returns the URL: ids of resources are integers; the id of the domain comes first and is a string. */
function urlOf(path: string): string {
  const url = path.replace(/\{[^{}]*\}/, 'a1').replaceAll(/\{[^{}]*\}/g, '7')
  return url.endsWith('/search') ? `${url}?q=x` : url
}

function exchange(send: string, operation: Operation, examples: Examples): Exchange {
  const answer = answerOf(operation, examples)
  const request = operation['requestBody'] as { readonly content: Content } | undefined
  const { headers = {}, ...body } = request === undefined ? {} : bodyOf(request.content, examples)
  return {
    send,
    headers: { authorization: 'Bearer good', accept: 'application/json', ...headers },
    ...body,
    answer,
    want: answer.status,
    ...(answer.body !== undefined && { got: answer.body })
  }
}

function bodyOf(content: Content, examples: Examples): Pick<Exchange, 'headers' | 'body'> {
  const json = content['application/json']
  if (json !== undefined) return { body: examples.of(json.schema, 'request') }
  const isForm = content['application/x-www-form-urlencoded'] !== undefined
  return isForm
    ? {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'callback_url=https%3A%2F%2Fexample.org&events=a&events=b&seconds=60'
      }
    : { headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from([0, 255]) }
}

function answerOf(operation: Operation, examples: Examples): { status: number; body?: unknown } {
  const responses = Object.entries(operation['responses'] as Record<string, { readonly content?: Content }>)
  const [status = '', { content } = {}] = responses.find(([name]) => /^2\d\d$/.test(name)) ?? []
  const schema = content?.['application/json']?.schema
  const body = schema === undefined ? {} : { body: examples.of(schema, 'response') }
  return { status: Number(status), ...body }
}
