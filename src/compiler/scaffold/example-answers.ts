/**
 * Makes the answers that the mock gives to requests without preferences: an example of the contract, otherwise an
 * instance.
 */

import { FailureError } from '@contract-first/engine/errors'
import { restoreInt64 } from '@contract-first/engine/json'
import type { Validator } from '@contract-first/engine/model'
import { type Json, type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { Int64Plans } from '../compile/operations/int64-plan.ts'
import { mediaOf } from '../instances/requests/draft.ts'
import { Schemas } from '../instances/schemas.ts'
import { type DeclaredResponse, DeclaredResponses, OperationObjects } from '../mock/declared-responses.ts'
import { type MockAnswer, OperationMock } from '../mock/operation-mock.ts'
import type { ErrorSource } from './error-shapes.ts'

export type { MockAnswer } from '../mock/operation-mock.ts'

/** @returns answers by operationId; an operation without one is left out */
export function exampleAnswers({ contract, document, code }: ErrorSource): ReadonlyMap<string, MockAnswer> {
  const objects = new OperationObjects(document)
  const source = { document, code, seed: 1, onWarning: () => undefined }
  const answers = contract.operations.flatMap((operation) => {
    const node = objects.of(operation)
    const answer = answerOf(new OperationMock(operation, node, source))
    if (answer === undefined) return []
    const declared = new DeclaredResponses(operation, node, document).of(answer.status)
    const schema = schemaIn(declared, document)
    const body = schema === undefined ? answer.body : exactExample(answer.body, schema, document)
    return [[operation.operationId, withDeclaredNames({ ...answer, body }, declared?.node ?? {})] as const]
  })
  return new Map(answers)
}

/** Returns the schema of a JSON body; other bodies hold no bigint. */
function schemaIn(declared: DeclaredResponse | undefined, document: JsonObject): Json | undefined {
  const content = declared?.content.find(({ kind }) => kind === 'json')
  if (declared === undefined || content === undefined) return undefined
  return own(mediaOf(declared.node, content.mediaType, document), 'schema')
}

/** Names the headers as the contract does, because the types of handlers have these names. */
function withDeclaredNames(answer: MockAnswer, response: JsonObject): MockAnswer {
  const names = Object.keys(objectOf(own(response, 'headers')))
  const headers = Object.entries(answer.headers).map(([name, value]) => {
    const declared = names.find((each) => each.toLowerCase() === name)
    return [declared ?? name, value] as const
  })
  return { ...answer, headers: Object.fromEntries(headers) }
}

function answerOf(mock: OperationMock): MockAnswer | undefined {
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
  if (plan === undefined) return value
  const holder = { '': structuredClone(value) }
  restoreInt64(holder, plan, { validators, serializers: {} }, undefined)
  return holder['']
}
