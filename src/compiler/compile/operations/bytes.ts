/** Bodies of bytes: their bounds, and what `x-stream` has no effect on. */
import {
  anyValue,
  type Content,
  endOf,
  make,
  type Problem,
  type Schema,
  streamKey
} from '@contract-first/contract'

/**
 * Returns the schema of a body of bytes, which can only bound their number (OpenAPI 3.1.0, section 4.8.14.2).
 * @returns undefined when the schema sets no bound
 */
export function boundsOfBytes(schema: Schema): Schema | undefined {
  const { types = new Set(), minLength, maxLength, origin } = endOf(schema)
  if ((minLength === undefined && maxLength === undefined) || [...types].some((type) => type !== 'string'))
    return undefined
  return make(
    {
      types: new Set(['string'] as const),
      format: 'binary',
      ...(minLength !== undefined && { minLength }),
      ...(maxLength !== undefined && { maxLength })
    },
    { origin }
  )
}

/** Returns what is wrong with `x-stream` of a request body. */
export function streamProblems(content: Content): Problem[] {
  const { mediaType, kind, isStreamed, sequence, schema = anyValue, extensions, origin } = content
  const value = extensions[streamKey]
  const problem = (severity: Problem['severity'], message: string, key = streamKey): Problem[] => [
    { severity, rule: streamKey, message, origin: origin.at(key) }
  ]
  if (value === undefined || value === false) return []
  if (value !== true) return problem('error', `${streamKey} must be true or false`)
  if (sequence !== undefined)
    return problem('warning', `${streamKey} has no effect: items are always streamed`)
  if (!isStreamed)
    return problem('warning', `${streamKey} has no effect: a body of ${mediaType} is read as a whole`)
  if (kind !== 'bytes' || boundsOfBytes(schema) === undefined) return []
  const message = `minLength and maxLength of a streamed body have no effect: x-body-limit bounds it`
  return problem('warning', message, 'schema')
}
