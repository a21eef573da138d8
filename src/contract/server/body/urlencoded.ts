import type { RequestContent } from '../../model/compiled-contract.ts'
import { fieldSpecs, isDeclared, readTexts } from './fields.ts'

/**
 * Reads a body of `application/x-www-form-urlencoded` (WHATWG URL, section 5.1). Fields without a declared type stay
 * strings.
 * @throws {FailureError} `mismatch`
 */
export function urlencodedBody(text: string, content: RequestContent): Record<string, unknown> {
  const sent = new URLSearchParams(text)
  const result = readTexts(text, fieldSpecs(new Set(sent.keys()), content))
  for (const [name, value] of sent) if (!(name in result) && !isDeclared(name, content)) result[name] = value
  return result
}
