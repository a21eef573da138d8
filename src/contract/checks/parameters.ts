/** Checks parameters (OpenAPI 3.1.0, section 4.8.12): each as written, and those of an operation together. */
import { bodyKind } from '@contract-first/engine/media-types'
import { isHeaderName, templateNames } from '@contract-first/engine/model'
import { isIgnored, styles } from '../build/operations.ts'
import { resolved } from '../document/reference.ts'
import type { Contract, Location, Operation, Parameter } from '../model/contract.ts'
import { arrayOf, isObject, type Json, type JsonObject, own, stringOf } from '../model/json.ts'
import { type Reporter, repeated } from './reporter.ts'

/** Checks the parameters that an operation or path item lists. */
export function checkListed(list: Json | undefined, document: JsonObject, { error, at }: Reporter): void {
  const listed = arrayOf(list).map((item, index) => {
    const node = resolved(document, item)
    return { node, index: String(index), place: stringOf(own(node, 'in')), name: stringOf(own(node, 'name')) }
  })
  type Listed = (typeof listed)[number]
  const keyOf = ({ place, name }: Listed) => name && `${name} in ${place}`
  // Names of headers are case-insensitive (RFC 9110, section 5.1).
  const headerOf = ({ place, name }: Listed) => (place === 'header' ? name?.toLowerCase() : undefined)
  for (const [each] of repeated(listed, headerOf))
    error(`header ${headerOf(each)} is declared twice`, at(each.node, 'name'))
  for (const [each] of repeated(listed, keyOf))
    error(`parameter ${keyOf(each)} is declared twice`, at(list, each.index))
}

/** Checks an object that may be a parameter. */
export function checkParameter(node: JsonObject, { error, warn, at }: Reporter): void {
  const [name, location] = [stringOf(own(node, 'name')), stringOf(own(node, 'in')) ?? '']
  if (name === undefined || !Object.hasOwn(styles, location) || own(node, 'type') === 'apiKey') return
  if (isIgnored({ in: location as Location, name })) return
  const content = own(node, 'content')
  if (isObject(content)) {
    const place = at(node, 'content')
    if (own(node, 'schema') !== undefined)
      error(`parameter ${name} has a schema and a content; OpenAPI wants one of them`, place)
    if (Object.keys(content).length !== 1)
      error(`the content of parameter ${name} must have one media type`, place)
  }
  const idle = (field: string, reason: string) => {
    if (own(node, field) !== undefined) warn(`${field} of ${name} has no effect: ${reason}`, at(node, field))
  }
  if (location === 'header' && !isHeaderName(name))
    warn(`${name} is no name of a header: no request can carry it`, at(node, 'name'))
  const effect = location === 'header' ? unreadable.get(name.toLowerCase()) : undefined
  if (effect !== undefined) warn(`header ${name} is declared, but ${effect}`, at(node, 'name'))
  if (location === 'querystring') {
    // These describe how a schema is written as text, which `content` does here.
    for (const field of ['style', 'explode', 'allowReserved', 'allowEmptyValue'])
      idle(field, 'its content says how the query is written')
    return
  }
  if (location !== 'query') idle('allowEmptyValue', 'it is not in the query')
  const style = stringOf(own(node, 'style'))
  const allowed: readonly string[] = styles[location as Location]
  if (style !== undefined && !allowed.includes(style)) {
    const message = `style ${style} is not for ${location} parameters: ${name} is read in style ${allowed[0]}`
    warn(message, at(node, 'style'))
  }
  // OpenAPI 3.2.0, section 4.12.2
  if (location === 'header' || style === 'cookie') idle('allowReserved', 'its values are not percent-encoded')
  if (location === 'path' && own(node, 'required') !== true)
    warn(`path parameter ${name} is always required`, at(node, 'required'))
}

/** Headers that the server handles before a handler sees them (RFC 9110, sections 8.4 and 10.1.1). */
const unreadable: ReadonlyMap<string, string> = new Map([
  ['content-encoding', 'a body with a content coding is answered 415'],
  ['expect', 'an expectation other than 100-continue is answered 417'],
  ['transfer-encoding', 'a transfer coding other than chunked is refused']
])

/** Checks the parameters of an operation: those of the path are the names in its template (section 4.8.12.1). */
export function checkTogether(operation: Operation, { origin }: Contract, { error }: Reporter): void {
  const { path, method, parameters } = operation
  const names = templateNames(path)
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  for (const name of names)
    if (!inPath.some((parameter) => parameter.name === name))
      error(`${method} ${path} does not declare its path parameter ${name}`, operation.origin)
  for (const parameter of inPath)
    if (!names.includes(parameter.name))
      error(`path parameter ${parameter.name} is not in the path ${path}`, parameter.origin.at('name'))
  if (new Set(names).size < names.length)
    error(`a path parameter stands twice in ${path}`, origin.at('paths', path))
  const [whole, ...others] = parameters.filter((parameter) => parameter.in === 'querystring')
  if (whole === undefined) return
  const beside = parameters.filter((parameter) => parameter.in === 'query')
  for (const parameter of [...others, ...beside]) {
    const message = `parameter ${parameter.name} is in the query, and ${whole.name} is the whole query`
    error(message, parameter.origin.at('in'))
  }
  checkWholeQuery(whole, operation, error)
}

/** Checks a parameter that is the whole query: `in: querystring` (OpenAPI 3.2.0, section 4.12.1). */
function checkWholeQuery(
  { name, content, origin }: Parameter,
  { security }: Operation,
  error: Reporter['error']
): void {
  if (content === undefined) {
    error(`parameter ${name} is the whole query: it needs a content with one media type`, origin.at('in'))
    return
  }
  const { mediaType, isRange } = content
  const kind = isRange ? undefined : bodyKind(mediaType)
  const key = security.flat().find(({ scheme }) => scheme.type === 'apiKey' && scheme.in === 'query')
  if (kind === undefined || kind === 'multipart') {
    const message = `a query cannot be ${mediaType}: write a form, JSON or a text`
    error(message, origin.at('content', mediaType))
  } else if (kind !== 'form' && key !== undefined) {
    const message = `parameter ${name} is the whole query, which has no place for the API key ${key.scheme.parameter}`
    error(message, origin.at('in'))
  }
}
