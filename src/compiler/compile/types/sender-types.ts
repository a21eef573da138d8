/** Types of the functions that send webhooks and callbacks. */
import type { Operation } from '@contract-first/engine/model'
import { keyOf } from '../../source/values.ts'
import type { SentOperation } from '../operations/sent-operations.ts'
import { type Named, operationTypes } from './client-types.ts'

/** Webhooks and callbacks: as written, and as read. */
export interface SentTypes {
  readonly sent: readonly SentOperation[]
  readonly operations: readonly Operation[]
}

export interface NamedSent extends Named {
  readonly sent: SentOperation
}

export function senderTypes(operations: readonly NamedSent[]): string {
  if (operations.length === 0) return ''
  const calls = operations.map(({ operation, name, sent }) => {
    const target = sent.target === undefined ? 'ToUrl' : '(ToUrl | OnExchange)'
    return `    ${keyOf(operation.operationId)}: (call: ${name}Call & SendOptions & ${target}) => Promise<${name}Answer>;\n`
  })
  return [
    '',
    ...operations.map(({ name, at }) => `export type ${name}Responses = ${at}["responses"];`),
    ...operations.map(operationTypes),
    '/** One function for each webhook and callback. */',
    `export interface ContractSender {\n${calls.join('')}}`
  ].join('\n')
}
