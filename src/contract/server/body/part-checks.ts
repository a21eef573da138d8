/** Checks the headers of parts against the encoding that the contract declares for their field. */
import { mediaTypeMatcher } from '../../media-types/content-type.ts'
import type { FieldSpec } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { fieldPlace } from './failures.ts'
import type { Part } from './part.ts'

/**
 * Accepts a part without Content-Type, because it claims no other type.
 * @throws {FailureError} `unsupported-media-type`, which names the part
 */
export function checkPart(name: string, part: Part, field: FieldSpec | undefined): void {
  const { contentTypes, transferEncoding } = field ?? {}
  if (part.encoding !== undefined && part.encoding !== transferEncoding)
    throw unsupported(name, 'must be sent as it is, without Content-Transfer-Encoding')
  if (contentTypes === undefined || part.mediaType === undefined) return
  if (mediaTypeMatcher(contentTypes)(part.mediaType) < 0)
    throw unsupported(name, `must be of media type ${contentTypes.join(' or ')}`)
}

function unsupported(name: string, problem: string): FailureError {
  return new FailureError('unsupported-media-type', { message: `${fieldPlace(name)} ${problem}` })
}
