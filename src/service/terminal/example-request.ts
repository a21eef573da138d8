/** A request that the contract itself gives as an example, for people who try the service for the first time. */
import { exampleOf, isNode, type Node, resolver } from './examples.ts'

export interface ExampleRequest {
  /** The summary of the operation, or its operationId. */
  readonly summary: string
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** JSON; undefined where the operation takes no body. */
  readonly body: unknown
  /** The security schemes to satisfy, empty where the operation is open. */
  readonly schemes: readonly Node[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** Returns a request for the first operation whose required parameters and body all have examples. */
export function exampleRequest(document: Node): ExampleRequest | undefined {
  const read = resolver(document)
  for (const [path, item] of Object.entries(read(document['paths']))) {
    for (const method of methods.filter((name) => isNode(read(item)[name]))) {
      const request = requestOf({ document, read, path, method, item: read(item) })
      if (request !== undefined) return request
    }
  }
  return undefined
}

interface Place {
  readonly document: Node
  readonly read: (value: unknown) => Node
  readonly path: string
  readonly method: string
  readonly item: Node
}

function requestOf({ document, read, path, method, item }: Place): ExampleRequest | undefined {
  const operation = read(item[method])
  const body = bodyOf(operation, read)
  const parameters = [item['parameters'], operation['parameters']].flatMap((list) => list ?? []).map(read)
  const filled = fill(
    path,
    parameters.filter((each) => each['required'] === true),
    read
  )
  if (body === missing || filled === undefined) return undefined
  const schemes = schemesOf(document, operation, read)
  const summary = String(
    operation['summary'] ?? operation['operationId'] ?? `${method.toUpperCase()} ${path}`
  )
  return { summary, method: method.toUpperCase(), ...filled, body, schemes }
}

const missing = Symbol('a body without an example')

function bodyOf(operation: Node, read: Place['read']): unknown {
  if (operation['requestBody'] === undefined) return undefined
  const { content, required } = read(operation['requestBody'])
  const example = exampleOf(read(read(content)['application/json']), read)
  if (example !== undefined) return example
  return required === true ? missing : undefined
}

/** Writes the examples of the parameters into the path, the query and the headers; undefined where one has no example. */
function fill(path: string, parameters: readonly Node[], read: Place['read']) {
  const values = parameters.map((each) => ({ each, value: textOf(exampleOf(each, read)) }))
  if (values.some(({ each, value }) => value === undefined || each['in'] === 'cookie')) return undefined
  const within = (place: string) =>
    values.flatMap(({ each, value = '' }) =>
      each['in'] === place ? [[String(each['name']), value] as const] : []
    )
  const written = within('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path
  )
  const query = new URLSearchParams(within('query').map(([name, value]) => [name, value])).toString()
  return { path: query === '' ? written : `${written}?${query}`, headers: within('header') }
}

/** Returns undefined for an object or a list, whose text depends on the style of its parameter. */
const textOf = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'object' ? undefined : String(value)

function schemesOf(document: Node, operation: Node, read: Place['read']): readonly Node[] {
  const [first] = [operation['security'] ?? document['security'] ?? []].flat()
  const declared = read(read(document['components'])['securitySchemes'])
  return Object.keys(read(first)).map((name) => read(declared[name]))
}
