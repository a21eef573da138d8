/** The formats of texts that validators check, by name. The functions are those of generated code. */
import * as checks from '@contract-first/engine/runtime/formats'

type Check = (text: string) => boolean

/** Returns the name under which the module exports a format. */
export const formatInCode = (format: string): string => format.replaceAll('-', '_')

/** Formats that the validator enforces; int32 and int64 bound numbers. */
export const enforcedFormats: ReadonlySet<string> = new Set([
  ...Object.keys(checks).map((name) => name.replaceAll('_', '-')),
  'int32',
  'int64'
])

/** Formats of the OpenAPI registry that every value of their type has. */
export const describedFormats: ReadonlySet<string> = new Set(['binary', 'password', 'float', 'double'])

/** @returns undefined for a format that is not checked on strings */
export function formatCheck(format: string): Check | undefined {
  const name = formatInCode(format)
  return Object.hasOwn(checks, name) ? Reflect.get(checks, name) : undefined
}
