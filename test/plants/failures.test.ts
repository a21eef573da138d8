import t from 'tap'
import contract from '../../generated/contract.ts'
import { openApiJson } from '../../src/engine/json/openapi-json.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { type FailureCode, failureStatus } from '../../src/engine/server/errors/failure.ts'
import { engineErrors, errorBody, serviceErrors } from '../../src/plants/failures.ts'

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
}

const document = JSON.parse(openApiJson(await contract.yaml())) as Document
/** Statuses of all operations. */
const declared = new Set(
  (contract as Contract).operations.flatMap(({ responses }) => Object.keys(responses).map(Number))
)

/**
 * Codes of the engine that no request to this contract can cause: nothing is forbidden, there is one media type, there
 * are no entity tags, and every operation is implemented.
 */
const unreachable: readonly FailureCode[] = [
  'forbidden',
  'not-acceptable',
  'precondition-failed',
  'not-implemented'
]
const reachable = Object.entries(engineErrors).filter(([code]) => !unreachable.includes(code as FailureCode))
const catalogue = new Set([...reachable.map(([, error]) => error), ...Object.values(serviceErrors)])

t.test('every error is its status times ten plus a digit', async (t) => {
  for (const [code, error] of Object.entries(engineErrors)) {
    t.equal(Math.floor(error / 10), failureStatus[code as FailureCode], code)
  }
})

t.test('the contract declares the status of every failure, and no other', async (t) => {
  const statuses = new Set([...catalogue].map((error) => Math.floor(error / 10)))
  t.same([...statuses].sort(), [...declared].filter((status) => status >= 400).sort())
})

t.test('the table of errors in the contract lists every error, and no other', async (t) => {
  const { description = '' } = document.tags.find(({ name }) => name === 'errors') ?? {}
  const listed = [...description.matchAll(/^\| (\d{4}) \|/gm)].map(([, error]) => Number(error))
  t.same(listed, [...catalogue].sort())
})

t.test('an error body has only the number and the sentence', async (t) => {
  const failure = {
    code: 'mismatch',
    status: 400,
    message: 'body/name is required',
    problems: [],
    headers: {}
  } as const
  t.strictSame(errorBody(failure), { error: 4001, message: 'body/name is required' })
})
