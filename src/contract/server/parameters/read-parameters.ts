/** The parameters of a request, with everything that is wrong with them (OpenAPI 3.1.0, section 4.8.12). */
import type { FastifyRequest } from 'fastify'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, Operation } from '../../model/compiled-contract.ts'
import { FailureError, type Problem } from '../errors/failure.ts'
import { collectProblems, sentence } from '../errors/validation-problems.ts'
import { pathMatcher } from '../routing/path-matcher.ts'
import { normalizePath, pathOf, queryOf } from '../routing/request-target.ts'
import { decodeParameters } from './decode.ts'
import { noParameters, type Parameters } from './decoded.ts'

export interface ReadParameters {
  readonly parameters: Parameters
  /** `mismatch`: the body may have problems of its own, and all are told at once. */
  readonly failure: FailureError | undefined
}

type Reader = (request: FastifyRequest, code: CompiledCode) => ReadParameters

const nothing: ReadParameters = { parameters: noParameters, failure: undefined }

export function parameterReader(operation: Operation, basePath: string): Reader {
  if (operation.parameters.length === 0) return () => nothing
  const match = pathMatcher(operation.path)
  return (request, code) => {
    const target = String(request.raw.url)
    const { problems, ...parameters } = decodeParameters(operation.parameters, {
      path: match(normalizePath(pathOf(target)).slice(basePath.length)) ?? {},
      query: queryOf(target),
      headers: request.headers,
      cookie: request.headers.cookie
    })
    const validator = code.validators[String(operation.validateParameters)]
    const errors = validator?.call(undefined, parameters) === false ? validator.errors : undefined
    if (problems.length === 0 && !errors)
      return { parameters: restored(parameters, code), failure: undefined }
    const found = collectProblems(errors, '')
    const all = [...problems, ...found.problems.filter(({ place }) => !isTold(place, problems))]
    const failure = new FailureError('mismatch', { message: sentence(all, found.omitted), problems: all })
    return { parameters, failure }
  }

  function restored(parameters: Parameters, code: CompiledCode): Parameters {
    const plan = operation.parametersInt64
    if (plan !== undefined) restoreInt64({ '': parameters }, plan, code, undefined)
    return parameters
  }
}

/** What could not be read is absent to the validator; that it is missing is no news. */
function isTold(place: string, problems: readonly Problem[]): boolean {
  return problems.some((problem) => place === problem.place || place.startsWith(`${problem.place}/`))
}
