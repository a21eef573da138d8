/**
 * Gives each operation its Fastify route, and compares the routes with those of fastify-openapi-glue: glue is
 * registered on a temporary instance, whose `onRoute` hook records the routes that it makes. It reads a skeleton of the
 * contract with the parts that it reads correctly: methods, literals and single expressions.
 */
import assert from 'node:assert/strict'
import type { Operation } from '@contract-first/engine/internal/model/compiled-contract'
import { templateNames } from '@contract-first/engine/internal/model/path-template'
import Fastify from 'fastify'
import glue from 'fastify-openapi-glue'
import { define, type JsonObject } from '../document/json-value.ts'
import { fastifyPath, isExpression, isPattern, literalOf } from './fastify-path.ts'
import type { Unrouted } from './read-operation.ts'

/** Methods that glue supports. Any other is registered as GET under a path of its own. */
const known = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])

/** @returns each operation with its Fastify route, in their order */
export async function routed(operations: readonly Unrouted[]): Promise<Operation[]> {
  await checkWithGlue(operations.map(skeletonRoute))
  return operations.map((operation) => ({ ...operation, url: fastifyPath(operation.path) }))
}

interface SkeletonRoute {
  readonly method: string
  readonly path: string
}

/** Writes segments that glue does not read correctly as literals with the position of the operation. */
function skeletonRoute({ method, path }: Unrouted, index: number): SkeletonRoute {
  if (!known.has(method)) return { method: 'get', path: `/${index}/foreign-method` }
  const segments = path.split('/').map((segment, position) => {
    if (isExpression(segment)) return `{p${position}}`
    return isPattern(segment) ? `pattern-${index}-${position}` : literalOf(segment)
  })
  return { method: method.toLowerCase(), path: segments.join('/') }
}

/**
 * The last check that passed. Most edits of a contract change no path, and glue compiles a meta-schema for each check.
 */
let checked = ''

/** @throws {AssertionError} when glue makes a different route for an operation, or none */
async function checkWithGlue(routes: readonly SkeletonRoute[]): Promise<void> {
  const text = JSON.stringify(routes)
  if (text === checked) return
  const made = await routesOfGlue(skeleton(routes))
  const wanted = routes.map(({ path }, index) => [String(index), path.replaceAll(/\{(\w+)\}/g, ':$1')])
  assert.deepEqual(Object.fromEntries(made), Object.fromEntries(wanted), 'glue makes other routes')
  checked = text
}

/** Names operations by their position, and parameters by that of their segment, so that every name is valid. */
function skeleton(routes: readonly SkeletonRoute[]): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [index, { method, path }] of routes.entries()) {
    const item = paths[path] ?? { parameters: pathParameters(path) }
    item[method] = { operationId: String(index), responses: { default: { description: '' } } }
    define(paths, path, item)
  }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths }
}

const pathParameters = (path: string): JsonObject[] =>
  templateNames(path).map((name) => ({ name, in: 'path', required: true, schema: {} }))

/** @returns the routes by the position of their operation */
async function routesOfGlue(specification: JsonObject): Promise<Map<string, string>> {
  const routes = new Map<string, string>()
  const app = Fastify({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 1 } })
  app.addHook('onRoute', ({ url, config }) => {
    routes.set(String(Reflect.get(Object(config), 'position')), url)
  })
  await app.register(glue, {
    specification,
    // The handlers are never called because the instance does not listen.
    operationResolver: (operationId: string) => ({ config: { position: operationId }, handler: Object })
  } as never)
  await app.ready()
  await app.close()
  return routes
}
