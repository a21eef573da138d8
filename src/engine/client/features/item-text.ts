/** Writes the items of a sequence in the framing of its media type (OpenAPI 3.2.0, section 4.14.3). */
import type { Items } from '../../model/value-plans.ts'
import { exactStringify } from '../../runtime/serializers.ts'
import { Unsendable } from '../parameter-text.ts'

/** @throws {Unsendable} for an event that its media type cannot carry */
export function itemText({ framing, isEvent, forms }: Items, item: unknown): string {
  if (framing === 'lines') return `${exactStringify(item)}\n`
  // RFC 7464, section 2.2.
  if (framing === 'texts') return `\x1e${exactStringify(item)}\n`
  const event: Readonly<Record<string, unknown>> = isEvent ? Object(item) : { data: item }
  const isText = forms.some((form) => form.isText === true) && typeof event['data'] === 'string'
  return `${eventFields(event)}${dataLines(event['data'], isText)}\n`
}

/** Writes the fields of an event beside its data (WHATWG HTML, section 9.2.6). */
function eventFields(event: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(([name, allowed]) => {
    const value = event[name] ?? undefined
    if (value === undefined) return ''
    if (typeof value === 'object' || !allowed.test(String(value)))
      throw new Unsendable(`has a field ${name} that no event carries`)
    return `${name}: ${value}\n`
  })
  return lines.join('')
}

/** Clients ignore an id with NUL, and a retry that is not of digits. */
const fields = { event: /^[^\r\n]*$/, id: /^[^\r\n\0]*$/, retry: /^\d+$/ }

function dataLines(data: unknown, isText: boolean): string {
  if (data === undefined) return ''
  const lines = isText ? String(data).split(/\r\n|\r|\n/) : [exactStringify(data)]
  return lines.map((line) => `data: ${line}\n`).join('')
}
