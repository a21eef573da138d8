/** Checks path templates, path items (OpenAPI 3.1.0, sections 4.8.8 and 4.8.9) and methods. */
import { getBuiltinModule } from 'node:process'
import { encodedLiteral, templateLiterals } from '@contract-first/engine/model'
import { additional, methods, type OperationNode } from '../document/operation-objects.ts'
import { resolved } from '../document/reference.ts'
import { isObject, type JsonObject, objectOf, own } from '../model/json.ts'
import { type Reporter, repeated } from './reporter.ts'

export function checkPaths(
  document: JsonObject,
  operations: readonly OperationNode[],
  reporter: Reporter
): void {
  const paths = own(document, 'paths')
  for (const path of new Set(operations.map((operation) => operation.path)))
    checkTemplate(path, paths, reporter)
  checkRoutes(operations, paths, reporter)
  checkSimilarPaths(operations, paths, reporter)
  checkAmbiguousPaths(Object.keys(objectOf(paths)), paths, reporter)
  for (const item of Object.values(objectOf(paths))) checkMisplaced(resolved(document, item), reporter)
}

function checkTemplate(path: string, paths: unknown, { error, warn }: Reporter): void {
  const literals = templateLiterals(path)
  if (!path.startsWith('/')) error(`path ${path} must begin with a slash`, paths, path)
  if (literals.some((text) => /[{}]/.test(text)))
    error(`path ${path} has a brace without its other half`, paths, path)
  if (decodedPath(path) === undefined) error(`path ${path} has a % that encodes no character`, paths, path)
  const [stray = ''] = /[?#]/.exec(literals.join('')) ?? []
  const effect = `with which the path of a URL ends: requests reach it by ${encodeURIComponent(stray)}`
  if (stray !== '') warn(`path ${path} has a ${stray}, ${effect}`, paths, path)
}

/** Decodes percent-encoding (RFC 3986, section 2.1); undefined where it is malformed or not UTF-8. */
export function decodedPath(path: string): string | undefined {
  try {
    return decodeURI(encodedLiteral(path)).replaceAll(/%[\da-f]{2}/gi, (octet) => octet.toUpperCase())
  } catch {
    return undefined
  }
}

/** Returns the path without the names of its parameters. */
const withoutNames = (path: string): string => templateLiterals(path).join('\0')

/**
 * Reports two operations for one method and path: paths that differ only by parameter names are identical (section
 * 4.8.8).
 */
function checkRoutes(operations: readonly OperationNode[], paths: unknown, { error }: Reporter): void {
  const routeOf = ({ path, method }: OperationNode) => {
    const route = decodedPath(withoutNames(path))
    return route === undefined ? undefined : `${method} ${route}`
  }
  for (const [{ path, method }, earlier] of repeated(operations, routeOf)) {
    const difference = `differs from ${earlier.path} only by parameter names or percent-encoding`
    error(`path ${path} ${difference}, and both have ${method}`, paths, path)
  }
}

function checkSimilarPaths(operations: readonly OperationNode[], paths: unknown, { warn }: Reporter): void {
  for (const [path, earlier] of repeated(new Set(operations.map((each) => each.path)), withoutNames)) {
    const message = `path ${path} differs from ${earlier} only by parameter names; as their methods differ, both are served`
    warn(message, paths, path)
  }
}

/** Reports paths of as many segments and parameters of which a request fits both: `/a/{id}` and `/{id}/b`. */
function checkAmbiguousPaths(names: readonly string[], paths: unknown, { warn }: Reporter): void {
  const isParameter = (segment: string) => /^\{.+\}$/.test(segment)
  const templates = names.map((path) => ({ path, segments: path.split('/') }))
  const groups = Map.groupBy(
    templates,
    ({ segments }) => `${segments.length} ${segments.filter(isParameter).length}`
  )
  for (const group of groups.values())
    for (const [index, { path, segments }] of group.entries()) {
      const fits = (other: string, at: number) =>
        other === segments[at] || isParameter(other) || isParameter(String(segments[at]))
      const earlier = group.slice(0, index).find((other) => other.segments.every(fits))
      if (earlier !== undefined)
        warn(
          `Paths should resolve unambiguously. Found two ambiguous paths: \`${earlier.path}\` and \`${path}\`.`,
          paths,
          path
        )
    }
}

/** Fields that belong to an operation, not to a path item (section 4.8.9), where they would have no effect. */
const operationFields = ['operationId', 'requestBody', 'responses', 'security', 'callbacks']

/** Reports misspelt methods: an object with responses in a path item is meant as an operation (section 4.8.9). */
function checkMisplaced(pathItem: JsonObject, { error }: Reporter): void {
  for (const name of operationFields.filter((field) => own(pathItem, field) !== undefined))
    error(`${name} stands beside the methods of a path; it belongs into an operation`, pathItem, name)
  for (const [name, value] of Object.entries(pathItem)) {
    const isOperation = isObject(value) && own(value, 'responses') !== undefined && !name.startsWith('x-')
    if (isOperation && !methods.some((method) => method === name))
      error(`${name} is not a method of OpenAPI`, pathItem, name)
  }
}

/** Checks the operations of further methods (OpenAPI 3.2.0, section 4.9): those that no server on Node can receive. */
export function checkMethods(operations: readonly OperationNode[], { error, nodes }: Reporter): void {
  for (const { node, names } of nodes)
    for (const method of names === additional ? Object.keys(node) : []) {
      const field = fieldOf(method)
      if (field !== undefined)
        error(`${method} is no additional operation: write it as \`${field}\` of the path`, node, method)
    }
  for (const { at, method, path, node } of operations) {
    const reason = at[0] === additional && fieldOf(method) === undefined ? unreadable(method) : undefined
    if (reason !== undefined) error(`${method} ${path} cannot be served: ${reason}`, node)
  }
}

const fieldOf = (method: string) => methods.find((field) => field === method.toLowerCase())

/** Returns the reason for which Node gives no request of the method to a route. */
function unreadable(method: string): string | undefined {
  if (method === 'CONNECT') return 'it asks for a tunnel to another server, which is no route'
  // An import would read Node's WebSocket, which takes a tenth of a second to load.
  const { METHODS } = getBuiltinModule('node:http')
  if (METHODS.includes(method)) return undefined
  const meant = METHODS.find((known) => known === method.toUpperCase())
  return meant === undefined
    ? 'the HTTP parser of Node refuses this method'
    : `methods are case-sensitive, and the HTTP parser of Node reads ${meant} only`
}
