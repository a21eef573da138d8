/**
 * The entry for the parts of a new project that a contract decides, for development time: errors, requests, examples.
 */

import type { ErrorBody } from '@contract-first/engine/server'
import { commonErrorContent, tryErrorBodies } from '@contract-first/engine/steps'
import type { InMemory } from '../../compiler/compile/in-memory.ts'
import { firstDrafts } from '../samples/requests/valid-drafts.ts'
import { type ErrorSample, errorSamples } from './error-samples.ts'
import { exampleResponses, type MockResponse } from './example-responses.ts'

export { bodyOf, type ErrorSample, Expression, expressionsIn } from './error-samples.ts'
export type { MockResponse } from './example-responses.ts'

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
