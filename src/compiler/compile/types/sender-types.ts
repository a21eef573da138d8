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

const prelude = `/** Members of every call of a sender. */
export interface SendOptions {
    /** Makes the request safe to repeat: it is the header Idempotency-Key. */
    readonly idempotencyKey?: string | undefined;
    /** True if the receiver takes a repeated request as one. */
    readonly retry?: boolean | undefined;
}
/** Request and response of a service, from which the target of a callback is read. */
export interface AnsweredExchange {
    readonly request: {
        readonly method?: string; readonly url?: string; readonly params?: object; readonly query?: unknown;
        readonly headers?: object; readonly allHeaders?: object; readonly body?: unknown;
    };
    readonly response?: { readonly status?: number; readonly headers?: object | undefined; readonly body?: unknown };
}
export interface ToUrl { readonly url: string | URL; readonly on?: undefined; }
export interface OnExchange { readonly on: AnsweredExchange; readonly url?: undefined; }`

export function senderTypes(operations: readonly NamedSent[]): string {
  if (operations.length === 0) return ''
  const calls = operations.map(({ operation, name, sent }) => {
    const target = sent.target === undefined ? 'ToUrl' : '(ToUrl | OnExchange)'
    return `    ${keyOf(operation.operationId)}: (call: ${name}Call & SendOptions & ${target}) => Promise<${name}Answer>;\n`
  })
  return [
    '',
    prelude,
    ...operations.map(({ name, at }) => `export type ${name}Responses = ${at}["responses"];`),
    ...operations.map(operationTypes),
    '/** One function for each webhook and callback. */',
    `export interface ContractSender {\n${calls.join('')}}`
  ].join('\n')
}
