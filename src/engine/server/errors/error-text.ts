/** Writes an error body as text, in the content that the contract declares for it. */
import type { CompiledCode, ResponseContent } from '../../model/compiled-contract.ts'
import { problemsOf, sentence } from './validation-problems.ts'

const json = 'application/json'

export interface ErrorText {
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
  if (validator === undefined || validator.call(undefined, body)) return undefined
  return sentence(problemsOf(validator.errors, 'body'), 0)
}
