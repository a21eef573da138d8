/** Example request from the contract, for the welcome text. */
import { type ExampleBody, exampleBody } from './example-body.ts'
import { type ExampleParameters, exampleParameters } from './example-parameters.ts'
import { exampleOf, isNode, type Node, type ReadNode, resolver } from './examples.ts'
import { sampleOf } from './sample.ts'

export interface ExampleRequest extends ExampleParameters {
  /** Summary of the operation, or its operationId. */
  readonly summary: string
  readonly method: string
  /** Body; undefined where the operation has none. */
  readonly body: ExampleBody | undefined
  /** Security schemes to satisfy; empty for an operation without security. */
  readonly schemes: readonly Node[]
}

/** Returns the value of a parameter or of a media type, undefined where it has none. */
export type ValueIn = (holder: Node) => unknown

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/**
 * Returns a request for the first operation whose required parameters and body all have examples; otherwise for the
 * first one with schemas that are simple enough to sample the missing values.
 */
export function exampleRequest(document: Node): ExampleRequest | undefined {
  const read = resolver(document)
  const operations = Object.entries(read(document['paths'])).flatMap(([path, item]) =>
    methods
      .filter((method) => isNode(read(item)[method]))
      .map((method) => ({ document, read, path, method, item: read(item) }))
  )
  const given: ValueIn = (holder) => exampleOf(holder, read)
  const made: ValueIn = (holder) => given(holder) ?? sampleOf(holder['schema'], read)
  return firstOf(operations, given) ?? firstOf(operations, made)
}

interface Place {
  readonly document: Node
  readonly read: ReadNode
  readonly path: string
  readonly method: string
  readonly item: Node
}

function firstOf(places: readonly Place[], valueIn: ValueIn): ExampleRequest | undefined {
  for (const place of places) {
    const request = requestOf(place, valueIn)
    if (request !== undefined) return request
  }
  return undefined
}

function requestOf(
  { document, read, path, method, item }: Place,
  valueIn: ValueIn
): ExampleRequest | undefined {
  const operation = read(item[method])
  const parameters = exampleParameters(path, declaredParameters(item, operation, read), valueIn)
  const body = exampleBody(read(operation['requestBody']), valueIn, read)
  if (parameters === undefined || body === 'missing') return undefined
  const schemes = schemesOf(document, operation, read)
  const name = operation['summary'] ?? operation['operationId'] ?? `${method.toUpperCase()} ${path}`
  return { summary: String(name), method: method.toUpperCase(), ...parameters, body, schemes }
}

/** Merges the parameters; those of the operation replace those of its path item (OpenAPI 3.1.0, section 4.8.10). */
function declaredParameters(item: Node, operation: Node, read: ReadNode): readonly Node[] {
  const [shared, own] = [item, operation].map((each) => [each['parameters'] ?? []].flat().map(read))
  const nameOf = (each: Node) => `${each['in']} ${each['name']}`.toLowerCase()
  const isSame = (one: Node) => (other: Node) => nameOf(one) === nameOf(other)
  return [...(shared ?? []).filter((each) => own?.some(isSame(each)) !== true), ...(own ?? [])]
}

function schemesOf(document: Node, operation: Node, read: ReadNode): readonly Node[] {
  const [first] = [operation['security'] ?? document['security'] ?? []].flat()
  const declared = read(read(document['components'])['securitySchemes'])
  return Object.keys(read(first)).map((name) => read(declared[name]))
}
