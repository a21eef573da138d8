/** Chooses the media type of a response: the one that the handler sets, or the client prefers (RFC 9110, 12.5.1). */
import { negotiate } from '../../media-types/accept.ts'
import { cachedByText, mediaTypeMatcher } from '../../media-types/content-type.ts'
import type { Operation, Response, ResponseContent } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import type { Checks } from './checks.ts'
import type { HandlerResponse } from './handler-response.ts'
import { isBytes } from './payload.ts'

export interface Offers {
  /** Distinct media types of all successes. */
  readonly mediaTypes: readonly string[]
  /** True if one response has several media types. */
  readonly hasChoice: boolean
}

export function offers({ responses }: Operation): Offers {
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [content] : []
  )
  return {
    mediaTypes: [...new Set(contents.flat().map(typeOf))],
    hasChoice: contents.some((content) => content.length > 1)
  }
}

/**
 * @param contentType value of the header in the handler's response
 * @param accept value of the header in the request
 * @returns undefined for a response without content
 * @throws {FailureError} `not-acceptable`
 */
export type ChooseContent = (
  declared: Response,
  response: HandlerResponse,
  contentType: string | string[] | undefined,
  accept: string | undefined
) => ResponseContent | undefined

export function contentChooser(checks: Checks): ChooseContent {
  const matchers = new WeakMap<Response, (contentType: string) => number>()
  return (declared, response, contentType, accept) => {
    const { content } = declared
    if (contentType !== undefined) return named(declared, String(contentType))
    if (content.length < 2) return content[0]
    const suitable = content.filter((candidate) => suits(candidate, response.body, checks))
    if (suitable.length === 0) return content[0]
    return preferred(suitable, accept, response.status)
  }

  function named(declared: Response, contentType: string): ResponseContent {
    const match = matchers.get(declared) ?? cachedByText(mediaTypeMatcher(declared.content.map(typeOf)))
    matchers.set(declared, match)
    const chosen = declared.content[match(contentType)]
    if (chosen === undefined) throw new Error(`media type ${contentType} is not declared`)
    return chosen
  }
}

const typeOf = ({ mediaType }: ResponseContent): string => mediaType

/** Returns the preferred content. Errors ignore an Accept that matches nothing (RFC 9110, section 15.5.7). */
function preferred(
  contents: readonly ResponseContent[],
  accept: string | undefined,
  status: number
): ResponseContent | undefined {
  const index = negotiate(accept, contents.map(typeOf))
  if (index < 0 && status < 300) throw new FailureError('not-acceptable')
  return contents[Math.max(0, index)]
}

/** Returns true if the body fits this content, because handlers return one of several representations. */
function suits({ kind, validate, mediaType }: ResponseContent, body: unknown, { accepts }: Checks): boolean {
  if (body === undefined || mediaType.includes('*')) return true
  if (isBytes(body)) return kind !== 'json'
  return kind === 'json' || typeof body === 'string' ? accepts(validate, body) : false
}
