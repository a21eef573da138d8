/** Failures that several readers of a body share. */
import { MalformedJson } from '../../json/parse.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { placeOf } from '../errors/instance-location.ts'
import { sentence } from '../errors/validation-problems.ts'

/** @param limit longest body in bytes */
export function bodyTooLarge(limit: number, cause?: unknown): FailureError {
  return new FailureError('body-too-large', { message: `the body is larger than ${limit} bytes`, cause })
}

export function tooManyFields(limit: number): FailureError {
  return new FailureError('body-too-large', { message: `the body has more than ${limit} fields` })
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
