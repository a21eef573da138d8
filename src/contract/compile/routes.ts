/**
 * Derives Fastify's routes with fastify-openapi-glue: registered on a throw-away instance, whose `onRoute` records what
 * glue makes. It is given a skeleton of the contract that says only what it reads right: paths, methods, names.
 */
import Fastify from 'fastify'
import glue from 'fastify-openapi-glue'
import { templateNames } from './checks.ts'
import { define, type JsonObject } from './json.ts'
import type { Unrouted } from './operations.ts'

/** Methods that glue knows; an operation of another one is registered as GET under a path of its own. */
const known = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'])
const foreign = (index: number) => `/${index}/foreign-method`

/** @returns the Fastify route of each operation, in their order @throws when glue makes another number of routes */
export async function routesOf(operations: readonly Unrouted[]): Promise<string[]> {
  const specification = skeleton(operations)
  const routes = await registeredRoutes(specification)
  if (routes.size !== operations.length) {
    throw new Error(`${operations.length} operations, but ${routes.size} routes`)
  }
  return operations.map((operation, index) =>
    known.has(operation.method) ? (routes.get(String(index)) ?? '') : fastifyPath(operation.path)
  )
}

type Routes = ReadonlyMap<string, string>
let last: { readonly key: string; readonly routes: Promise<Routes> } | undefined

/** The last result is kept: most edits of a contract change no path, and glue compiles a meta-schema each time. */
function registeredRoutes(specification: JsonObject): Promise<Routes> {
  const key = JSON.stringify(specification)
  if (last?.key !== key) last = { key, routes: register(specification) }
  return last.routes
}

async function register(specification: JsonObject): Promise<Routes> {
  const routes = new Map<string, string>()
  const app = Fastify({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 1 } })
  app.addHook('onRoute', ({ url, config }) => {
    const operation = config === undefined ? undefined : Reflect.get(config, 'position')
    if (operation !== undefined) routes.set(String(operation), url)
  })
  await app.register(glue, {
    specification,
    operationResolver: (operationId: string) => ({
      config: { position: operationId },
      handler: async () => undefined
    })
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
    const key = isKnown ? skeletonPath(path) : foreign(index)
    const item = paths[key] ?? { parameters: isKnown ? pathParameters(path) : [] }
    item[isKnown ? method.toLowerCase() : 'get'] = {
      operationId: String(index),
      responses: { default: { description: '' } }
    }
    define(paths, key, item)
  }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths }
}

/** `{plant-id}` becomes `{p0}`; a literal colon is doubled, as Fastify wants it. */
function skeletonPath(path: string): string {
  const names = templateNames(path)
  let position = 0
  const literal = path.replaceAll(':', '::')
  return names.length === 0 ? literal : literal.replaceAll(/\{[^{}]*\}/g, () => `{p${position++}}`)
}

const pathParameters = (path: string): JsonObject[] =>
  templateNames(path).map((_name, position) => ({
    name: `p${position}`,
    in: 'path',
    required: true,
    schema: {}
  }))

/** What glue would make of it. */
function fastifyPath(path: string): string {
  return skeletonPath(path).replaceAll(/\{(\w+)\}/g, ':$1')
}
