/**
 * The operations of a contract as checked, each beside its source schemas, and their requests before they become bytes:
 * the values of parameters and body.
 */
import type { Schema } from '@contract-first/contract'
import type { Contract, Operation, ParameterSpec, RequestContent } from '@contract-first/engine/model'
import { type JsonObject, objectOf, own } from '../../compile/document/json-value.ts'
import { type OperationNode, operationNodes } from '../../compile/document/operation-objects.ts'
import { type Parameter, parametersOf } from '../../compile/document/parameter-objects.ts'
import { resolved } from '../../compile/document/reference.ts'
import { schemaIn } from '../../compile/model/contract-model.ts'
import { itemList } from '../../compile/operations/sequence.ts'

export interface SubjectParameter {
  readonly spec: ParameterSpec
  readonly schema: Schema
  /** The Parameter Object. */
  readonly node: JsonObject
}

export interface SubjectBody {
  readonly content: RequestContent
  readonly schema: Schema
  /** The Media Type Object. */
  readonly node: JsonObject
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
export function subjectsOf(
  { operations }: Pick<Contract, 'operations'>,
  document: JsonObject
): readonly Subject[] {
  const nodes = new Map(operationNodes(document).map((each) => [`${each.method} ${each.path}`, each]))
  return operations.map((operation) => {
    const name = `${operation.method} ${operation.path}`
    const { node, pathItem } = nodes.get(name) as OperationNode
    const written = parametersOf(document, pathItem, node)
    return {
      name,
      operation,
      parameters: operation.parameters.flatMap((spec) => withSchema(spec, written, document)),
      bodies: bodiesOf(operation, document, node),
      node
    }
  })
}

function withSchema(
  spec: ParameterSpec,
  written: readonly Parameter[],
  document: JsonObject
): SubjectParameter[] {
  const found = written.filter((parameter) => parameter.name === spec.name && parameter.in === spec.in)
  return found.map(({ schema, node }) => ({ spec, schema: schemaIn(document, schema), node }))
}

function bodiesOf({ requestBody }: Operation, document: JsonObject, node: JsonObject): SubjectBody[] {
  const written = resolved(document, own(node, 'requestBody'))
  return (requestBody?.content ?? []).map((content) => {
    const media = mediaOf(written, content.mediaType, document)
    const list = itemList(content.mediaType, media, document)
    // Three items have a first and a middle one.
    const schema = list === undefined ? (own(media, 'schema') ?? true) : { ...list, minItems: 3 }
    return { content, schema: schemaIn(document, schema), node: media }
  })
}

/** Returns the Media Type Object of a Request Body or Response Object; an empty object without one. */
export const mediaOf = (holder: JsonObject, mediaType: string, document: JsonObject): JsonObject =>
  resolved(document, own(objectOf(own(holder, 'content')), mediaType))

/** The kind of id that a request creates; each request gets one of its own (fresh-ids.ts). */
export type IdKind = 'plain' | 'highest' | 'lowest' | 'beyond' | 'wrong'

export interface DraftBody {
  readonly of: SubjectBody
  readonly value: unknown
}

/** A body as sent. */
export interface Message {
  readonly contentType: string | undefined
  readonly bytes: Buffer | undefined
}

export interface Draft {
  readonly subject: Subject
  /** Values in the order of the parameters; undefined for one that is left out. */
  readonly values: readonly unknown[]
  readonly body?: DraftBody | undefined
  /** Changes the message before it is sent: malformed, of another media type, or missing. */
  readonly spoil?: ((message: Message) => Message) | undefined
  /** Kind of id to create; ids stay as they are when absent. */
  readonly id?: IdKind | undefined
  /** Parts that no parameter describes, such as a parameter for the second time. */
  readonly more?: MoreParts | undefined
}

export interface MoreParts {
  /** Pairs after those of the query: `limit=5`. */
  readonly query?: string
  /** Headers by lower-case name; a cookie follows the others. */
  readonly headers?: Readonly<Record<string, string>>
}
