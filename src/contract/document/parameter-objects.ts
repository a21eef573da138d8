/** Parameter Objects of an operation: the path item's merged with its own (OpenAPI 3.1.0, section 4.8.12). */
import type { ParameterSpec } from '@contract-first/engine/model'
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import { dereference } from './reference.ts'

/** A parameter as written, its references followed. */
export interface Parameter {
  readonly node: JsonObject
  readonly name: string
  readonly in: ParameterSpec['in']
  readonly required: boolean
  readonly schema: Json
}

/** Styles for each location (OpenAPI 3.1.0, section 4.8.12.2), the default one first. */
export const stylesIn: Readonly<Record<ParameterSpec['in'], readonly [string, ...string[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie']
}

/** Header parameters with these names are ignored (section 4.8.12.2): other parts of the contract describe them. */
const ignoredHeaders = ['accept', 'content-type', 'authorization']

/** Returns the parameters, the operation's first; for the same name and location the operation's wins. */
export function parametersOf(document: JsonObject, pathItem: JsonObject, operation: JsonObject): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const node of parameterNodes(document, pathItem, operation)) {
    const parameter = parameterIn(document, node)
    if (parameter === undefined) continue
    const { in: location, name } = parameter
    const key = `${location} ${location === 'header' ? name.toLowerCase() : name}`
    if (!found.has(key)) found.set(key, parameter)
  }
  return [...found.values()]
}

/** Returns every listed Parameter Object, references followed. */
export function parameterNodes(
  document: JsonObject,
  pathItem: JsonObject,
  operation: JsonObject
): JsonObject[] {
  const listed = [operation, pathItem].flatMap((owner) => arrayOf(own(owner, 'parameters')))
  return listed.map((item) => objectOf(dereference(document, item)))
}

/** Returns the parameter of a node; undefined for a location that there is not, and for an ignored header. */
export function parameterIn(document: JsonObject, node: JsonObject): Parameter | undefined {
  const [name, location] = [String(own(node, 'name')), String(own(node, 'in'))]
  if (!Object.hasOwn(stylesIn, location)) return undefined
  if (location === 'header' && ignoredHeaders.includes(name.toLowerCase())) return undefined
  const required = location === 'path' || own(node, 'required') === true
  return { node, name, in: location as ParameterSpec['in'], required, schema: schemaOf(document, node) }
}

function schemaOf(document: JsonObject, node: JsonObject): Json {
  const [content] = Object.values(objectOf(own(node, 'content')))
  return own(node, 'schema') ?? own(objectOf(dereference(document, content)), 'schema') ?? true
}
