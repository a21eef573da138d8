/** Checks path templates, path items (OpenAPI 3.1.0, sections 4.8.8 and 4.8.9) and methods. */
import { getBuiltinModule } from 'node:process'
import { encodedLiteral, templateLiterals } from '@contract-first/engine/model'
import { methods } from '../document/objects.ts'
import type { Contract, Operation } from '../model/contract.ts'
import { isObject, type JsonObject, own } from '../model/json.ts'
import type { Origin } from '../model/origin.ts'
import { type Reporter, repeated } from './reporter.ts'

export function checkPaths({ operations, origin }: Contract, reporter: Reporter): void {
  const place = (path: string) => origin.at('paths', path)
  const paths = [...new Set(operations.map((operation) => operation.path))]
  for (const path of paths) checkTemplate(path, place(path), reporter)
  checkRoutes(operations, place, reporter)
  checkSimilarPaths(paths, place, reporter)
  checkAmbiguousPaths(paths, place, reporter)
}

/** Returns the place of a path. */
type PlaceOf = (path: string) => Origin

function checkTemplate(path: string, place: Origin, { error, warn }: Reporter): void {
  const literals = templateLiterals(path)
  if (!path.startsWith('/')) error(`path ${path} must begin with a slash`, place)
  if (literals.some((text) => /[{}]/.test(text)))
    error(`path ${path} has a brace without its other half`, place)
  if (decodedPath(path) === undefined) error(`path ${path} has a % that encodes no character`, place)
  const [stray = ''] = /[?#]/.exec(literals.join('')) ?? []
  const effect = `with which the path of a URL ends: requests reach it by ${encodeURIComponent(stray)}`
  if (stray !== '') warn(`path ${path} has a ${stray}, ${effect}`, place)
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
function checkRoutes(operations: readonly Operation[], place: PlaceOf, { error }: Reporter): void {
  const routeOf = ({ path, method }: Operation) => {
    const route = decodedPath(withoutNames(path))
    return route === undefined ? undefined : `${method} ${route}`
  }
  for (const [{ path, method }, earlier] of repeated(operations, routeOf)) {
    const difference = `differs from ${earlier.path} only by parameter names or percent-encoding`
    error(`path ${path} ${difference}, and both have ${method}`, place(path))
  }
}

function checkSimilarPaths(paths: readonly string[], place: PlaceOf, { warn }: Reporter): void {
  for (const [path, earlier] of repeated(paths, withoutNames)) {
    const message = `path ${path} differs from ${earlier} only by parameter names; as their methods differ, both are served`
    warn(message, place(path))
  }
}

/** Reports paths of as many segments and parameters of which a request fits both: `/a/{id}` and `/{id}/b`. */
function checkAmbiguousPaths(paths: readonly string[], place: PlaceOf, { warn }: Reporter): void {
  const isParameter = (segment: string) => /^\{.+\}$/.test(segment)
  const templates = paths.map((path) => ({ path, segments: path.split('/') }))
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
          place(path)
        )
    }
}

/** Fields that belong to an operation, not to a path item (section 4.8.9), where they would have no effect. */
const operationFields = ['operationId', 'requestBody', 'responses', 'security', 'callbacks']

/** Reports misspelt methods: an object with responses in a path item is meant as an operation (section 4.8.9). */
export function checkPathItem(node: JsonObject, { error, at }: Reporter): void {
  for (const name of operationFields.filter((field) => own(node, field) !== undefined))
    error(`${name} stands beside the methods of a path; it belongs into an operation`, at(node, name))
  for (const [name, value] of Object.entries(node)) {
    const isOperation = isObject(value) && own(value, 'responses') !== undefined && !name.startsWith('x-')
    if (isOperation && !methods.some((method) => method === name))
      error(`${name} is not a method of OpenAPI`, at(node, name))
  }
}

/** Reports additional operations that have a field of their own. */
export function checkAdditional(node: JsonObject, { error, at }: Reporter): void {
  for (const method of Object.keys(node)) {
    const field = fieldOf(method)
    const message = `${method} is no additional operation: write it as \`${field}\` of the path`
    if (field !== undefined) error(message, at(node, method))
  }
}

/** Reports additional operations (OpenAPI 3.2.0, section 4.9) that no server on Node can receive. */
export function checkMethod({ method, path, origin }: Operation, { error }: Reporter): void {
  const reason = fieldOf(method) === undefined ? unreadable(method) : undefined
  if (reason !== undefined) error(`${method} ${path} cannot be served: ${reason}`, origin)
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
