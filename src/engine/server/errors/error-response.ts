/**
 * Turns a failure into the bytes of its response, with the contract's own error body. A body that does not fit the
 * contract is sent as it is, without a change of status: otherwise an error of the client would become a 500.
 */

import type { FastifyReply } from 'fastify'
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type ResponseContent
} from '../../model/compiled-contract.ts'
import { isHeaderName } from '../../model/parameter.ts'
import { type ErrorLog, immediate } from './callbacks.ts'
import { type Failure, type FailureCode, FailureError, failureStatus } from './failure.ts'
import { requestLog } from './standard-error-log.ts'
import { problemsOf, sentence } from './validation-problems.ts'

export type ErrorBody = (failure: Failure & { readonly operationId: string | undefined }) => unknown

/** Complete response, ready to be written. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

/** Response with the value that `errorBody` returned for it; undefined where it sends no body. */
interface MadeError extends ErrorResponse {
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

/**
 * Responds to a failure. Never throws: without a body only the status is sent.
 * @param operation undefined for a failure outside of any operation
 */
export function errorResponse(
  failure: Failure,
  operation: Operation | undefined,
  context: ErrorContext
): MadeError {
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
function writtenError(
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
/** Syntax of a value (RFC 9110, section 5.5). */
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
  return isText && isHeaderName(name) && !framing.has(name.toLowerCase())
}

/** Returns the content for an error body: the first JSON content, or the first of any kind. */
export function errorContent(contents: readonly ResponseContent[]): ResponseContent | undefined {
  return contents.find(({ kind }) => kind === 'json') ?? contents[0]
}

/**
 * Returns the common content of all errors of a contract, if they have one media type. It has a validator and a
 * serializer only if all errors have one schema.
 */
export function commonErrorContent(operations: readonly Operation[]): ResponseContent | undefined {
  const declared = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      /^[45d]/.test(status) ? (errorContent(content) ?? []) : []
    )
  )
  const [first, ...others] = declared
  if (first === undefined || others.some(({ mediaType }) => mediaType !== first.mediaType)) return undefined
  if (others.every(({ validate, serialize }) => validate === first.validate && serialize === first.serialize))
    return first
  return { mediaType: first.mediaType, kind: first.kind }
}

type Bodies = Map<FailureCode | number, WrittenError>

const json = 'application/json'

interface ErrorText {
  /** Text of the body; undefined without a body. */
  readonly text: string | undefined
  readonly mediaType: string
  /** Disagreement between body and contract. */
  readonly unfit?: string
}

/** Text of an error body, with the value that `errorBody` returned for it. */
interface WrittenError extends ErrorText {
  readonly made: unknown
}

/**
 * @param content undefined where the contract declares none
 * @param code undefined until it is loaded; the body is then not checked
 * @throws {TypeError} for a body that JSON cannot represent
 */
export function errorText(
  body: unknown,
  content: ResponseContent | undefined,
  code: CompiledCode | undefined
): ErrorText {
  if (content === undefined || body === undefined) return { text: JSON.stringify(body), mediaType: json }
  const mediaType = content.mediaType.includes('*') ? json : content.mediaType
  const isJson = content.kind === 'json' || content.mediaType.includes('*')
  if (!isJson && typeof body !== 'string')
    return { text: JSON.stringify(body), mediaType: json, unfit: `body is not a text, as ${mediaType} is` }
  const unfit = misfit(body, content, code)
  const serialize = isJson && unfit === undefined ? code?.serializers[String(content.serialize)] : undefined
  const text = serialize?.(body) ?? (isJson ? JSON.stringify(body) : String(body))
  return { text, mediaType, ...(unfit === undefined ? {} : { unfit }) }
}

/** Returns the disagreement between body and contract; undefined when there is none. */
function misfit(
  body: unknown,
  { validate }: ResponseContent,
  code: CompiledCode | undefined
): string | undefined {
  const validator = code?.validators[String(validate)]
  if (validator === undefined || validator(body)) return undefined
  return sentence(problemsOf(validator.errors, 'body'), 0)
}

