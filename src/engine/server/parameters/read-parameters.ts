/** Reads the parameters of a request: decodes and validates them, restores int64 (OpenAPI 3.1.0, section 4.8.12). */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, Operation, Validator } from '../../model/compiled-contract.ts'
import type { ParameterSpec } from '../../model/parameter.ts'
import { FailureError, guardDepth, type Problem } from '../errors/failure.ts'
import { collectProblems, sentence } from '../errors/validation-problems.ts'
import { lenientPathMatcher, pathMatcher } from '../routing/path-matcher.ts'
import { joinPaths, normalizePath, pathOf, queryOf } from '../routing/request-target.ts'
import { decodeParameters, parameterPlace, sections } from './decode.ts'
import { type DecodedParameters, noParameters, type Parameters } from './decoded.ts'
import { acceptedReading } from './readings.ts'

export interface ReadParameters {
  readonly parameters: Parameters
  /** Failure `mismatch`, returned instead of thrown, because it is reported together with the problems of the body. */
  readonly failure: FailureError | undefined
}

export type ReadRequest = (request: FastifyRequest, code: CompiledCode) => ReadParameters

const withoutParameters: ReadParameters = { parameters: noParameters, failure: undefined }

/** @param prefix template of the paths before those of the contract */
export function parameterReader(operation: Operation, prefix: string): ReadRequest {
  const { parameters: specs, parametersInt64: plan } = operation
  if (specs.length === 0) return () => withoutParameters
  const template = joinPaths(prefix, operation.path)
  const match = pathMatcher(template)
  const pathParameters = (path: string) => match(path) ?? lenientPathMatcher(template)(path) ?? {}
  return ({ raw, headers }, code) => guardDepth('a parameter', () => read(String(raw.url), headers, code))

  function read(target: string, headers: IncomingHttpHeaders, code: CompiledCode): ReadParameters {
    const source = {
      path: pathParameters(normalizePath(pathOf(target))),
      query: queryOf(target),
      headers,
      cookie: headers.cookie
    }
    const validator = code.validators[String(operation.validateParameters)]
    const decoded = (given: typeof specs) => reading(decodeParameters(given, source), validator)
    const first = decoded(specs)
    const { parameters, problems, omitted } =
      first.problems.length === 0
        ? first
        : acceptedReading(specs, first, { read: decoded, placeOf: parameterPlace, has })
    if (problems.length > 0) return { parameters, failure: mismatch(problems, omitted) }
    if (plan !== undefined) restoreInt64({ '': parameters }, plan, code, undefined)
    return { parameters, failure: undefined }
  }
}

interface Reading {
  readonly parameters: Parameters
  /** Problems of decoding first, then those that the validator finds. */
  readonly problems: readonly Problem[]
  /** Number of further problems. */
  readonly omitted: number
}

function has({ parameters }: Reading, { in: location, key }: ParameterSpec): boolean {
  return parameters[sections[location]][key] !== undefined
}

function reading(
  { problems: undecodable, ...parameters }: DecodedParameters,
  validator: Validator | undefined
): Reading {
  const errors = validator?.call(undefined, parameters) === false ? validator.errors : undefined
  const { problems, omitted } = collectProblems(errors, '')
  const others = problems.filter(({ place }) => !isReported(place, undecodable))
  return { parameters, problems: [...undecodable, ...others], omitted }
}

function mismatch(problems: readonly Problem[], omitted: number): FailureError {
  return new FailureError('mismatch', { message: sentence(problems, omitted), problems })
}

/** Drops "is required" for parameters that failed to decode: the validator sees them as missing. */
function isReported(place: string, problems: readonly Problem[]): boolean {
  return problems.some((problem) => place === problem.place || place.startsWith(`${problem.place}/`))
}
