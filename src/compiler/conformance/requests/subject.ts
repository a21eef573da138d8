/** The operations of a contract as checked: the compiled operation beside its source schemas. */

import type { Contract, Operation, ParameterSpec, RequestContent } from '@contract-first/engine/model'
import type { Json } from '../../compile/document/json-value.ts'
import { type JsonObject, objectOf, own } from '../../compile/document/json-value.ts'
import { operationNodes } from '../../compile/document/operation-objects.ts'
import { type Parameter, parametersOf } from '../../compile/document/parameter-objects.ts'
import { dereference } from '../../compile/document/reference.ts'

export interface SubjectParameter {
  readonly spec: ParameterSpec
  readonly schema: Json
}

export interface SubjectBody {
  readonly content: RequestContent
  readonly schema: Json
  /** The Media Type Object. */
  readonly media: JsonObject
}

export interface Subject {
  /** Method and path: `POST /pets`. */
  readonly name: string
  readonly operation: Operation
  readonly parameters: readonly SubjectParameter[]
  /** Bodies in each media type that can be made. */
  readonly bodies: readonly SubjectBody[]
  /** The Operation Object. */
  readonly node: JsonObject
}

/** @param document the bundled document, integers exact */
export function subjectsOf({ operations }: Contract, document: JsonObject): readonly Subject[] {
  const compiled = new Map(
    operations.map((operation) => [`${operation.method} ${operation.path}`, operation])
  )
  return operationNodes(document).flatMap(({ path, method, pathItem, node }) => {
    const name = `${method} ${path}`
    const operation = compiled.get(name)
    if (operation === undefined) return []
    const written = parametersOf(document, pathItem, node)
    return {
      name,
      operation,
      parameters: operation.parameters.flatMap((spec) => withSchema(spec, written)),
      bodies: bodiesOf(operation, document, node),
      node
    }
  })
}

function withSchema(spec: ParameterSpec, written: readonly Parameter[]): SubjectParameter[] {
  const found = written.filter((parameter) => parameter.name === spec.name && parameter.in === spec.in)
  return found.map(({ schema }) => ({ spec, schema }))
}

function bodiesOf({ requestBody }: Operation, document: JsonObject, node: JsonObject): SubjectBody[] {
  const declared = objectOf(own(dereference(document, own(node, 'requestBody')) ?? {}, 'content'))
  return (requestBody?.content ?? []).map((content) => {
    const media = dereference(document, own(declared, content.mediaType)) ?? {}
    return { content, schema: own(media, 'schema') ?? true, media }
  })
}