/** Error bodies that are made at boot, and sent where `errorBody` fails for a request. */
export class PreparedErrors {
  readonly #byOperation = new Map<Operation | undefined, Bodies>()
  /** Bodies by their texts: operations with the same errors share them. */
  readonly #byText = new Map<string, Bodies>()

  /** Keeps the bodies of an operation: one for each failure, and the first of each status for the others of it. */
  add(operation: Operation | undefined, made: readonly (readonly [Failure, WrittenError])[]): void {
    const bodies: Bodies = new Map()
    for (const [{ code, status }, written] of made) {
      bodies.set(code, written)
      if (!bodies.has(status)) bodies.set(status, written)
    }
    const text = made.map(([{ code }, { text, mediaType }]) => `${code} ${mediaType} ${text}`).join('\n')
    const known = this.#byText.get(text) ?? bodies
    this.#byText.set(text, known)
    this.#byOperation.set(operation, known)
  }

  /** Returns the body for a failure, or for another one of its status; undefined without one. */
  of({ code, status }: Failure, operation: Operation | undefined): WrittenError | undefined {
    const bodies = this.#byOperation.get(operation)
    return bodies?.get(code) ?? bodies?.get(status)
  }
}

type Context = Pick<ErrorContext, 'errorBody' | 'common' | 'code'>

interface TriedErrorBodies {
  /** Operation, status and problem of each misfit: `getThing 404: body/code must be integer`. */
  readonly unfit: readonly string[]
  readonly prepared: PreparedErrors
}

const codes = Object.keys(failureStatus) as FailureCode[]
const failures = codes.map((code) => new FailureError(code).failure)

/** Tries `errorBody` at boot: makes the body of each failure, and finds those that an operation does not declare. */
export function tryErrorBodies(operations: readonly Operation[], context: Context): TriedErrorBodies {
  const prepared = new PreparedErrors()
  const unfit = [...operations, undefined].flatMap((operation) => {
    const tries = failures.map((failure) => ({ failure, ...tried(failure, operation, context) }))
    const made = tries.flatMap(({ failure, written }) => (written ? [[failure, written] as const] : []))
    prepared.add(operation, made)
    return misfits(operation, tries)
  })
  return { unfit, prepared }
}

interface Try {
  /** Undefined where `errorBody` makes no body. */
  readonly written?: WrittenError
  readonly unfit: string | undefined
}

function tried(failure: Failure, operation: Operation | undefined, context: Context): Try {
  try {
    const written = writtenError(failure, operation, context)
    return written.text === undefined
      ? { unfit: 'errorBody makes no body' }
      : { written, unfit: written.unfit }
  } catch {
    return { unfit: 'errorBody fails' }
  }
}

/** Returns the first misfit of each status. */
function misfits(
  operation: Operation | undefined,
  tries: readonly (Try & { readonly failure: Failure })[]
): string[] {
  const found = new Map<number, string>()
  for (const { failure, unfit } of tries)
    if (unfit !== undefined && !found.has(failure.status)) found.set(failure.status, unfit)
  const name = operation?.operationId ?? 'no operation'
  return [...found].map(([status, unfit]) => `${name} ${status}: ${unfit}`)
}

/**
 * Sends the response to a failure. Where Fastify cannot send it, because a hook fails or has added a header that Node
 * refuses, it would call its own error handler, which sends the text of the error: the response is then written past the
 * hooks.
 */
export function sendError(reply: FastifyReply, { status, headers, body }: ErrorResponse): FastifyReply {
  const { send, raw } = reply
  reply.send = (err) => {
    requestLog(reply).error({ err }, 'an error response could not be sent with its hooks')
    reply.hijack()
    if (raw.headersSent) raw.destroy()
    else raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    return reply
  }
  return send.call(reply.code(status).headers(headers).serializer(String), body)
}
