/** The shapes of the errors of a contract: the body for each failure of each operation. */

import { type Failure, type FailureCode, FailureError, failureStatus } from '@contract-first/engine/errors'
import type { CompiledCode, Contract, Operation, ResponseContent } from '@contract-first/engine/model'
import { errorContent } from '@contract-first/engine/steps'
import { type Json, type JsonObject, objectOf, own, stringify } from '../compile/document/json-value.ts'
import { pointerOf } from '../compile/document/reference.ts'
import { mediaOf, subjectsOf } from '../instances/requests/draft.ts'
import { accepting, type DeclaredResponse, DeclaredResponses } from '../mock/declared-responses.ts'
import type { Template } from './error-template.ts'
import { fitTemplate } from './fit-template.ts'

export interface ErrorShape {
  /** Name of the schema or the response, otherwise of the operation and the status: `Problem`, `getThing 404`. */
  readonly name: string
  /** Body as a template; undefined if none is found that fits. */
  readonly template: Template | undefined
  /** Operations by the statuses for which they declare this shape. */
  readonly uses: ReadonlyMap<number, readonly string[]>
}

export interface ErrorSource {
  readonly contract: Contract
  readonly document: JsonObject
  readonly code: CompiledCode
}

interface Use {
  readonly operation: Operation
  readonly status: number
  readonly content: ResponseContent
  readonly declared: Declared
}

interface Declared {
  readonly name: string
  readonly schema: Json | undefined
}

/** @returns the shapes, the one with the most failures first */
export function errorShapes(source: ErrorSource): readonly ErrorShape[] {
  const groups = Map.groupBy(usesOf(source), keyOf)
  const shapes = [...groups.values()].map((uses) => shapeOf(uses, source))
  const count = ({ uses }: ErrorShape) => [...uses.values()].flat().length
  return shapes.toSorted((a, b) => count(b) - count(a))
}

/** Returns the same key for the same schema in all places. */
const keyOf = ({ content, declared }: Use): string =>
  `${isJson(content.mediaType, content.kind)} ${declared.schema === undefined ? '' : stringify(declared.schema)}`

const isJson = (mediaType: string, kind: ResponseContent['kind']) =>
  kind === 'json' || mediaType.includes('*')

function usesOf({ contract, document }: ErrorSource): Use[] {
  const statuses = [...new Set(Object.values(failureStatus))]
  return subjectsOf(contract, document).flatMap(({ operation, node }) => {
    const responses = new DeclaredResponses(operation, node, document)
    return statuses.flatMap((status) => {
      const response = responses.of(status)
      const content = errorContent(response?.content ?? [])
      if (response === undefined || content === undefined) return []
      return [{ operation, status, content, declared: declaredAt(operation, response, content, document) }]
    })
  })
}

function declaredAt(
  { operationId }: Operation,
  { name, written, node }: DeclaredResponse,
  { mediaType }: ResponseContent,
  document: JsonObject
): Declared {
  const schema = own(mediaOf(node, mediaType, document), 'schema')
  const pointer = pointerOf(objectOf(schema)) ?? pointerOf(written)
  return { name: pointer?.split('/').at(-1) ?? `${operationId} ${name}`, schema }
}

function shapeOf(uses: readonly Use[], { document, code }: ErrorSource): ErrorShape {
  const [{ content, declared }] = uses as [Use, ...Use[]]
  const byStatus = Map.groupBy(uses, ({ status }) => status)
  const accepts = accepting(content, code)
  const failures = failuresOf([...byStatus.keys()])
  const written = isJson(content.mediaType, content.kind) ? declared.schema : { type: 'string' }
  return {
    name: declared.name,
    template: fitTemplate(written ?? { const: {} }, { document, accepts, failures }),
    uses: new Map(
      [...byStatus].map(([status, all]) => [status, all.map(({ operation }) => operation.operationId)])
    )
  }
}

const longMessage = `body/items/0/“name” must be one of: ${'north, east, south, west, '.repeat(60)}`
const problems = [
  { place: 'body/items/0/name', message: 'must be string' },
  { place: 'query/limit', message: 'must be <= 100' }
]

function failuresOf(statuses: readonly number[]): Failure[] {
  const codes = Object.keys(failureStatus) as FailureCode[]
  return codes
    .filter((code) => statuses.includes(failureStatus[code]))
    .flatMap((code) => {
      const details = { message: longMessage, ...(code === 'mismatch' ? { problems } : {}) }
      return [new FailureError(code).failure, new FailureError(code, details).failure]
    })
}
