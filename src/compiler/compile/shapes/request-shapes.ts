/** The declared properties of each JSON request body, for the codec of its operation. */

import { createHash } from 'node:crypto'
import { bodyKind } from '@contract-first/engine/media-types'
import type { RequestBodies, RequestShape } from '@contract-first/engine/model'
import {
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringify
} from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { atPointer, dereference, pointerOf } from '../document/reference.ts'
import { namedMembers } from '../document/walk.ts'
import { Shapes } from './shape.ts'
import { ShapeGraph, shapeTable } from './shape-graph.ts'

interface JsonBody {
  readonly operationId: string
  readonly mediaType: string
  readonly schema: Json
}

export function requestShapes(document: JsonObject, operations: readonly OperationNode[]): RequestBodies {
  const graph = new ShapeGraph(new Shapes(document, 'readOnly'))
  const added = operations
    .flatMap(({ node }) => jsonBodies(document, node))
    .map((body) => ({ ...body, number: graph.add([body.schema]) }))
  const { shapes, position } = shapeTable(
    graph,
    added.map(({ number }) => number)
  )
  const bodies: Record<string, Record<string, RequestShape>> = {}
  const digests = new Map<Json, string>()
  for (const { operationId, mediaType, schema, number } of added) {
    const digest = digests.get(schema) ?? schemaDigest(document, schema)
    digests.set(schema, digest)
    if (!Object.hasOwn(bodies, operationId)) define(bodies, operationId, {})
    define(bodies[operationId] ?? {}, mediaType, { shape: position(number), digest })
  }
  return { shapes, bodies }
}

function jsonBodies(document: JsonObject, operation: JsonObject): JsonBody[] {
  const operationId = String(own(operation, 'operationId'))
  const body = dereference(document, own(operation, 'requestBody')) ?? {}
  return Object.entries(objectOf(own(body, 'content')))
    .filter(([mediaType]) => bodyKind(mediaType) === 'json')
    .map(([mediaType, media]) => {
      const schema = own(dereference(document, media) ?? {}, 'schema') ?? true
      return { operationId, mediaType, schema }
    })
}

/**
 * Keywords that do not affect which values are valid (JSON Schema 2020-12, section 9; OpenAPI 3.1.0, section 4.8.24).
 */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'examples', 'default', 'deprecated', 'externalDocs', 'xml'],
  ...['$comment', '$defs', 'definitions']
])

/** A text, or a function that returns the parts at its place. */
type Part = string | (() => Part[])

/**
 * Digests what a schema accepts and declares. Names of components, annotations and the order of keys do not change the
 * digest.
 * @returns SHA-256, hexadecimal
 */
export function schemaDigest(document: JsonObject, schema: Json): string {
  const numbers = new Map<Json, number>()
  const hash = createHash('sha256')
  // The loop avoids recursion, because a chain of references has any length.
  const pending: Part[] = [() => plain(schema)]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') hash.update(next)
    else pending.push(...next().toReversed())
  }
  return hash.digest('hex')

  function plain(node: Json): Part[] {
    if (Array.isArray(node)) return ['[', ...separated(node.map((item) => () => plain(item))), ']']
    if (!isObject(node)) return [stringify(node)]
    const members = Object.entries(node)
      .filter(([key]) => !annotations.has(key) && !key.startsWith('x-'))
      .map(
        ([key, value]) => [key, () => (key === '$ref' ? target(node, value) : member(key, value))] as const
      )
    return object(members)
  }

  function member(key: string, value: Json): Part[] {
    if (key === 'const' || key === 'enum') return [stringify(value)]
    if (key === 'required' && Array.isArray(value)) return [stringify(value.toSorted())]
    if (!namedMembers.has(key) || !isObject(value)) return plain(value)
    return object(Object.entries(value).map(([name, schema]) => [name, () => plain(schema)] as const))
  }

  /** Writes the target at its first reference, and its number at later ones. */
  function target(node: JsonObject, reference: Json): Part[] {
    const pointer = pointerOf(node)
    if (pointer === undefined) return [stringify(reference)]
    const referred = atPointer(document, pointer) ?? null
    const known = numbers.get(referred)
    if (known !== undefined) return [String(known)]
    numbers.set(referred, numbers.size)
    return plain(referred)
  }
}

/** Writes the members of an object in the order of their names. */
function object(members: readonly (readonly [string, () => Part[]])[]): Part[] {
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [
    '{',
    ...separated(
      sorted.map(([name, value]) => () => [`${JSON.stringify(name)}:`, value])
    ),
    '}'
  ]
}

const separated = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [',', part]))
