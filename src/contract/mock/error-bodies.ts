/** The bodies of failures: made from the schema that the contract declares for the status, with the sentence of the failure. */

import { type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { resolved } from '../compile/document/reference.ts'
import { plainInstance } from '../instances/plain-instance.ts'
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type ResponseContent
} from '../model/compiled-contract.ts'
import type { Failure } from '../server/errors/failure.ts'
import { DeclaredResponses, type OperationObjects } from './declared-responses.ts'

export interface ErrorSource {
  readonly operations: readonly Operation[]
  readonly objects: OperationObjects
  readonly document: JsonObject
  readonly code: CompiledCode
  readonly seed: number
}

type ErrorOf = (failure: Failure & { readonly operationId: string | undefined }) => unknown

export function errorBodies(source: ErrorSource): ErrorOf {
  const byId = new Map(source.operations.map((operation) => [operation.operationId, operation]))
  const templates = new Map<string, unknown>()
  const common = new Map<number, Operation | undefined>()
  return (failure) => {
    const { status, operationId } = failure
    if (!common.has(status)) common.set(status, declaring(source.operations, status))
    const operation = operationId === undefined ? common.get(status) : byId.get(operationId)
    const content = operation === undefined ? undefined : errorContent(operation, status)
    if (operation === undefined || content === undefined) return plainBody(failure)
    if (content.kind !== 'json') return failure.message
    const key = String(content.validate)
    if (!templates.has(key)) templates.set(key, template(operation, content, status, source))
    return worded(templates.get(key), failure, accepting(content, source.code)) ?? plainBody(failure)
  }
}

const plainBody = ({ status, code, message }: Failure) => ({ status, code, message })

const accepting =
  ({ validate }: ResponseContent, { validators }: CompiledCode) =>
  (value: unknown) =>
    validators[String(validate)]?.call(undefined, value) !== false

/** The first operation that declares the status; otherwise one whose other responses include it. */
function declaring(operations: readonly Operation[], status: number): Operation | undefined {
  const isExact = ({ responses }: Operation) => Object.hasOwn(responses, status)
  return operations.find(isExact) ?? operations.find((each) => declaredResponse(each, status) !== undefined)
}

/** JSON before any other content, as the engine writes errors. */
function errorContent(operation: Operation, status: number): ResponseContent | undefined {
  const content = declaredResponse(operation, status)?.content ?? []
  return content.find(({ kind }) => kind === 'json') ?? content[0]
}

function template(
  operation: Operation,
  content: ResponseContent,
  status: number,
  { objects, document, code, seed }: ErrorSource
): unknown {
  const declared = new DeclaredResponses(operation, objects.of(operation), document).of(status)
  const media = resolved(document, own(objectOf(own(declared?.node ?? {}, 'content')), content.mediaType))
  const schema = own(media, 'schema') ?? true
  const accepts = accepting(content, code)
  const options = { document, direction: 'response', accepts, seed, depth: 2 } as const
  return plainInstance(schema, options)
}

const sentences = [
  'message',
  'detail',
  'error_description',
  'description',
  'title',
  'reason',
  'error',
  'text'
]
const statuses = ['status', 'statusCode', 'code', 'httpStatus']

/** @returns the body with the sentence and the status of the failure where its schema has room for them */
function worded(body: unknown, failure: Failure, accepts: (value: unknown) => boolean): unknown {
  if (body === undefined) return undefined
  if (typeof body === 'string') return accepts(failure.message) ? failure.message : body
  const message = replaced(body, sentences, 'string', failure.message)
  const both = replaced(message, statuses, 'number', failure.status)
  return [both, message, body].find(accepts)
}

/** Replaces the first of the members, at the top or inside of objects and lists. */
function replaced(body: unknown, names: readonly string[], type: string, value: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body))
    return body.map((item, index) => (index === 0 ? replaced(item, names, type, value) : item))
  const name = names.find((each) => typeof Reflect.get(body, each) === type)
  if (name !== undefined) return { ...body, [name]: value }
  return Object.fromEntries(
    Object.entries(body).map(([key, item]) => [key, replaced(item, names, type, value)])
  )
}
