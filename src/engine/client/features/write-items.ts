/** Checks and writes the items of a sequence. */
import type { Checker, SentBody } from '../../model/client-operation.ts'
import type { Items } from '../../model/value-plans.ts'
import { wireValues } from '../../runtime/wire-values.ts'
import { itemText } from './item-text.ts'
import { byteStream } from './streams.ts'

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
