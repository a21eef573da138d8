/** Checks the items of a sequence, and writes each in the framing of its media type. */
import type { ItemForm, Items } from '../../model/value-plans.ts'
import { isThenable } from '../errors/callbacks.ts'
import type { Checks } from './body.ts'
import { discard } from './discard.ts'

/**
 * Writes the item with this index.
 * @throws {Error} for an item that is not as declared
 */
export type WriteItem = (item: unknown, index: number) => string

interface Item {
  readonly value: unknown
  /** `body/7` */
  readonly place: string
  readonly isText: boolean
  readonly serialize: (value: unknown) => string
}

export function itemWriter({ framing, isEvent, forms }: Items, checks: Checks): WriteItem {
  const write = { events: isEvent ? event : dataOnly, lines: line, texts: text }[framing]
  return (given, index) => {
    const place = `body/${index}`
    const value = checks.wire(given)
    if (['undefined', 'function', 'symbol'].includes(typeof value))
      throw new Error(`${place} is ${typeof value}`)
    if (isThenable(value)) {
      discard(value)
      throw new Error(`${place} is a promise: await is missing`)
    }
    const form = formOf({ value, place }, forms, checks)
    const isText = form.isText === true
    const serialize = isText ? String : (part: unknown) => checks.serialize(form.serialize, part)
    return write({ value, place, isText, serialize })
  }
}

/**
 * Returns the first form that accepts the item.
 * @throws {Error} with the problems of the form that the type of the data suggests
 */
function formOf(
  { value, place }: Pick<Item, 'value' | 'place'>,
  forms: readonly ItemForm[],
  { accepts, problems }: Checks
): ItemForm {
  const found = forms.find(({ validate }) => accepts(validate, value))
  if (found !== undefined) return found
  const isText = [value, Object(value).data].some((data) => typeof data === 'string')
  const closest = isText ? forms[0] : forms.at(-1)
  throw new Error(problems(closest?.validate, place))
}

const line = ({ value, serialize }: Item): string => `${serialize(value)}\n`

/** RFC 7464, section 2.2. */
const text = ({ value, serialize }: Item): string => `\x1e${serialize(value)}\n`

const dataOnly = (item: Item): string => `${dataLines(item.value, item)}\n`

/** Fields of an event beside its data. Clients ignore an id with NUL, and a retry that is not of digits. */
const fields = [
  ['event', /^[^\r\n]*$/, 'must be one line of text'],
  ['id', /^[^\r\n\0]*$/, 'must be one line of text without NUL'],
  ['retry', /^\d+$/, 'must be a whole number of milliseconds']
] as const

/** Writes an event (WHATWG HTML, section 9.2.6). */
function event(item: Item): string {
  const members = item.value as Readonly<Record<string, unknown>>
  const lines = fields.map(([name, allowed, problem]) => {
    const value = members[name]
    if (value === undefined || value === null) return ''
    if (typeof value === 'object' || !allowed.test(String(value)))
      throw new Error(`${item.place}/${name} ${problem}`)
    return `${name}: ${value}\n`
  })
  return `${lines.join('')}${dataLines(members['data'], item)}\n`
}

/** Writes each line of the data as a field; clients join them by line feeds. */
function dataLines(data: unknown, { isText, serialize }: Item): string {
  if (data === undefined || (isText && data === null)) return ''
  const lines = serialize(data).split(/\r\n|\r|\n/)
  return lines.map((part) => `data: ${part}\n`).join('')
}

/**
 * Returns what a silent stream sends: a comment among events; after a text of RFC 7464 a line feed, which is white space
 * of its JSON. JSON lines have nothing for it, because a blank line is not a JSON value.
 * @param count number of items that were sent
 */
export function heartbeatText({ framing }: Items, count: number): string {
  if (framing === 'events') return ':\n\n'
  return framing === 'texts' && count > 0 ? '\n' : ''
}
