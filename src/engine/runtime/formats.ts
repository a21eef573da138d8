/**
 * Formats of texts (JSON Schema Validation 2020-12, section 7.3; OpenAPI format registry). Generated validators call
 * them; a bundler keeps those that a contract uses. Each takes time in proportion to the length of the text: no
 * expression has two ways to match the same characters.
 */
import { isALabel } from './a-labels.ts'
import { ipv4, ipv6, uri_reference } from './uris.ts'

export { iri, iri_reference, uri, url } from './uris.ts'
export { ipv4, ipv6, uri_reference }

const dates = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Checks `full-date` (RFC 3339, section 5.6). */
export function date(text: string): boolean {
  const [, year, month, day] = dates.exec(text) ?? []
  if (year === undefined) return false
  const longest = [4, 6, 9, 11].includes(Number(month)) ? 30 : 31
  return Number(day) <= (month === '02' ? (isLeap(Number(year)) ? 29 : 28) : longest)
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const times = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(z|([+-])([01]\d|2[0-3]):([0-5]\d))?$/i
const minutesOfDay = 24 * 60

/** A time of day as read. */
interface Clock {
  readonly isLeapSecond: boolean
  readonly hasOffset: boolean
  /** Minutes since midnight, and after the conversion to UTC, which may be of the day before or after. */
  readonly minutes: number
  readonly utcMinutes: number
}

function clockOf(text: string): Clock | undefined {
  const [whole, hour, minute, second, offset, sign, hours = '0', others = '0'] = times.exec(text) ?? []
  if (whole === undefined) return undefined
  const minutes = Number(hour) * 60 + Number(minute)
  const shift = (Number(hours) * 60 + Number(others)) * (sign === '-' ? -1 : 1)
  return {
    isLeapSecond: second === '60',
    hasOffset: offset !== undefined,
    minutes,
    utcMinutes: minutes - shift
  }
}

/** A leap second ends a day of UTC (RFC 3339, section 5.7). */
const isAtEndOfDay = ({ utcMinutes }: Clock): boolean => (utcMinutes + 1 + minutesOfDay) % minutesOfDay === 0

/** Checks `full-time` (RFC 3339, section 5.6). */
export function time(text: string): boolean {
  const clock = clockOf(text)
  return clock?.hasOffset === true && isPossible(clock)
}

/** Checks a time whose offset may be missing. */
export function iso_time(text: string): boolean {
  const clock = clockOf(text)
  return clock !== undefined && isPossible(clock)
}

const isPossible = (clock: Clock): boolean => !clock.isLeapSecond || isAtEndOfDay(clock)

/** Checks `date-time` (RFC 3339, section 5.6). */
export function date_time(text: string): boolean {
  return /^.{10}t/i.test(text) && isMoment(text) && time(text.slice(11))
}

/** Checks a date and a time whose offset may be missing; a space may separate them. */
export function iso_date_time(text: string): boolean {
  return /^.{10}[t ]/i.test(text) && isMoment(text)
}

/** Checks both parts; a leap second ends the last day of a month of UTC. */
function isMoment(text: string): boolean {
  const clock = clockOf(text.slice(11))
  if (clock === undefined || !date(text.slice(0, 10))) return false
  if (!clock.isLeapSecond) return true
  const next = new Date(Date.parse(text.slice(0, 10)) + (clock.utcMinutes + 1) * 60_000)
  return isAtEndOfDay(clock) && next.getUTCDate() === 1
}

/** Checks `duration` (RFC 3339, appendix A). */
export const duration = (text: string): boolean =>
  /^P(?=.)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/.test(
    text
  )

const mailboxes =
  /^(?:[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")@(?:((?:[\da-z](?:[\da-z-]*[\da-z])?\.)*[\da-z](?:[\da-z-]*[\da-z])?)|\[(?:(ipv6):)?([\d.:a-f]+)\])$/i

/** Checks `Mailbox` (RFC 5321, section 4.1.2), with the only registered kind of address literals, `IPv6`. */
export function email(text: string): boolean {
  const [, domain, tag, address] = mailboxes.exec(text) ?? []
  if (address === undefined) return domain !== undefined
  return tag === undefined ? ipv4(address) : ipv6(address) && !omitsOneGroup(address)
}

/** In a mailbox, `::` stands for two groups at least (RFC 5321, section 4.1.3). */
const omitsOneGroup = (address: string): boolean =>
  address.includes('::') && ipv6(address.replace('::', ':0:').replaceAll(/^:|:$/g, ''))

const maxHostname = 253

/** Checks a host name (RFC 1123, section 2.1) whose labels may be A-labels (RFC 5890, section 2.3.2.1). */
export function hostname(text: string): boolean {
  return text.length <= maxHostname && text.split('.').every(isLabel)
}

const isLabel = (label: string): boolean =>
  /^(?!-)[\da-z-]{1,63}$/i.test(label) && !label.endsWith('-') && (!/^xn--/i.test(label) || isALabel(label))

/** Checks the text form of a UUID (RFC 4122, section 3). */
export const uuid = (text: string): boolean =>
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)

/** Characters that a literal must not have (RFC 6570, section 2.1; erratum 6937 allows the apostrophe). */
const notInLiteral =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
  /[\x00-\x20"<>\\^`{|}\x7f-\x9f\ud800-\udfff\ufff0-\uffff\u{e0000}-\u{e0fff}]|\p{Noncharacter_Code_Point}|%(?![\da-f]{2})/iu
const expression = /\{[+#./;?&=,!@|]?([^{}]*)\}/
const variable = /^(?:\w|%[\da-f]{2})+(?:\.(?:\w|%[\da-f]{2})+)*(?::[1-9]\d{0,3}|\*)?$/i

/** Checks a URI template (RFC 6570, section 2). */
export const uri_template = (text: string): boolean =>
  // The split also returns the group: each literal is followed by the variables of an expression.
  text
    .split(expression)
    .every((part, index) =>
      index % 2 === 0 ? !notInLiteral.test(part) : part.split(',').every((name) => variable.test(name))
    )

/** Checks a JSON pointer (RFC 6901, section 3). */
export const json_pointer = (text: string): boolean =>
  text === '' || (text.startsWith('/') && !/~(?![01])/.test(text))

/** Checks a JSON pointer in a URI fragment, with its `#` (RFC 6901, section 6). */
export function json_pointer_uri_fragment(text: string): boolean {
  if (!text.startsWith('#') || !uri_reference(text)) return false
  try {
    return json_pointer(decodeURIComponent(text.slice(1)))
  } catch {
    return false // the octets are not UTF-8
  }
}

/** Checks a relative JSON pointer (draft-bhutton-relative-json-pointer-00, section 3; `#` after an index: section 5.1). */
export function relative_json_pointer(text: string): boolean {
  const [start] = /^(?:0|[1-9]\d*)(?:[+-](?:0|[1-9]\d*))?/.exec(text) ?? []
  if (start === undefined) return false
  const rest = text.slice(start.length)
  return rest === '#' || json_pointer(rest)
}

/** Checks a regular expression of ECMA-262, with the flag `u`. */
export function regex(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

/** Checks Base64 in one line (RFC 4648, section 4). */
export const byte = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text)
