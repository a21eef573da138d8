import { isUtf8 } from 'node:buffer'
import { FailureError } from '../errors/failure.ts'

const byteOrderMark = 0xfeff

/**
 * Decodes a text; a byte order mark is ignored, as RFC 8259, section 8.1, permits.
 * @throws {FailureError} `malformed-body` for bytes that are not UTF-8
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new FailureError('malformed-body', { message: 'the body is not valid UTF-8' })
  const text = bytes.toString('utf8')
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}
