/** The contents that a contract declares for its errors, and the bodies that are made of them at boot. */
import type { CompiledCode, Operation, ResponseContent } from '../../model/compiled-contract.ts'
import type { Failure, FailureCode } from './failure.ts'
import { problemsOf, sentence } from './validation-problems.ts'

/** Returns the content for an error body: the first JSON content, or the first of any kind. */
export function errorContent(contents: readonly ResponseContent[]): ResponseContent | undefined {
  return contents.find(({ kind }) => kind === 'json') ?? contents[0]
}

/**
 * Returns the common content of all errors of a contract, if they have one media type. It has a validator and a
 * serializer only if all errors have one schema.
 */
export function commonErrorContent(operations: readonly Operation[]): ResponseContent | undefined {
  const declared = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      /^[45d]/.test(status) ? (errorContent(content) ?? []) : []
    )
  )
  const [first, ...others] = declared
  if (first === undefined || others.some(({ mediaType }) => mediaType !== first.mediaType)) return undefined
  if (others.every(({ validate, serialize }) => validate === first.validate && serialize === first.serialize))
    return first
  return { mediaType: first.mediaType, kind: first.kind }
}

type Bodies = Map<FailureCode | number, WrittenError>

const json = 'application/json'

interface ErrorText {
  /** Text of the body; undefined without a body. */
  readonly text: string | undefined
  readonly mediaType: string
  /** Disagreement between body and contract. */
  readonly unfit?: string
}

/** Text of an error body, with the value that `errorBody` returned for it. */
export interface WrittenError extends ErrorText {
  readonly made: unknown
}

/**
 * @param content undefined where the contract declares none
 * @param code undefined until it is loaded; the body is then not checked
 * @throws {TypeError} for a body that JSON cannot represent
 */
export function errorText(
  body: unknown,
  content: ResponseContent | undefined,
  code: CompiledCode | undefined
): ErrorText {
  if (content === undefined || body === undefined) return { text: JSON.stringify(body), mediaType: json }
  const mediaType = content.mediaType.includes('*') ? json : content.mediaType
  const isJson = content.kind === 'json' || content.mediaType.includes('*')
  if (!isJson && typeof body !== 'string')
    return { text: JSON.stringify(body), mediaType: json, unfit: `body is not a text, as ${mediaType} is` }
  const unfit = misfit(body, content, code)
  const serialize = isJson && unfit === undefined ? code?.serializers[String(content.serialize)] : undefined
  const text = serialize?.(body) ?? (isJson ? JSON.stringify(body) : String(body))
  return { text, mediaType, ...(unfit === undefined ? {} : { unfit }) }
}

/** Returns the disagreement between body and contract; undefined when there is none. */
function misfit(
  body: unknown,
  { validate }: ResponseContent,
  code: CompiledCode | undefined
): string | undefined {
  const validator = code?.validators[String(validate)]
  if (validator === undefined || validator(body)) return undefined
  return sentence(problemsOf(validator.errors, 'body'), 0)
}

/** Error bodies that are made at boot, and sent where `errorBody` fails for a request. */
export class PreparedErrors {
  readonly #byOperation = new Map<Operation | undefined, Bodies>()
  /** Bodies by their texts: operations with the same errors share them. */
  readonly #byText = new Map<string, Bodies>()

  /** Keeps the bodies of an operation: one for each failure, and the first of each status for the others of it. */
  add(operation: Operation | undefined, made: readonly (readonly [Failure, WrittenError])[]): void {
    const bodies: Bodies = new Map()
    for (const [{ code, status }, written] of made) {
      bodies.set(code, written)
      if (!bodies.has(status)) bodies.set(status, written)
    }
    const text = made.map(([{ code }, { text, mediaType }]) => `${code} ${mediaType} ${text}`).join('\n')
    const known = this.#byText.get(text) ?? bodies
    this.#byText.set(text, known)
    this.#byOperation.set(operation, known)
  }

  /** Returns the body for a failure, or for another one of its status; undefined without one. */
  of({ code, status }: Failure, operation: Operation | undefined): WrittenError | undefined {
    const bodies = this.#byOperation.get(operation)
    return bodies?.get(code) ?? bodies?.get(status)
  }
}
