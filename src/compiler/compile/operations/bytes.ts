/** Strings that hold bytes. */
import { endOf, make, type Schema } from '@contract-first/contract'
import { bodyKind } from '@contract-first/engine/media-types'

/**
 * Returns true for a string of bytes: `format: binary`, or since 3.1 a media type other than text (OpenAPI 3.1.0,
 * section 4.8.14.2).
 */
export function holdsBytes({ types, format, content }: Schema): boolean {
  if (types?.has('string') !== true) return false
  const isTyped = content?.mediaType !== undefined && content.encoding === undefined
  return format === 'binary' || (isTyped && bodyKind(content.mediaType) === 'binary')
}

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
