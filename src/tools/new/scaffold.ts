/**
 * The entry for the parts of a new project that a contract decides, for development time: errors, requests, examples.
 */
import type { Response } from '@contract-first/contract'
import { FailureError } from '@contract-first/engine/errors'
import { asRead, restoreInt64 } from '@contract-first/engine/json'
import type { CompiledCode, ResponseContent } from '@contract-first/engine/model'
import type { ErrorBody } from '@contract-first/engine/server'
import { commonErrorContent, tryErrorBodies } from '@contract-first/engine/steps'
import type { InMemory } from '../../compiler/compile/in-memory.ts'
import { shownParts } from '../../compiler/compile/shapes/serializers.ts'
import { responseOf } from '../mock/declared-responses.ts'
import { type MockResponse, OperationMock } from '../mock/operation-mock.ts'
import { subjectsOf } from '../samples/requests/draft.ts'
import { firstDrafts } from '../samples/requests/valid-drafts.ts'
import { type ErrorSample, type ErrorSource, errorSamples } from './error-samples.ts'

export type { MockResponse } from '../mock/operation-mock.ts'
export { bodyOf, type ErrorSample, Expression, expressionsIn } from './error-samples.ts'

export interface Scaffold {
  /** Bodies of the errors, the one with the most failures first. */
  readonly errors: readonly ErrorSample[]
  /** The operations for which no valid request is found. */
  readonly withoutRequest: readonly string[]
  /** Answers by operationId: an example of the contract, otherwise made from its schemas. */
  readonly answers: () => ReadonlyMap<string, MockResponse>
  /** Tries every failure of every operation; returns a sentence for each that does not fit. */
  readonly unfit: (errorBody: ErrorBody) => readonly string[]
}

export async function scaffoldOf({ contract, model }: InMemory): Promise<Scaffold> {
  const code = await contract.load()
  const { operations } = contract
  const source = { contract, model, code }
  return {
    errors: errorSamples(source),
    withoutRequest: [...firstDrafts({ contract, model }, code)].flatMap(([{ operation }, draft]) =>
      draft === undefined ? [operation.operationId] : []
    ),
    answers: () => exampleResponses(source),
    unfit: (errorBody) =>
      tryErrorBodies(operations, { errorBody, common: commonErrorContent(operations), code }).unfit
  }
}

/**
 * Makes the responses of the mock to requests without preferences: an example of the contract, otherwise an instance.
 * @returns responses by operationId; an operation without one is left out
 */
function exampleResponses({ contract, model, code }: ErrorSource): ReadonlyMap<string, MockResponse> {
  const source = { code, shown: shownParts(), seed: 1, onWarning: () => undefined }
  const responses = subjectsOf(contract, model).flatMap((subject) => {
    const response = answerOf(new OperationMock(subject, source))
    if (response === undefined) return []
    const declared = responseOf(subject, response.status)
    const body = exactBody(response.body, declared?.content ?? [], code)
    const named = withDeclaredNames({ ...response, body }, declared?.declared)
    return [[subject.operation.operationId, named] as const]
  })
  return new Map(responses)
}

function answerOf(mock: OperationMock): MockResponse | undefined {
  try {
    return mock.answer(new Map(), undefined)
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}

/** Returns a copy of a body of JSON, or of items, with a bigint at each place that the contract declares as int64. */
function exactBody(
  body: unknown,
  contents: readonly ResponseContent[],
  { validators }: CompiledCode
): unknown {
  const content = contents.find(({ kind, items }) => kind === 'json' || items !== undefined)
  const exact = (value: unknown, plan: ResponseContent['int64']) =>
    restoreInt64(asRead(structuredClone(value)), plan, { validators })
  const [form] = content?.items?.forms ?? []
  if (form !== undefined && Array.isArray(body)) return body.map((item) => exact(item, form.int64))
  return content?.int64 === undefined ? body : exact(body, content.int64)
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
