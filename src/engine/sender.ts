/** Entry point of the sender: calls webhooks and callbacks of a compiled contract, from Node. */
export { RequestMismatch, ResponseMismatch } from './client.ts'
export type { AnsweredExchange } from './model/contract-types.ts'
export { createSender, type Sender, type SenderOptions } from './sender/create-sender.ts'
export { AnswerRefused, type OutgoingRequest } from './sender/http-exchange.ts'
export { type Lookup, TargetRefused } from './sender/target.ts'
