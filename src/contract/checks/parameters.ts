/** Checks the parameters of an operation as written (OpenAPI 3.1.0, section 4.8.12). */
import { bodyKind } from '@contract-first/engine/media-types'
import { templateNames } from '@contract-first/engine/model'
import { distinct, isIgnored, styles } from '../build/operations.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { resolved } from '../document/reference.ts'
import type { Location } from '../model/contract.ts'
import { arrayOf, isObject, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { type Reporter, repeated } from './reporter.ts'
import { schemesOf } from './security.ts'

export function checkParameters(operation: OperationNode, document: JsonObject, reporter: Reporter): void {
  const { pathItem, node } = operation
  for (const list of [own(node, 'parameters'), own(pathItem, 'parameters')]) {
    const listed = arrayOf(list).map((item) => resolved(document, item))
    checkHeaderNames(listed, reporter)
    checkUnique(list, listed, reporter)
  }
  const parameters = parametersOf(operation, document)
  checkWholeQuery(parameters, operation, document, reporter)
  for (const parameter of parameters) {
    checkContent(parameter, reporter)
    checkStyle(parameter, reporter)
    checkReserved(parameter, reporter)
    checkEmptyValue(parameter, reporter)
    checkUnreadable(parameter, reporter)
  }
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  checkPathParameters(operation, inPath, document, reporter)
}

/** A parameter as written, its references followed. */
interface Parameter {
  readonly node: JsonObject
  readonly name: string
  readonly in: Location
}

/** Returns the parameters that are read: for the same name and location that of the operation, not of the path item. */
function parametersOf({ node, pathItem }: OperationNode, document: JsonObject): Parameter[] {
  const listed = [node, pathItem].flatMap((owner) => arrayOf(own(owner, 'parameters')))
  const found = listed.map((item) => {
    const parameter = resolved(document, item)
    return { node: parameter, name: String(own(parameter, 'name')), in: own(parameter, 'in') as Location }
  })
  return distinct(found.filter((each) => Object.hasOwn(styles, each.in) && !isIgnored(each)))
}

/** Reports header names that differ only in case: they are case-insensitive (RFC 9110, section 5.1). */
function checkHeaderNames(parameters: readonly JsonObject[], { error }: Reporter): void {
  const headers = parameters.filter((parameter) => own(parameter, 'in') === 'header')
  const headerName = (header: JsonObject) => stringOf(own(header, 'name'))?.toLowerCase()
  for (const [header] of repeated(headers, headerName))
    error(`header ${headerName(header)} is declared twice`, header, 'name')
}

function checkUnique(list: unknown, parameters: readonly JsonObject[], { error }: Reporter): void {
  const entries = parameters.map((node, index) => ({ node, index }))
  const keyOf = ({ node }: { node: JsonObject }) => {
    const [place, name] = [own(node, 'in'), own(node, 'name')]
    return name === undefined ? undefined : `${name} in ${place}`
  }
  for (const [entry] of repeated(entries, keyOf))
    error(`parameter ${keyOf(entry)} is declared twice`, list, String(entry.index))
}

function checkContent({ name, node }: Parameter, { error }: Reporter): void {
  const content = own(node, 'content')
  if (!isObject(content)) return
  if (own(node, 'schema') !== undefined)
    error(`parameter ${name} has a schema and a content; OpenAPI wants one of them`, node, 'content')
  if (Object.keys(content).length !== 1)
    error(`the content of parameter ${name} must have one media type`, node, 'content')
}

function checkStyle({ name, node, in: location }: Parameter, { warn }: Reporter): void {
  const style = stringOf(own(node, 'style'))
  const allowed: readonly string[] = styles[location]
  if (style === undefined || allowed.includes(style) || location === 'querystring') return
  const effect = `${name} is read in style ${allowed[0]}`
  warn(`style ${style} is not for ${location} parameters: ${effect}`, node, 'style')
}

/** Reports `allowReserved` where values are not percent-encoded (OpenAPI 3.2.0, section 4.12.2). */
function checkReserved({ name, node, in: location }: Parameter, { warn }: Reporter): void {
  const isEncoded = location !== 'header' && own(node, 'style') !== 'cookie'
  if (isEncoded || location === 'querystring' || own(node, 'allowReserved') === undefined) return
  warn(`allowReserved of ${name} has no effect: its values are not percent-encoded`, node, 'allowReserved')
}

function checkEmptyValue({ name, node, in: location }: Parameter, { warn }: Reporter): void {
  const isElsewhere = ['path', 'header', 'cookie'].includes(location)
  if (isElsewhere && own(node, 'allowEmptyValue') !== undefined)
    warn(`allowEmptyValue of ${name} has no effect: it is not in the query`, node, 'allowEmptyValue')
}

/** Headers that the server handles before a handler sees them (RFC 9110, sections 8.4 and 10.1.1). */
const unreadable: ReadonlyMap<string, string> = new Map([
  ['content-encoding', 'a body with a content coding is answered 415'],
  ['expect', 'an expectation other than 100-continue is answered 417'],
  ['transfer-encoding', 'a transfer coding other than chunked is refused']
])

function checkUnreadable({ name, node, in: location }: Parameter, { warn }: Reporter): void {
  const effect = location === 'header' ? unreadable.get(name.toLowerCase()) : undefined
  if (effect !== undefined) warn(`header ${name} is declared, but ${effect}`, node, 'name')
}

/** Compares the names in the template with the path parameters: they must be the same (section 4.8.12.1). */
function checkPathParameters(
  { path, method, node }: OperationNode,
  declared: readonly Parameter[],
  document: JsonObject,
  { error, warn }: Reporter
): void {
  const names = templateNames(path)
  for (const name of names)
    if (!declared.some((parameter) => parameter.name === name))
      error(`${method} ${path} does not declare its path parameter ${name}`, node)
  for (const parameter of declared) {
    if (!names.includes(parameter.name))
      error(`path parameter ${parameter.name} is not in the path ${path}`, parameter.node, 'name')
    if (own(parameter.node, 'required') !== true)
      warn(
        `path parameter ${parameter.name} is always required: ${method} ${path}`,
        parameter.node,
        'required'
      )
  }
  if (new Set(names).size < names.length)
    error(`a path parameter stands twice in ${path}`, own(document, 'paths'), path)
}

/** Checks a parameter that is the whole query: `in: querystring` (OpenAPI 3.2.0, section 4.12.1). */
function checkWholeQuery(
  parameters: readonly Parameter[],
  operation: OperationNode,
  document: JsonObject,
  reporter: Reporter
): void {
  const [whole, ...others] = parameters.filter((parameter) => parameter.in === 'querystring')
  if (whole === undefined) return
  const beside = parameters.filter((parameter) => parameter.in === 'query')
  for (const { name, node } of [...others, ...beside])
    reporter.error(`parameter ${name} is in the query, and ${whole.name} is the whole query`, node, 'in')
  checkFields(whole, reporter)
  checkMediaType(whole, operation, document, reporter)
}

/** Fields that describe how a schema is written as text, which `content` does here. */
const ofSchemas = ['style', 'explode', 'allowReserved', 'allowEmptyValue']

function checkFields({ name, node }: Parameter, { warn }: Reporter): void {
  for (const field of ofSchemas.filter((each) => own(node, each) !== undefined))
    warn(`${field} of ${name} has no effect: its content says how the query is written`, node, field)
}

function checkMediaType(
  { name, node }: Parameter,
  operation: OperationNode,
  document: JsonObject,
  { error }: Reporter
): void {
  const [key] = schemesOf(operation.node, document)
    .flat()
    .filter((scheme) => own(scheme, 'type') === 'apiKey' && own(scheme, 'in') === 'query')
  const content = own(node, 'content')
  if (content === undefined)
    error(`parameter ${name} is the whole query: it needs a content with one media type`, node, 'in')
  for (const mediaType of Object.keys(objectOf(content))) {
    const kind = mediaType.includes('*') ? undefined : bodyKind(mediaType)
    if (kind === undefined || kind === 'multipart')
      error(`a query cannot be ${mediaType}: write a form, JSON or a text`, content, mediaType)
    else if (kind !== 'form' && key !== undefined)
      error(
        `parameter ${name} is the whole query, which has no place for the API key ${String(own(key, 'name'))}`,
        node,
        'in'
      )
  }
}
