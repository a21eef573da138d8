/** Reads the parameters of a request: decodes and validates them, restores int64 (OpenAPI 3.1.0, section 4.8.12). */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, Operation, Validator } from '../../model/compiled-contract.ts'
import type { FieldSpec, ParameterSpec } from '../../model/parameter.ts'
import { depthFailure, FailureError, type Problem } from '../errors/failure.ts'
import { collectProblems, sentence } from '../errors/validation-problems.ts'
import { decodeParameters, parameterPlace, sections } from './decode.ts'
import { noParameters, type Parameters } from './decoded.ts'
import { acceptedReading } from './readings.ts'
import { joinPaths, lenientPathMatcher, normalizePath, pathMatcher, pathOf, queryOf } from './request-path.ts'
import { undeclaredNames } from './undeclared-names.ts'
import { wholeQuery } from './whole-query.ts'

export interface ReadParameters {
  readonly parameters: Parameters
  /** Failure `mismatch`, returned instead of thrown, because it is reported together with the problems of the body. */
  readonly failure: FailureError | undefined
}

export type ReadRequest = (request: FastifyRequest, code: CompiledCode) => ReadParameters

const withoutParameters: ReadParameters = { parameters: noParameters, failure: undefined }

/** @param prefix template of the paths before those of the contract */
export function parameterReader(operation: Operation, prefix: string): ReadRequest {
  const { parameters, parametersInt64: plan } = operation
  const unknown = undeclaredNames(operation)
  if (parameters.length === 0 && unknown === undefined) return () => withoutParameters
  const whole = parameters.find((spec) => spec.in === 'querystring')
  const others = parameters.filter((spec) => spec !== whole)
  const template = joinPaths(prefix, operation.path)
  const match = pathMatcher(template)
  const pathParameters = (path: string) => match(path) ?? lenientPathMatcher(template)(path) ?? {}
  return ({ raw, headers }, code) => {
    try {
      return read(String(raw.url), headers, code)
    } catch (error) {
      throw depthFailure('a parameter', error)
    }
  }

  function read(target: string, headers: IncomingHttpHeaders, code: CompiledCode): ReadParameters {
    const source = {
      path: pathParameters(normalizePath(pathOf(target))),
      query: queryOf(target),
      headers,
      cookie: headers.cookie
    }
    const undeclared = unknown?.(source.query) ?? []
    const validator = code.validators[String(operation.validateParameters)]
    const query = whole && wholeQuery(whole, source.query)
    const specs: readonly FieldSpec[] = query === undefined ? others : [...others, ...query.fields]
    const decoded = (given: readonly FieldSpec[]) => {
      if (query === undefined) {
        const { problems, ...parameters } = decodeParameters(given, source)
        return reading(parameters, parameters, problems, validator)
      }
      const fields = given.filter((spec) => spec.in === 'query')
      const { problems, ...rest } = decodeParameters(
        given.filter((spec) => spec.in !== 'query'),
        source
      )
      const read = query.read(fields)
      const { value, exact } = read.query
      const parameters = { ...rest, query: value } as Parameters
      const all = [...problems, ...read.problems]
      return reading(parameters, exact === value ? parameters : { ...rest, query: exact }, all, validator)
    }
    const first = decoded(specs)
    const { parameters, exact, problems, omitted } =
      first.problems.length === 0
        ? first
        : acceptedReading(specs, first, { read: decoded, placeOf: parameterPlace, has })
    const all = undeclared.length === 0 ? problems : [...problems, ...undeclared]
    if (all.length > 0) return { parameters, failure: mismatch(all, omitted) }
    if (plan !== undefined) restoreInt64({ value: parameters, exact }, plan, code)
    return { parameters, failure: undefined }
  }
}

interface Reading {
  readonly parameters: Parameters
  /** The parameters with the exact numbers of a query that is JSON. */
  readonly exact: object
  /** Problems of decoding first, then those that the validator finds. */
  readonly problems: readonly Problem[]
  /** Number of further problems. */
  readonly omitted: number
}

function has({ parameters }: Reading, { in: location, key }: ParameterSpec): boolean {
  return parameters[sections[location]][key] !== undefined
}

function reading(
  parameters: Parameters,
  exact: object,
  undecodable: readonly Problem[],
  validator: Validator | undefined
): Reading {
  const errors = validator?.(exact) === false ? validator.errors : []
  const { problems, omitted } = collectProblems(errors, '')
  const others = problems.filter(({ place }) => !isReported(place, undecodable))
  return { parameters, exact, problems: [...undecodable, ...others], omitted }
}

function mismatch(problems: readonly Problem[], omitted: number): FailureError {
  return new FailureError('mismatch', { message: sentence(problems, omitted), problems })
}

/** Drops "is required" for parameters that failed to decode: the validator sees them as missing. */
function isReported(place: string, problems: readonly Problem[]): boolean {
  return problems.some((problem) => place === problem.place || place.startsWith(`${problem.place}/`))
}
