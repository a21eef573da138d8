/**
 * Turns a failure into the bytes of its response, with the contract's own error body. A body that does not fit the
 * contract is sent as it is, without a change of status: otherwise an error of the client would become a 500.
 */
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type ResponseContent
} from '../../model/compiled-contract.ts'
import { type ErrorLog, immediate } from './callbacks.ts'
import { errorContent, errorText, type PreparedErrors, type WrittenError } from './error-content.ts'
import type { Failure } from './failure.ts'

export type ErrorBody = (failure: Failure & { readonly operationId: string | undefined }) => unknown

/** Complete response, ready to be written. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

/** Response with the value that `errorBody` returned for it; undefined where it sends no body. */
export interface MadeError extends ErrorResponse {
  readonly made: unknown
}

export interface ErrorContext {
  readonly errorBody: ErrorBody
  readonly log: ErrorLog
  /** Common content of all errors of the contract, for failures that no operation declares. */
  readonly common: ResponseContent | undefined
  /** Compiled code; undefined until it is loaded. */
  readonly code: CompiledCode | undefined
  /** Bodies made at boot, which are sent where `errorBody` fails; undefined before the code is loaded. */
  readonly prepared: PreparedErrors | undefined
}

/** Responds to a failure outside of any operation. Never throws: without a body only the status is sent. */
export function plainErrorResponse(failure: Failure, context: ErrorContext): MadeError {
  return errorResponse(failure, undefined, context)
}

/** Responds to a failure of an operation. Never throws: without a body only the status is sent. */
export function operationErrorResponse(
  failure: Failure,
  operation: Operation,
  context: ErrorContext
): MadeError {
  return errorResponse(failure, operation, context)
}

function errorResponse(failure: Failure, operation: Operation | undefined, context: ErrorContext): MadeError {
  // Copied before `errorBody` is called, which gets the failure.
  const { status } = failure
  const headers = sendableHeaders(failure, context.log)
  const written = loggedError(failure, operation, context) ?? context.prepared?.of(failure, operation)
  if (written?.text === undefined) return { status, headers, body: '', made: undefined }
  const { text, mediaType, made } = written
  return { status, headers: { ...headers, 'content-type': mediaType }, body: text, made }
}

/** Returns undefined, after a line in the log, where `errorBody` fails or makes no body. */
function loggedError(
  failure: Failure,
  operation: Operation | undefined,
  context: ErrorContext
): WrittenError | undefined {
  const { log } = context
  const details = { failure: failure.code, operationId: operation?.operationId, callback: 'errorBody' }
  try {
    const written = writtenError(failure, operation, context)
    const { text, unfit } = written
    if (text === undefined) log.error(details, 'errorBody made no body')
    else if (unfit !== undefined) log.warn(details, `the error body breaks the contract: ${unfit}`)
    return text === undefined ? undefined : written
  } catch (err) {
    log.error({ ...details, err }, 'errorBody failed')
    return undefined
  }
}

/** @throws {unknown} every error of `errorBody`, and an error for a promise and for a body that is not JSON */
export function writtenError(
  failure: Failure,
  operation: Operation | undefined,
  { errorBody, common, code }: Pick<ErrorContext, 'errorBody' | 'common' | 'code'>
): WrittenError {
  const body = errorBody({ ...failure, operationId: operation?.operationId })
  const made = immediate('errorBody', body)
  const response = operation === undefined ? undefined : declaredResponse(operation, failure.status)
  return { ...errorText(made, errorContent(response?.content ?? []) ?? common, code), made }
}

type Headers = Record<string, string | string[]>

/** Headers of message framing, which Node sets. */
const framing = new Set(['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'keep-alive'])
/** Syntax of a name and of a value (RFC 9110, sections 5.1 and 5.5). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Returns the headers without those that Node would refuse, which a handler may have thrown; names them in the log. */
function sendableHeaders({ headers }: Failure, log: ErrorLog): Headers {
  const sendable: Headers = {}
  for (const [name, value] of Object.entries(headers)) {
    if (isSendable(name, value)) sendable[name] = typeof value === 'string' ? value : [...value]
    else log.error({ header: name }, 'a header of a failure cannot be sent')
  }
  return sendable
}

function isSendable(name: string, value: string | string[]): boolean {
  const lines: readonly unknown[] = [value].flat()
  const isText = lines.every((line) => typeof line === 'string' && fieldValue.test(line))
  return isText && token.test(name) && !framing.has(name.toLowerCase())
}
