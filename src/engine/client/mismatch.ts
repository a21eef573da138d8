/** Errors of a client: a request that breaks the contract is not sent, a response that breaks it is not returned. */
import type { Checker, ClientOperation } from '../model/client-operation.ts'
import type { ValidationError } from '../model/compiled-contract.ts'

/** Place that breaks the contract, and the predicate to it: `body/items/0/id`, `must be integer`. */
export interface PlacedProblem {
  readonly place: string
  readonly message: string
}

class Mismatch extends Error {
  /** The operationId. */
  readonly operation: string
  /** Places that break the contract: `body/items/0/id`, `query/limit`, `headers/x-trace`, `status`. */
  readonly places: readonly string[]
  readonly problems: readonly PlacedProblem[]

  constructor(operation: string, verb: string, { problems, cause }: Problems) {
    super(`${operation} ${verb}: ${problems.map(({ place, message }) => `${place} ${message}`).join('; ')}`, {
      cause
    })
    this.operation = operation
    this.places = problems.map(({ place }) => place)
    this.problems = problems
  }
}

/** Request that breaks the contract, or that HTTP cannot carry: it was not sent, or a stream of items was not completed. */
export class RequestMismatch extends Mismatch {
  constructor(operation: string, problems: Problems) {
    super(operation, 'was not sent', problems)
    this.name = 'RequestMismatch'
  }
}

/** Response that breaks the contract. A log of the error has neither its headers nor its text: they may hold secrets. */
export class ResponseMismatch extends Mismatch {
  readonly status: number
  readonly #headers: Headers
  readonly #text: string

  constructor(
    operation: string,
    { status, headers }: Pick<Response, 'status' | 'headers'>,
    problems: Problems,
    text = ''
  ) {
    super(operation, `answered ${status}`, problems)
    this.name = 'ResponseMismatch'
    this.status = status
    this.#headers = headers
    this.#text = text
  }

  get headers(): Headers {
    return this.#headers
  }

  /** The first 10,000 characters of the body; empty for items and streams. */
  get text(): string {
    return this.#text
  }
}

/** Problems of a value, as an error until the operation is known. */
export class Problems extends Error {
  readonly problems: readonly PlacedProblem[]

  constructor(problems: readonly PlacedProblem[], cause?: unknown) {
    super('', { cause })
    this.problems = problems
  }
}

export const problemAt = (place: string, message: string, cause?: unknown): Problems =>
  new Problems([{ place, message }], cause)

export function checkerOf({ validators, formats }: Pick<ClientOperation, 'validators' | 'formats'>): Checker {
  return {
    validators,
    formats,
    problem: problemAt,
    check(name, value, place) {
      const validator = validators[String(name)]
      if (validator?.(value) === false) throw new Problems(problemsOf(validator.errors ?? [], place))
    }
  }
}

/** A validator lists up to a thousand errors. */
const maxProblems = 20

function problemsOf(errors: readonly ValidationError[], place: string): PlacedProblem[] {
  const problems = errors.slice(0, maxProblems).map((error) => {
    return { place: placeOf(error, place), message: messageOf(error) }
  })
  const distinct = new Map(problems.map((problem) => [problem.place + problem.message, problem]))
  return [...distinct.values()]
}

/** @param place place of the value; empty where the paths of the validator begin with it */
function placeOf({ instancePath, params }: ValidationError, place: string): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params
  const segments = instancePath.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? ''
  return [place, ...segments, name].filter(Boolean).join('/')
}

/** Names the keyword and its value; the server has sentences for people (server/errors/validation-problems.ts). */
function messageOf({ keyword, params: { type, allowed, ...params } }: ValidationError): string {
  if (type !== undefined) return `must be ${[type].flat().join(' or ')}`
  if (keyword === 'required') return 'is required'
  return `breaks ${keyword} ${[allowed ?? Object.values(params)].flat().join(', ')}`.trimEnd()
}
