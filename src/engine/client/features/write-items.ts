/** Checks the items of a sequence, and writes them in the framing of its media type (OpenAPI 3.2.0, section 4.14.3). */
import type { Checker, SentBody } from '../../model/client-operation.ts'
import type { Items } from '../../model/value-plans.ts'
import { exactStringify } from '../../runtime/serializers.ts'
import { wireValues } from '../../runtime/wire-values.ts'
import { Unsendable } from '../parameter-text.ts'
import { byteStream } from './streams.ts'

/** Writes values of a project's own formats as texts. */
export const wire = <Value>(value: Value, { formats }: Checker): Value =>
  (wireValues(formats)?.(value) as Value | undefined) ?? value

/**
 * Writes a list at once, so that the request can be repeated; other iterables item by item, while they are sent.
 * @param onError receives the error of an item that is written while it is sent
 * @throws {Error} of the checker
 */
export function writeItems(
  items: Items,
  body: unknown,
  checker: Checker,
  onError: (error: unknown) => void
): SentBody {
  if (Array.isArray(body)) return body.map((item, index) => checkedItem(items, item, index, checker)).join('')
  const iterable = Object(body)
  if (!(Symbol.asyncIterator in iterable || Symbol.iterator in iterable))
    throw checker.problem('body', 'must be an iterable of items')
  return byteStream(texts(items, iterable, checker), onError)
}

async function* texts(
  items: Items,
  body: AsyncIterable<unknown>,
  checker: Checker
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let index = 0
  for await (const item of body) yield encoder.encode(checkedItem(items, item, index++, checker))
}

/** @throws {Error} of the checker, by the last form of an item that has two */
function checkedItem(
  items: Items,
  given: unknown,
  index: number,
  { check, problem, validators, formats }: Checker
): string {
  const item = wireValues(formats)?.(given) ?? given
  const place = `body/${index}`
  const fits = items.forms.some(({ validate }) => validators[validate]?.(item) !== false)
  if (!fits) check(items.forms.at(-1)?.validate, item, place)
  try {
    return itemText(items, item)
  } catch (error) {
    throw problem(place, (error as Error).message)
  }
}

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
