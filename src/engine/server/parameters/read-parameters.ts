/** Reads the parameters of a request: decodes and validates them, restores int64 (OpenAPI 3.1.0, section 4.8.12). */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ExactJson } from '../../json/exact-json.ts'
import type { Exactness } from '../../json/inexact-numbers.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, Operation, Validator } from '../../model/compiled-contract.ts'
import type { FieldSpec, ParameterSpec } from '../../model/parameter.ts'
import { FailureError, guardDepth, type Problem } from '../errors/failure.ts'
import { accepts, collectProblems, sentence } from '../errors/validation-problems.ts'
import { decodeParameters, parameterPlace, sections } from './decode.ts'
import { type DecodedParameters, noParameters, type Parameters } from './decoded.ts'
import { acceptedReading } from './readings.ts'
import { joinPaths, lenientPathMatcher, normalizePath, pathMatcher, pathOf, queryOf } from './request-path.ts'
import { undeclaredNames } from './undeclared-names.ts'
import { type DecodedQuery, wholeQuery } from './whole-query.ts'

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
  return ({ raw, headers }, code) => guardDepth('a parameter', () => read(String(raw.url), headers, code))

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
      if (query === undefined) return reading(decodeParameters(given, source), validator)
      const fields = given.filter((spec) => spec.in === 'query')
      const { problems, ...rest } = decodeParameters(
        given.filter((spec) => spec.in !== 'query'),
        source
      )
      const read = query.read(fields)
      return reading({ ...rest, ...read, problems: [...problems, ...read.problems] }, validator)
    }
    const first = decoded(specs)
    const { parameters, exactness, problems, omitted } =
      first.problems.length === 0
        ? first
        : acceptedReading(specs, first, { read: decoded, placeOf: parameterPlace, has })
    const all = undeclared.length === 0 ? problems : [...problems, ...undeclared]
    if (all.length > 0) return { parameters, failure: mismatch(all, omitted) }
    if (plan !== undefined) restoreInt64({ '': parameters }, plan, code, exactness)
    return { parameters, failure: undefined }
  }
}

interface Reading {
  readonly parameters: Parameters
  /** Numbers of a query that is JSON, as sent; undefined when their doubles are exact. */
  readonly exactness: Exactness | undefined
  /** Problems of decoding first, then those that the validator finds. */
  readonly problems: readonly Problem[]
  /** Number of further problems. */
  readonly omitted: number
}

function has({ parameters }: Reading, { in: location, key }: ParameterSpec): boolean {
  return parameters[sections[location]][key] !== undefined
}

function reading(
  { problems: undecodable, json, ...decoded }: Omit<DecodedParameters, 'query'> & DecodedQuery,
  validator: Validator | undefined
): Reading {
  const parameters = decoded as Parameters
  const exactness = json && exactnessIn(parameters, json)
  const holder = { '': parameters }
  const errors = validator && !accepts(validator, parameters, { holder, exactness }) ? validator.errors : []
  const { problems, omitted } = collectProblems(errors, '')
  const others = problems.filter(({ place }) => !isReported(place, undecodable))
  return { parameters, exactness, problems: [...undecodable, ...others], omitted }
}

/** Lists a query that is a single number under its new holder. */
function exactnessIn(parameters: Parameters, { exactness, root }: ExactJson): Exactness | undefined {
  const mark = exactness?.get(root)?.['']
  if (mark !== undefined) exactness?.set(parameters, { query: mark })
  return exactness
}

function mismatch(problems: readonly Problem[], omitted: number): FailureError {
  return new FailureError('mismatch', { message: sentence(problems, omitted), problems })
}

/** Drops "is required" for parameters that failed to decode: the validator sees them as missing. */
function isReported(place: string, problems: readonly Problem[]): boolean {
  return problems.some((problem) => place === problem.place || place.startsWith(`${problem.place}/`))
}
