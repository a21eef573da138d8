/** The declared properties of each JSON request body, for the codec of its operation. */
import { bodyKind } from '@contract-first/engine/media-types'
import type { RequestBodies, RequestShape } from '@contract-first/engine/model'
import { define, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { dereference } from '../document/reference.ts'
import { Shapes } from '../shapes/shape.ts'
import { schemaDigest } from './schema-digest.ts'
import { ShapeGraph } from './shape-graph.ts'
import { shapeTable } from './shape-table.ts'

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
