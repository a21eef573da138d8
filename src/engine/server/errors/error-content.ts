/** The contents that a contract declares for its errors. */
import type { Operation, ResponseContent } from '../../model/compiled-contract.ts'

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
