/** Strings that hold bytes. */
import { bodyKind } from '@contract-first/engine/media-types'
import type { Schema } from '../model/schema.ts'

/**
 * Returns true for a string of bytes: `format: binary`, or since 3.1 a media type other than text (OpenAPI 3.1.0,
 * section 4.8.14.2).
 */
export function holdsBytes({ types, format, content }: Schema): boolean {
  if (types?.has('string') !== true) return false
  const isTyped = content?.mediaType !== undefined && content.encoding === undefined
  return format === 'binary' || (isTyped && bodyKind(content.mediaType) === 'binary')
}
