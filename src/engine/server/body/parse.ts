/** Parses the bytes of a body and validates the value. Nothing is coerced, removed or added. */

import { isUtf8 } from 'node:buffer'
import { asRead, type ParsedJson } from '../../json/exact-json.ts'
import { MalformedJson, parseExactJson } from '../../json/parse.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, RequestContent } from '../../model/compiled-contract.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { collectProblems, placeOf, sentence } from '../errors/validation-problems.ts'

/**
 * Returns a JSON body as a handler receives it.
 * @throws {FailureError} `malformed-body`, or `mismatch` with every problem
 */
export function jsonBody(bytes: Buffer, { validate, int64 }: RequestContent, code: CompiledCode): unknown {
  let parsed: ParsedJson
  try {
    parsed = parseExactJson(decodeUtf8(bytes))
  } catch (error) {
    throw malformedBody(error)
  }
  validateBody(parsed.value, validate, code)
  return restoreInt64(parsed, int64, code)
}

export function textBody(bytes: Buffer, { validate, int64 }: RequestContent, code: CompiledCode): unknown {
  const text = decodeUtf8(bytes)
  validateBody(text, validate, code)
  return restoreInt64(asRead(text), int64, code)
}

export function bytesBody(bytes: Buffer, { validateBytes }: RequestContent, code: CompiledCode): Buffer {
  validateBody(bytes, validateBytes, code)
  return bytes
}

/**
 * @param value as parsed, with its exact numbers
 * @param validate name of the validator; undefined where every value is valid
 * @param index position of an item in its sequence; absent for a whole body
 * @throws {FailureError} `mismatch`
 */
export function validateBody(
  value: unknown,
  validate: string | undefined,
  code: CompiledCode,
  index?: number
): void {
  const validator = validate === undefined ? undefined : code.validators[validate]
  if (validator === undefined || validator(value)) return
  const item = index === undefined ? '' : `/${index}`
  const { problems, omitted } = collectProblems(validator.errors, `body${item}`)
  const placed = problems.map((problem) => ({ ...problem, pointer: item + problem.pointer }))
  throw bodyMismatch(placed, omitted)
}

/** @param limit longest body in bytes */
export function bodyTooLarge(limit: number, cause?: unknown): FailureError {
  return new FailureError('body-too-large', { message: `the body is larger than ${limit} bytes`, cause })
}

export function bodyMismatch(problems: readonly Problem[], omitted = 0): FailureError {
  return new FailureError('mismatch', { message: sentence(problems, omitted), problems })
}

/** Maps an error of the JSON parser to a failure; returns every other error as it is. */
export function malformedBody(error: unknown): unknown {
  if (!(error instanceof MalformedJson)) return error
  return new FailureError('malformed-body', { message: `the body ${error.message}`, cause: error })
}

/** Returns the place of a field, whose name may come from the client. */
export function fieldPlace(name: string): string {
  return placeOf({ instancePath: '', params: { propertyName: name } }, 'body')
}

const byteOrderMark = 0xfeff

/**
 * Decodes a text; a byte order mark is ignored, as RFC 8259, section 8.1, permits.
 * @throws {FailureError} `malformed-body` for bytes that are not UTF-8
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new FailureError('malformed-body', { message: 'the body is not valid UTF-8' })
  const text = bytes.toString('utf8')
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}
