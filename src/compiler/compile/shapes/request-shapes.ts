/** The declared properties of each JSON request body, for the codec of its operation. */
import { anyValue, define, type Operation, validityDigest } from '@contract-first/contract'
import type { RequestBodies, RequestShape } from '@contract-first/engine/model'
import { ShapeGraph, shapeTable } from './shape-graph.ts'

export function requestShapes(operations: readonly Operation[]): RequestBodies {
  const graph = new ShapeGraph('client')
  const added = operations.flatMap(({ id, body }) =>
    (body?.contents ?? [])
      .filter(({ kind }) => kind === 'json')
      .map(({ mediaType, schema = anyValue }) => ({ id, mediaType, schema, number: graph.add([schema]) }))
  )
  const { shapes, position } = shapeTable(
    graph,
    added.map(({ number }) => number)
  )
  const bodies: Record<string, Record<string, RequestShape>> = {}
  for (const { id, mediaType, schema, number } of added) {
    if (!Object.hasOwn(bodies, id)) define(bodies, id, {})
    define(bodies[id] ?? {}, mediaType, { shape: position(number), digest: validityDigest(schema) })
  }
  return { shapes, bodies }
}
