/** `x-stream`: media types of request bodies that handlers read as streams, and uses of it without an effect. */
import { anyValue, type Content, type Problem, streamKey } from '@contract-first/contract'
import { boundsOfBytes } from './bytes.ts'

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
