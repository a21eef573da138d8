/** Reads the parameters of a request: decodes and validates them, restores int64 (OpenAPI 3.1.0, section 4.8.12). */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { asRead, inMember, type ParsedJson, plainJson } from '../../json/exact-json.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import type { CompiledCode, Operation, Validator } from '../../model/compiled-contract.ts'
import type { FieldSpec, ParameterSpec } from '../../model/parameter.ts'
import { depthFailure, FailureError, type Problem } from '../errors/failure.ts'
import { collectProblems, problemOf, sentence } from '../errors/validation-problems.ts'
import { decodeParameters, parameterPlace, sections } from './decode.ts'
import type { Parameters } from './decoded.ts'
import { wholeQuery } from './fields.ts'
import { takes } from './paired.ts'
import { formDecode, pairsOf } from './pairs.ts'
import { acceptedReading } from './readings.ts'
import { joinPaths, lenientPathMatcher, normalizePath, pathMatcher, pathOf, queryOf } from './request-path.ts'

interface ReadParameters {
  readonly parameters: Parameters
  /** Failure `mismatch`, returned instead of thrown, because it is reported together with the problems of the body. */
  readonly failure: FailureError | undefined
}

export type ReadRequest = (request: FastifyRequest, code: CompiledCode) => ReadParameters

/**
 * @param prefix template of the paths before those of the contract
 * @returns undefined for an operation without parameters, in whose query any name is allowed
 */
export function parameterReader(operation: Operation, prefix: string): ReadRequest | undefined {
  const { parameters, parametersInt64: plan } = operation
  const unknown = undeclaredNames(operation)
  if (parameters.length === 0 && unknown === undefined) return undefined
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
        return reading(asRead(parameters), problems, validator)
      }
      const fields = given.filter((spec) => spec.in === 'query')
      const { problems, ...rest } = decodeParameters(
        given.filter((spec) => spec.in !== 'query'),
        source
      )
      const read = query.read(fields)
      return reading(inMember(rest, 'query', read.query), [...problems, ...read.problems], validator)
    }
    const first = decoded(specs)
    const { parsed, problems, omitted } =
      first.problems.length === 0
        ? first
        : acceptedReading(specs, first, { read: decoded, placeOf: parameterPlace, has })
    const all = undeclared.length === 0 ? problems : [...problems, ...undeclared]
    if (all.length === 0)
      return { parameters: restoreInt64(parsed, plan, code) as Parameters, failure: undefined }
    return { parameters: plainJson(parsed) as Parameters, failure: mismatch(all, omitted) }
  }
}

interface Reading {
  /** The parameters. Those of a query that is JSON may have numbers that no double represents. */
  readonly parsed: ParsedJson
  /** Problems of decoding first, then those that the validator finds. */
  readonly problems: readonly Problem[]
  /** Number of further problems. */
  readonly omitted: number
}

function has({ parsed }: Reading, { in: location, key }: ParameterSpec): boolean {
  return (parsed.value as Parameters)[sections[location]][key] !== undefined
}

function reading(
  parsed: ParsedJson,
  undecodable: readonly Problem[],
  validator: Validator | undefined
): Reading {
  const errors = validator?.(parsed.value) === false ? validator.errors : []
  const { problems, omitted } = collectProblems(errors, '')
  const others = problems.filter(({ place }) => !isReported(place, undecodable))
  return { parsed, problems: [...undecodable, ...others], omitted }
}

function mismatch(problems: readonly Problem[], omitted: number): FailureError {
  return new FailureError('mismatch', { message: sentence(problems, omitted), problems })
}

/** Drops "is required" for parameters that failed to decode: the validator sees them as missing. */
function isReported(place: string, problems: readonly Problem[]): boolean {
  return problems.some((problem) => place === problem.place || place.startsWith(`${problem.place}/`))
}

/** Most names that are reported, and most characters of one that is compared. */
const maxNames = 20
const maxLength = 64

/**
 * Returns a function that finds names in a query that an operation does not declare (`x-strict-query`); undefined for an
 * operation whose query may have any name.
 */
export function undeclaredNames({
  parameters,
  strictQuery
}: Operation): ((query: string) => readonly Problem[]) | undefined {
  if (strictQuery === undefined) return undefined
  const specs = parameters.filter((spec) => spec.in === 'query')
  const known = [...specs.map(({ name }) => name), ...strictQuery]
  const isKnown = (name: string) => strictQuery.includes(name) || specs.some((spec) => takes(spec, name))
  return (query) =>
    [...pairsOf(query, '&', formDecode).pairs.keys()]
      .filter((name) => !isKnown(name))
      .slice(0, maxNames)
      .map((name) => problemOf(name, 'query', `is not declared${hint(nearest(name, known))}`))
}

const hint = (name: string | undefined): string => (name === undefined ? '' : `; did you mean ${name}?`)

/** Returns the known name with the fewest edits; undefined without known names. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const sent = name.slice(0, maxLength).toLowerCase()
  const edits = new Map(known.map((each) => [each, distance(sent, each.toLowerCase())]))
  return known.toSorted((one, other) => Number(edits.get(one)) - Number(edits.get(other)))[0]
}

/** Number of characters to insert, delete or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = Number(row[column]) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, Number(row[column + 1]) + 1, Number(next[column]) + 1))
    }
    row = next
  }
  return Number(row.at(-1))
}
