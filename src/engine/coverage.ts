/** Entry point of the coverage of a contract: what tests, or any client, have seen of it, and what they have never seen. */

import { AssertionError } from 'node:assert'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Contract, declaredName, type Operation } from './model/compiled-contract.ts'
import { mediaTypeMatcher } from './model/content-type.ts'
import type { ParameterSpec } from './model/parameter.ts'

/** Parts of a contract, each with the operation: `POST /pets`, `POST /pets 409`, `GET /pets 200 text/csv`, `GET /pets query limit`. */
export const coverageParts = ['operations', 'statuses', 'mediaTypes', 'parameters'] as const
export type CoveragePart = (typeof coverageParts)[number]

export interface PartCoverage {
  /** Number of those that the contract declares. */
  readonly declared: number
  readonly seen: number
  readonly never: readonly string[]
}

export type CoverageReport = Readonly<Record<CoveragePart, PartCoverage>>

/** Least share of each part, in percent. */
export type CoverageBounds = Partial<Readonly<Record<CoveragePart, number>>>

export interface SeenExchange {
  /** Target of the request, with its query. */
  readonly target: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly status: number
  /** Media type of the answer. */
  readonly contentType: string | undefined
}

/** Counts what was seen of a contract. */
export class ContractCoverage {
  readonly #operations: readonly Operation[]
  readonly #seen = new Set<string>()

  constructor({ operations }: Pick<Contract, 'operations'>) {
    this.#operations = operations
  }

  /** Counts the requests to the operations of an instance that has their routes. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      // Fastify calls no `onResponse` where the client leaves a stream: the answer counts if its head was sent.
      reply.raw.setMaxListeners(reply.raw.getMaxListeners() + 1)
      reply.raw.once('close', () => {
        if (reply.raw.headersSent && !reply.raw.writableFinished) this.#countReply(request, reply)
      })
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      this.#countReply(request, reply)
      done()
    })
  }

  #countReply(request: FastifyRequest, reply: FastifyReply): void {
    const { operation } = request.routeOptions.config
    const contentType = reply.getHeader('content-type')
    if (operation !== undefined) this.count(operation, exchangeOf(request, reply.statusCode, contentType))
  }

  /** Counts one exchange. An operation, and the media type of its body, count with an answer that is no error. */
  count(operation: Operation, { target, headers, status, contentType }: SeenExchange): void {
    const name = methodAndPath(operation)
    const declared = declaredName(operation, status)
    for (const spec of sentParameters(operation, target, headers)) this.#seen.add(parameterName(name, spec))
    if (declared !== undefined) {
      this.#seen.add(`${name} ${declared}`)
      this.#addType(`${name} ${declared}`, operation.responses[declared]?.content ?? [], contentType)
    }
    if (status >= 400) return
    this.#seen.add(name)
    this.#addType(`${name} body`, operation.requestBody?.content ?? [], headers['content-type'])
  }

  #addType(prefix: string, content: readonly { readonly mediaType: string }[], type: unknown): void {
    const names = content.map(({ mediaType }) => mediaType)
    const index = typeof type === 'string' ? mediaTypeMatcher(names)(type) : -1
    if (index >= 0) this.#seen.add(`${prefix} ${names[index]}`)
  }

  report(): CoverageReport {
    const part = (namesOf: (operation: Operation) => readonly string[]): PartCoverage => {
      const declared = this.#operations.flatMap(namesOf)
      const never = declared.filter((name) => !this.#seen.has(name))
      return { declared: declared.length, seen: declared.length - never.length, never }
    }
    return {
      operations: part((operation) => [methodAndPath(operation)]),
      statuses: part(statusNames),
      mediaTypes: part(mediaTypeNames),
      parameters: part((operation) =>
        operation.parameters.map((spec) => parameterName(methodAndPath(operation), spec))
      )
    }
  }

  /** Returns a line for each part, and what of it was never seen. */
  text(): string {
    return coverageText(this.report())
  }

  /** @throws {AssertionError} for a share below its bound, with what was never seen */
  assert(bounds: CoverageBounds): void {
    const report = this.report()
    const low = coverageParts.filter((part) => percentOf(report[part]) < (bounds[part] ?? 0))
    if (low.length === 0) return
    const lines = low.map((part) => `${coverageLine(part, report[part])}; expected are ${bounds[part]} %`)
    throw new AssertionError({
      message: `the tests have seen too little of the contract:\n${lines.join('\n')}`
    })
  }
}

/** Returns a counter for the option `coverage` of a server, of `buildApp` or of the smoke test. */
export const contractCoverage = (contract: Pick<Contract, 'operations'>): ContractCoverage =>
  new ContractCoverage(contract)

/** Formats a report: `statuses 3 of 4; never seen: GET /pets 404`. */
export const coverageText = (report: CoverageReport): string =>
  coverageParts.map((part) => `${coverageLine(part, report[part])}\n`).join('')

const words = { mediaTypes: 'media types' } as const

function coverageLine(part: CoveragePart, { seen, declared, never }: PartCoverage): string {
  const name = part === 'mediaTypes' ? words[part] : part
  return `${name} ${seen} of ${declared}${never.length === 0 ? '' : `; never seen: ${never.join(', ')}`}`
}

const percentOf = ({ seen, declared }: PartCoverage): number =>
  declared === 0 ? 100 : (100 * seen) / declared

const methodAndPath = ({ method, path }: Operation): string => `${method} ${path}`
const parameterName = (operation: string, { in: location, name }: ParameterSpec): string =>
  `${operation} ${location} ${name}`
const statusNames = (operation: Operation): readonly string[] =>
  Object.keys(operation.responses).map((status) => `${methodAndPath(operation)} ${status}`)

function mediaTypeNames(operation: Operation): readonly string[] {
  const { requestBody, responses } = operation
  return [
    ...(requestBody?.content ?? []).map(({ mediaType }) => `${methodAndPath(operation)} body ${mediaType}`),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      content.map(({ mediaType }) => `${methodAndPath(operation)} ${status} ${mediaType}`)
    )
  ]
}

function exchangeOf({ raw }: FastifyRequest, status: number, contentType: unknown): SeenExchange {
  const type = [contentType].flat().find((each) => typeof each === 'string')
  return { target: String(raw.url), headers: raw.headers, status, contentType: type }
}

/** Returns the parameters that a request has, by their names alone. */
function sentParameters(
  { parameters }: Operation,
  target: string,
  headers: SeenExchange['headers']
): readonly ParameterSpec[] {
  const query = namesIn(target.split('?').slice(1).join('?'), '&')
  const cookies = namesIn(String(headers['cookie'] ?? ''), '; ')
  return parameters.filter((spec) => {
    if (spec.in === 'header') return headers[spec.key] !== undefined
    if (spec.in === 'query' || spec.in === 'cookie')
      return isAmong(spec.in === 'query' ? query : cookies, spec)
    return spec.in === 'path' || target.includes('?')
  })
}

/** Recognises `filter[name]=…`, and the properties of an exploded object, which stand alone. */
const isAmong = (
  names: ReadonlySet<string>,
  { name, shape: { properties = {} }, explode }: ParameterSpec
): boolean => names.has(name) || (explode === true && Object.keys(properties).some((each) => names.has(each)))

function namesIn(text: string, separator: string): ReadonlySet<string> {
  const names = text.split(separator).map((pair) => decoded(String(pair.split('=')[0]).trim()))
  return new Set(names.flatMap((name) => [name, String(name.split('[')[0])]))
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
