/** Formats and patterns, as the compiled validators check them. */

import { pattern } from '@contract-first/engine/model'
import { translatePattern } from '../compile/document/translate-pattern.ts'
import { formatCheck } from '../compile/validators/ajv/formats.ts'

/** Checks a format; accepts every text of a format that no validator enforces. */
export function isOfFormat(format: string, text: string): boolean {
  return formatCheck(format)?.(text) ?? true
}

/** Checks a pattern; accepts every text if the pattern is not ECMA-262, because the compiler does not enforce it. */
export function matchesPattern(source: string, text: string): boolean {
  const translated = translatePattern(source)
  return translated === undefined || pattern(translated).test(text)
}
