/** Which of the declared media types an answer is of: the handler says it, or the client chooses (RFC 9110, section 12.5.1). */

import { negotiate } from '../../media-types/accept.ts'
import { mediaTypeMatcher } from '../../media-types/content-type.ts'
import type { Operation, Response, ResponseContent } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import type { Answer } from './answer.ts'
import type { Checks } from './checks.ts'
import { isBytes } from './payload.ts'

/** The media types that an operation declares for its successes, and whether there is a choice: one response has several. */
export function offers({ responses }: Operation): { mediaTypes: readonly string[]; hasChoice: boolean } {
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [content] : []
  )
  return {
    mediaTypes: [...new Set(contents.flat().map(typeOf))],
    hasChoice: contents.some((content) => content.length > 1)
  }
}

/** @returns undefined where no content is declared */
export type ChooseContent = (
  response: Response,
  answer: Answer,
  contentType: string | string[] | undefined,
  accept: string | undefined
) => ResponseContent | undefined

export function contentChooser(checks: Checks): ChooseContent {
  const matchers = new WeakMap<Response, (contentType: string) => number>()
  return (response, answer, contentType, accept) => {
    const { content } = response
    if (contentType !== undefined) return declared(response, String(contentType))
    if (content.length < 2) return content[0]
    const fitting = content.filter((candidate) => fits(candidate, answer.body, checks))
    if (fitting.length === 0) return content[0]
    return preferred(fitting, accept, answer.status)
  }

  function declared(response: Response, contentType: string): ResponseContent {
    const match = matchers.get(response) ?? mediaTypeMatcher(response.content.map(typeOf))
    matchers.set(response, match)
    const chosen = response.content[match(contentType)]
    if (chosen === undefined) throw new Error(`media type ${contentType} is not declared`)
    return chosen
  }
}

const typeOf = ({ mediaType }: ResponseContent): string => mediaType

/** An error is told in whatever there is (RFC 9110, section 15.5.7 leaves it open); a success only as it is wanted. */
function preferred(
  contents: readonly ResponseContent[],
  accept: string | undefined,
  status: number
): ResponseContent | undefined {
  const index = negotiate(accept, contents.map(typeOf))
  if (index < 0 && status < 300) throw new FailureError('not-acceptable')
  return contents[Math.max(0, index)]
}

/** Whether the body could be sent as this: a handler that makes several representations returns the one it has made. */
function fits({ kind, validate, mediaType }: ResponseContent, body: unknown, { accepts }: Checks): boolean {
  if (body === undefined || mediaType.includes('*')) return true
  if (isBytes(body)) return kind !== 'json'
  return kind === 'json' || typeof body === 'string' ? accepts(validate, body) : false
}
