/**
 * A large OpenAPI 3.0 contract, with the shapes that large public contracts have. The same options always give the same
 * document. Every example in it is valid.
 */
import { Choices } from './large/choices.ts'
import { Examples } from './large/examples.ts'
import { type PlacedOperation, resourceOperations } from './large/operations.ts'
import {
  parameterRef,
  type Resource,
  resourceSchemas,
  resources,
  type Schema,
  schemaRef,
  securitySchemes,
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  sharedSchemas
} from './large/schemas.ts'

export interface Options {
  readonly operations: number
  readonly seed?: string
}

export interface Document {
  readonly openapi: string
  readonly info: Schema
  readonly security: readonly Schema[]
  readonly paths: Schema
  readonly components: Readonly<Record<string, Schema>>
}

/** @returns a document with exactly that many operations */
export function largeContract({ operations, seed = 'large' }: Options): Document {
  const all = resources(operations)
  const placed = all.flatMap((resource) =>
    resourceOperations(resource, new Choices(`${seed}/${resource.name}/operations`)).map((entry) => ({
      ...entry,
      resource
    }))
  )
  const kept = placed.slice(0, operations)
  const schemas: Record<string, Schema> = Object.assign(
    { ...sharedSchemas },
    ...all.map((resource) => schemasOf(resource, all, seed))
  )
  return {
    openapi: '3.0.3',
    info: { title: 'Large', version: '1.0.0' },
    security: [{ bearer: [] }, { key: [] }],
    paths: paths(kept),
    components: {
      schemas,
      parameters: { ...sharedParameters, ...pathParameters(all) },
      headers: sharedHeaders,
      responses: sharedResponses,
      examples: examples(all, new Examples(schemas)),
      securitySchemes
    }
  }
}

function schemasOf(resource: Resource, all: readonly Resource[], seed: string): Schema {
  const neighbour = all[(resource.index + 1) % all.length] ?? resource
  return resourceSchemas(resource, neighbour, new Choices(`${seed}/${resource.name}/schemas`))
}

/** @returns the path items, each with the path parameters that it shares by reference */
function paths(placed: readonly PlacedOperation[]): Record<string, Schema> {
  const items: Record<string, Record<string, unknown>> = {}
  for (const { path, method, operation } of placed) {
    const names = [...path.matchAll(/\{([\w-]+)\}/g)].map(([, name = '']) => name)
    items[path] ??= { parameters: names.map(parameterRef) }
    items[path][method] = operation
  }
  return items
}

/** Returns the path parameters: ids of resources are integers, ids of domains are strings. */
function pathParameters(all: readonly Resource[]): Record<string, Schema> {
  const parameter = (name: string, schema: Schema) =>
    [name, { name, in: 'path', required: true, schema }] as const
  const things = all.map(({ noun }) =>
    parameter(`${noun}_id`, { type: 'integer', format: 'int64', minimum: 1 })
  )
  const domains = all.map(({ path }) =>
    parameter(/\{(.*)\}/.exec(path)?.[1] ?? '', { type: 'string', maxLength: 40, pattern: '^[a-z\\d]' })
  )
  return Object.fromEntries([...things, ...domains])
}

function examples(all: readonly Resource[], values: Examples): Record<string, Schema> {
  const entries = all.flatMap(({ name }) => [
    [name, { value: values.of(schemaRef(name), 'response') }],
    [`${name}Draft`, { value: values.of(schemaRef(`${name}Draft`), 'request') }]
  ])
  return Object.fromEntries(entries)
}
