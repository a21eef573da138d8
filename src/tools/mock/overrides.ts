/** Answers that a file gives in place of those of the mock (`--override`): by operation, one or several in turn. */
import { ContractError, isObject, type Json, type JsonObject, own, resembles } from '@contract-first/contract'
import { SourceFile } from '@contract-first/contract/load'
import type { CompiledCode, Operation, ResponseContent } from '@contract-first/engine/model'
import { accepting, sendableResponse, usualStatus } from './declared-responses.ts'
import type { MockResponse } from './operation-mock.ts'

/** Answers of operations, by operationId. */
export type Overrides = ReadonlyMap<string, readonly MockResponse[]>

interface Against {
  readonly operations: readonly Operation[]
  readonly code: CompiledCode
}

/**
 * Reads `{ operationId: { status, headers, body } }`, or a list of such answers for an operation.
 * @param file absolute path, for the problems
 * @throws {ContractError} with every answer that the contract does not declare
 */
export function readOverrides(text: string, file: string, against: Against): Overrides {
  const source = new SourceFile(file, text)
  const given = source.value ?? {}
  const problem = (path: readonly string[], message: string) =>
    ({ severity: 'error', file, ...source.positionOf(path), message }) as const
  if (!isObject(given))
    throw new ContractError([problem([], 'expected { operationId: { status, headers, body } }')])
  const found = Object.entries(given).map(([operationId, written]) => {
    const operation = against.operations.find((each) => each.operationId === operationId)
    if (operation === undefined) {
      return { operationId, answers: [], problems: [problem([operationId], unknown(operationId, against))] }
    }
    const answers = [written].flat().map((answer) => answerOf(answer, operation, against.code))
    const problems = answers.flatMap((answer) =>
      typeof answer === 'string' ? [problem([operationId], answer)] : []
    )
    return { operationId, answers: answers.filter((answer) => typeof answer !== 'string'), problems }
  })
  const problems = found.flatMap((each) => each.problems)
  if (problems.length > 0) throw new ContractError(problems)
  return new Map(found.map(({ operationId, answers }) => [operationId, answers]))
}

function unknown(operationId: string, { operations }: Against): string {
  const near = operations.find((each) => resembles(each.operationId, operationId))
  return `the contract has no operation ${operationId}${near === undefined ? '' : `; did you mean ${near.operationId}?`}`
}

/** @returns a sentence for an answer that the contract does not declare */
function answerOf(written: Json, operation: Operation, code: CompiledCode): MockResponse | string {
  if (!isObject(written)) return `${operation.operationId}: expected { status, headers, body }`
  const status = Number(own(written, 'status') ?? usualStatus(operation))
  const response = sendableResponse(operation, status)
  if (response === undefined)
    return `${operation.operationId}: status ${status} is not declared; declared: ${Object.keys(operation.responses).join(', ')}`
  const headers = lowerCase(own(written, 'headers'))
  const body = own(written, 'body')
  const answer = { status, headers, ...(body !== undefined && { body }) }
  return body === undefined || fitting(response.content, body, code)
    ? answer
    : `${operation.operationId}: body is not what the contract declares for ${status}`
}

const lowerCase = (headers: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [name.toLowerCase(), value])
  )

const fitting = (content: readonly ResponseContent[], body: Json, code: CompiledCode): boolean =>
  content.some((each) => each.items !== undefined || accepting(each, code)(body))

/** The answers of one operation, each in its turn; the last one stays. */
export class Turns {
  readonly #answers: readonly MockResponse[]
  #next = 0

  constructor(answers: readonly MockResponse[] = []) {
    this.#answers = answers
  }

  /**
   * @param code status that the client prefers
   * @returns undefined where the file has no such answer
   */
  next(code: string | undefined): MockResponse | undefined {
    if (code !== undefined) return this.#answers.find(({ status }) => status === Number(code))
    const index = Math.min(this.#next++, this.#answers.length - 1)
    return this.#answers[index]
  }
}
