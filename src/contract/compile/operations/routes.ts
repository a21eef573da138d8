/**
 * Derives Fastify's routes with fastify-openapi-glue: registered on a throw-away instance, whose `onRoute` records what
 * glue makes. It is given a skeleton of the contract that says only what it reads right: paths, methods, names.
 */
import assert from 'node:assert/strict'
import Fastify from 'fastify'
import glue from 'fastify-openapi-glue'
import type { Operation } from '../../model/compiled-contract.ts'
import { templateLiterals, templateNames } from '../../model/path-template.ts'
import { define, type JsonObject } from '../document/json-value.ts'
import type { Unrouted } from './read-operation.ts'

/** Methods that glue knows; an operation of another one is registered as GET under a path of its own. */
const known = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
const foreign = (index: number) => `/${index}/foreign-method`

/** Each operation with its Fastify route, in their order. */
export async function routed(operations: readonly Unrouted[]): Promise<Operation[]> {
  const specification = skeleton(operations)
  const routes = await registeredRoutes(specification)
  assert.equal(routes.size, operations.length, 'every operation has a route')
  return operations.map((operation, index) => {
    const isKnown = known.has(operation.method)
    const url = isKnown ? String(routes.get(index)) : fastifyPath(operation.path, index)
    return { ...operation, url: withPatterns(url, operation, index) }
  })
}

/** By the position of the operation. */
type Routes = ReadonlyMap<number, string>
let last: { readonly key: string; readonly routes: Promise<Routes> } | undefined

/** The last result is kept: most edits of a contract change no path, and glue compiles a meta-schema each time. */
function registeredRoutes(specification: JsonObject): Promise<Routes> {
  const key = JSON.stringify(specification)
  if (last?.key !== key) last = { key, routes: register(specification) }
  return last.routes
}

async function register(specification: JsonObject): Promise<Routes> {
  const routes = new Map<number, string>()
  const app = Fastify({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 1 } })
  app.addHook('onRoute', ({ url, config }) => {
    routes.set(Number(Reflect.get(Object(config), 'position')), url)
  })
  await app.register(glue, {
    specification,
    // The handlers are never called: the instance does not listen.
    operationResolver: (operationId: string) => ({ config: { position: operationId }, handler: Object })
  } as never)
  await app.ready()
  await app.close()
  return routes
}

/** Operations are named by their position, parameters by theirs: whatever the contract calls them, the names are safe. */
function skeleton(operations: readonly Unrouted[]): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [index, { method, path }] of operations.entries()) {
    const isKnown = known.has(method)
    const key = isKnown ? skeletonPath(path, index) : foreign(index)
    const item = paths[key] ?? { parameters: isKnown ? pathParameters(key) : [] }
    item[isKnown ? method.toLowerCase() : 'get'] = {
      operationId: String(index),
      responses: { default: { description: '' } }
    }
    define(paths, key, item)
  }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths }
}

/** `/a/{thing-id}` becomes `/a/{p2}`, by the position of the segment; what only a pattern can say, a mark of its own. */
function skeletonPath(path: string, index: number): string {
  return path
    .split('/')
    .map((segment, position) => {
      if (isExpression(segment)) return `{p${position}}`
      return isPattern(segment) ? mark(index, position) : decodeURI(segment).replaceAll(':', '::')
    })
    .join('/')
}

const mark = (index: number, position: number): string => `pattern-${index}-${position}`

const pathParameters = (path: string): JsonObject[] =>
  templateNames(path).map((name) => ({ name, in: 'path', required: true, schema: {} }))

const isExpression = (segment: string): boolean =>
  templateNames(segment).length === 1 && templateLiterals(segment).every((text) => text === '')

/** More than one expression, text around one, or text that the router would read as something else. */
const isPattern = (segment: string): boolean => /[{}*%]/.test(decodeURI(segment))

/** Each segment that is a pattern as the router writes it. */
function withPatterns(url: string, { path }: Unrouted, index: number): string {
  return path.split('/').reduce((result, segment, position) => {
    const isMarked = isPattern(segment) && !isExpression(segment)
    return isMarked ? result.replace(mark(index, position), () => patternOf(segment, position)) : result
  }, url)
}

/** Expressions are named by their position in the segment, `p2_1`, and may be of any text up to what follows them. */
function patternOf(segment: string, position: number): string {
  const parts = templateLiterals(segment).map((text, index) => {
    const literal = index === 0 ? decodeURI(text) : decodeURIComponent(text)
    const pattern = /[*%/]/.test(literal)
      ? `:p${position}_${2 * index}(${escaped(decodeURIComponent(text))})`
      : literal.replaceAll(':', '::')
    return index === 0 ? pattern : `:p${position}_${2 * index - 1}([\\s\\S]*?)${pattern}`
  })
  return parts.join('')
}

/** A literal as a regular expression without parentheses, colons and slashes, which mean something to the router. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w\u0080-\uffff]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}

/** What glue would make of it. */
function fastifyPath(path: string, index: number): string {
  return skeletonPath(path, index).replaceAll(/\{(\w+)\}/g, ':$1')
}
