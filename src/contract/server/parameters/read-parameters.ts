/** Reads the parameters of a request: decodes and validates them, and restores int64 (OpenAPI 3.1.0, section 4.8.12). */
import type { FastifyRequest } from 'fastify'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, Operation, Validator } from '../../model/compiled-contract.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { collectProblems, sentence } from '../errors/validation-problems.ts'
import { pathMatcher } from '../routing/path-matcher.ts'
import { normalizePath, pathOf, queryOf } from '../routing/request-target.ts'
import { decodeParameters } from './decode.ts'
import { noParameters, type Parameters } from './decoded.ts'

export interface ReadParameters {
  readonly parameters: Parameters
  /** A `mismatch`, returned instead of thrown: the problems of the body are reported together with it. */
  readonly failure: FailureError | undefined
}

export type ReadRequest = (request: FastifyRequest, code: CompiledCode) => ReadParameters

const withoutParameters: ReadParameters = { parameters: noParameters, failure: undefined }

export function parameterReader(operation: Operation, basePath: string): ReadRequest {
  if (operation.parameters.length === 0) return () => withoutParameters
  const match = pathMatcher(operation.path)
  return ({ raw, headers }, code) => {
    const target = String(raw.url)
    const { problems, ...parameters } = decodeParameters(operation.parameters, {
      path: match(normalizePath(pathOf(target)).slice(basePath.length)) ?? {},
      query: queryOf(target),
      headers,
      cookie: headers.cookie
    })
    const validator = code.validators[String(operation.validateParameters)]
    const failure = mismatchOf(parameters, problems, validator)
    const plan = operation.parametersInt64
    if (failure === undefined && plan !== undefined) restoreInt64({ '': parameters }, plan, code, undefined)
    return { parameters, failure }
  }
}

/** @param undecodable problems of decoding, which are reported before those that the validator finds */
function mismatchOf(
  parameters: Parameters,
  undecodable: readonly Problem[],
  validator: Validator | undefined
): FailureError | undefined {
  const errors = validator?.call(undefined, parameters) === false ? validator.errors : undefined
  if (undecodable.length === 0 && !errors) return undefined
  const invalid = collectProblems(errors, '')
  const others = invalid.problems.filter(({ place }) => !isReported(place, undecodable))
  const problems = [...undecodable, ...others]
  return new FailureError('mismatch', { message: sentence(problems, invalid.omitted), problems })
}

/** Drops "is required" for parameters that failed to decode: the validator sees them as missing. */
function isReported(place: string, problems: readonly Problem[]): boolean {
  return problems.some((problem) => place === problem.place || place.startsWith(`${problem.place}/`))
}
