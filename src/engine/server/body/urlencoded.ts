import type { RequestContent } from '../../model/compiled-contract.ts'
import { tooManyFields } from './failures.ts'
import { type Form, fieldSpecs, isDeclared, maxFields, readTexts } from './fields.ts'

/**
 * Reads a body of `application/x-www-form-urlencoded` (WHATWG URL, section 5.1). Fields without a declared type stay
 * strings.
 * @throws {FailureError} `body-too-large`
 */
export function urlencodedForm(text: string, content: RequestContent): Form {
  const sent = new URLSearchParams(text)
  if (sent.size > maxFields) throw tooManyFields(maxFields)
  return {
    specs: fieldSpecs(new Set(sent.keys()), content),
    read(specs) {
      const result = readTexts(text, specs)
      for (const [name, value] of sent)
        if (!(name in result) && !isDeclared(name, content)) result[name] = value
      return result
    }
  }
}
