/**
 * Makes the responses of the mock to requests without preferences: an example of the contract, otherwise an
 * instance.
 */

import { FailureError } from '@contract-first/engine/errors'
import { asRead, restoreInt64 } from '@contract-first/engine/json'
import type { Validator } from '@contract-first/engine/model'
import { type Json, type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { Int64Plans } from '../compile/operations/int64-plan.ts'
import { itemList } from '../compile/operations/sequence.ts'
import { shownParts } from '../compile/shapes/hidden.ts'
import { mediaOf, subjectsOf } from '../instances/requests/draft.ts'
import { Schemas } from '../instances/schemas.ts'
import { type DeclaredResponse, DeclaredResponses } from '../mock/declared-responses.ts'
import { type MockResponse, OperationMock } from '../mock/operation-mock.ts'
import type { ErrorSource } from './error-shapes.ts'

export type { MockResponse } from '../mock/operation-mock.ts'

/** @returns responses by operationId; an operation without one is left out */
export function exampleResponses({
  contract,
  document,
  code
}: ErrorSource): ReadonlyMap<string, MockResponse> {
  const shown = shownParts(document)
  const source = { document, code, shown, seed: 1, onWarning: () => undefined }
  const responses = subjectsOf(contract, document).flatMap((subject) => {
    const { operation, node } = subject
    const response = responseOf(new OperationMock(subject, source))
    if (response === undefined) return []
    const declared = new DeclaredResponses(operation, node, document).of(response.status)
    const schema = schemaIn(declared, document)
    const body = schema === undefined ? response.body : exactExample(response.body, schema, document)
    return [[operation.operationId, withDeclaredNames({ ...response, body }, declared?.node ?? {})] as const]
  })
  return new Map(responses)
}

/** Returns the schema of a JSON body, or of the list of items of a stream; other bodies hold no bigint. */
function schemaIn(declared: DeclaredResponse | undefined, document: JsonObject): Json | undefined {
  const content = declared?.content.find(({ kind, items }) => kind === 'json' || items !== undefined)
  if (declared === undefined || content === undefined) return undefined
  const media = mediaOf(declared.node, content.mediaType, document)
  return itemList(content.mediaType, media, document) ?? own(media, 'schema')
}

/** Names the headers as the contract does, because the types of handlers have these names. */
function withDeclaredNames(response: MockResponse, node: JsonObject): MockResponse {
  const names = Object.keys(objectOf(own(node, 'headers')))
  const headers = Object.entries(response.headers).map(([name, value]) => {
    const declared = names.find((each) => each.toLowerCase() === name)
    return [declared ?? name, value] as const
  })
  return { ...response, headers: Object.fromEntries(headers) }
}

function responseOf(mock: OperationMock): MockResponse | undefined {
  try {
    return mock.answer(new Map(), undefined)
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}

/** @returns a copy of the value of a response, with a bigint at each place that the schema declares as int64 */
function exactExample(value: unknown, schema: Json, document: JsonObject): unknown {
  const schemas = new Schemas(document, 'response')
  const validators: Record<string, Validator> = {}
  const addValidator = (branch: Json) => {
    const name = `branch${Object.keys(validators).length}`
    validators[name] = (instance) => schemas.holds([branch], instance)
    return name
  }
  const plan = new Int64Plans(document).add(schema, addValidator)
  return plan === undefined ? value : restoreInt64(asRead(structuredClone(value)), plan, { validators })
}
