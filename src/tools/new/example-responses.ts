/**
 * Makes the responses of the mock to requests without preferences: an example of the contract, otherwise an
 * instance.
 */

import type { Response, Schema } from '@contract-first/contract'
import { FailureError } from '@contract-first/engine/errors'
import { asRead, restoreInt64 } from '@contract-first/engine/json'
import type { Validator } from '@contract-first/engine/model'
import { Int64Plans } from '../../compiler/compile/operations/int64-plan.ts'
import { itemList } from '../../compiler/compile/operations/sequence.ts'
import { shownParts } from '../../compiler/compile/shapes/hidden.ts'
import { contentOf, type DeclaredResponse, DeclaredResponses } from '../mock/declared-responses.ts'
import { type MockResponse, OperationMock } from '../mock/operation-mock.ts'
import { subjectsOf } from '../samples/requests/draft.ts'
import { Schemas } from '../samples/schemas.ts'
import type { ErrorSource } from './error-samples.ts'

export type { MockResponse } from '../mock/operation-mock.ts'

/** @returns responses by operationId; an operation without one is left out */
export function exampleResponses({ contract, model, code }: ErrorSource): ReadonlyMap<string, MockResponse> {
  const shown = shownParts()
  const source = { code, shown, seed: 1, onWarning: () => undefined }
  const responses = subjectsOf(contract, model).flatMap((subject) => {
    const { operation } = subject
    const response = responseOf(new OperationMock(subject, source))
    if (response === undefined) return []
    const declared = new DeclaredResponses(operation, subject.declared).of(response.status)
    const schema = declared && bodySchema(declared)
    const body = schema === undefined ? response.body : exactExample(response.body, schema)
    return [[operation.operationId, withDeclaredNames({ ...response, body }, declared?.declared)] as const]
  })
  return new Map(responses)
}

/** Returns the schema of a JSON body, or of the list of items of a stream; other bodies hold no bigint. */
function bodySchema(response: DeclaredResponse): Schema | undefined {
  const content = response.content.find(({ kind, items }) => kind === 'json' || items !== undefined)
  const declared = content && contentOf(response, content)
  return declared && (itemList(declared) ?? declared.schema)
}

/** Names the headers as the contract does, because the types of handlers have these names. */
function withDeclaredNames(response: MockResponse, declared: Response | undefined): MockResponse {
  const names = [...(declared?.headers.keys() ?? [])]
  const headers = Object.entries(response.headers).map(([name, value]) => {
    const own = names.find((each) => each.toLowerCase() === name)
    return [own ?? name, value] as const
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
function exactExample(value: unknown, schema: Schema): unknown {
  const schemas = new Schemas('response')
  const validators: Record<string, Validator> = {}
  const addValidator = (branch: Schema) => {
    const name = `branch${Object.keys(validators).length}`
    validators[name] = (instance) => schemas.holds([branch], instance)
    return name
  }
  const plan = new Int64Plans().add(schema, addValidator)
  return plan === undefined ? value : restoreInt64(asRead(structuredClone(value)), plan, { validators })
}
