/** Makes one valid request for each operation from the examples and schemas of the contract. */

import type { CompiledCode, Contract } from '@contract-first/engine/model'
import type { JsonObject } from '../compile/document/json-value.ts'
import { type RawRequest, rawRequest } from '../instances/requests/raw-request.ts'
import { subjectsOf } from '../instances/requests/subject.ts'
import { ValidDrafts } from '../instances/requests/valid-drafts.ts'
import { Judge } from '../instances/requests/verdict.ts'
import { Schemas } from '../instances/schemas.ts'

export interface OperationRequest {
  readonly operationId: string
  /** Request without credentials; undefined if no valid one is found. */
  readonly request: RawRequest | undefined
}

/** @param document the bundled document, integers exact */
export function validRequests(
  contract: Contract,
  document: JsonObject,
  code: CompiledCode
): readonly OperationRequest[] {
  const schemas = new Schemas(document, 'request')
  const judge = new Judge(code)
  return subjectsOf(contract, document).map((subject) => {
    const [draft] = new ValidDrafts(subject, schemas, judge).plain(1)
    return {
      operationId: subject.operation.operationId,
      request: draft === undefined ? undefined : rawRequest(draft)
    }
  })
}
