/** Parses the bytes of a body and validates the value. Nothing is coerced, removed or added. */

import type { Exactness } from '../../json/inexact-numbers.ts'
import { type ExactJson, parseExactJson } from '../../json/parse.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, RequestContent, Validator } from '../../model/compiled-contract.ts'
import { collectProblems } from '../errors/validation-problems.ts'
import { bodyMismatch, malformedBody } from './failures.ts'
import { decodeUtf8 } from './utf8.ts'

/**
 * Returns a JSON body as a handler receives it.
 * @throws {FailureError} `malformed-body`, or `mismatch` with every problem
 */
export function jsonBody(bytes: Buffer, content: RequestContent, code: CompiledCode): unknown {
  const { value, exactness, root } = exactJson(decodeUtf8(bytes))
  const holder = exactness === undefined ? { '': value } : (root as { '': unknown })
  validateBody(value, holder, { validate: content.validate, code, exactness })
  if (content.int64 !== undefined) restoreInt64(holder, content.int64, code, exactness)
  return holder['']
}

function exactJson(text: string): ExactJson {
  try {
    return parseExactJson(text)
  } catch (error) {
    throw malformedBody(error)
  }
}

export function textBody(bytes: Buffer, content: RequestContent, code: CompiledCode): string {
  const text = decodeUtf8(bytes)
  validateBody(text, { '': text }, { validate: content.validate, code, exactness: undefined })
  return text
}

export function bytesBody(bytes: Buffer, { validateBytes }: RequestContent, code: CompiledCode): Buffer {
  validateBody(bytes, { '': bytes }, { validate: validateBytes, code, exactness: undefined })
  return bytes
}

interface Validation {
  /** Name of the validator; undefined where every value is valid. */
  readonly validate: string | undefined
  readonly code: CompiledCode
  readonly exactness: Exactness | undefined
}

/**
 * @param holder object that holds the value under the empty name
 * @throws {FailureError} `mismatch`
 */
export function validateBody(
  value: unknown,
  holder: object,
  { validate, code, exactness }: Validation
): void {
  const validator = validate === undefined ? undefined : code.validators[validate]
  if (validator === undefined) return
  if (accepts(validator, value, holder, exactness)) return
  const { problems, omitted } = collectProblems(validator.errors, 'body')
  throw bodyMismatch(problems, omitted)
}

function accepts(
  validator: Validator,
  value: unknown,
  holder: object,
  exactness: Exactness | undefined
): boolean {
  if (exactness === undefined) return validator.call(undefined, value)
  return validator.call(exactness, value, {
    instancePath: '',
    parentData: holder,
    parentDataProperty: '',
    rootData: value,
    dynamicAnchors: {}
  })
}
