/** Bodies of bytes. */
import { endOf, make, type Schema } from '@contract-first/contract'

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
