/**
 * The entry for the parts of a new project that a contract decides, for development time: errors, requests, examples.
 */

import type { CompiledCode } from '@contract-first/engine/model'
import type { ErrorBody } from '@contract-first/engine/server'
import { commonErrorContent, tryErrorBodies } from '@contract-first/engine/steps'
import type { InMemory } from './compiler.ts'
import { type RawRequest, rawRequest } from './instances/requests/raw-request.ts'
import { subjectsOf } from './instances/requests/subject.ts'
import { ValidDrafts } from './instances/requests/valid-drafts.ts'
import { Judge } from './instances/requests/verdict.ts'
import { Schemas } from './instances/schemas.ts'
import { type ErrorShape, errorShapes } from './scaffold/error-shapes.ts'
import { exampleAnswers, type MockAnswer } from './scaffold/example-answers.ts'

export type { ErrorShape } from './scaffold/error-shapes.ts'
export type { Expression, Table, Template } from './scaffold/error-template.ts'
export type { MockAnswer } from './scaffold/example-answers.ts'

export interface OperationRequest {
  readonly operationId: string
  /** Request without credentials; undefined if no valid one is found. */
  readonly request: RawRequest | undefined
}

export interface Scaffold {
  /** Shapes of the errors, the one with the most failures first. */
  readonly errors: readonly ErrorShape[]
  /** Valid requests, one for each operation, without credentials. */
  readonly requests: readonly OperationRequest[]
  /** Answers by operationId: an example of the contract, otherwise made from its schemas. */
  readonly answers: () => ReadonlyMap<string, MockAnswer>
  /** Tries every failure of every operation; returns a sentence for each that does not fit. */
  readonly unfit: (errorBody: ErrorBody) => readonly string[]
}

export async function scaffoldOf({ contract, document }: InMemory): Promise<Scaffold> {
  const code = await contract.load()
  const { operations } = contract
  const source = { contract, document, code }
  return {
    errors: errorShapes(source),
    requests: validRequests({ contract, document }, code),
    answers: () => exampleAnswers(source),
    unfit: (errorBody) =>
      tryErrorBodies(operations, { errorBody, common: commonErrorContent(operations), code }).unfit
  }
}

function validRequests(
  { contract, document }: Pick<InMemory, 'contract' | 'document'>,
  code: CompiledCode
): readonly OperationRequest[] {
  const schemas = new Schemas(document, 'request')
  const judge = new Judge(code)
  return subjectsOf(contract, document).map((subject) => {
    const [draft] = new ValidDrafts(subject, schemas, judge).plain(1)
    const { operationId } = subject.operation
    return { operationId, request: draft === undefined ? undefined : rawRequest(draft) }
  })
}
