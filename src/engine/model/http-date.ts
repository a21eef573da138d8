/** Dates of HTTP headers (RFC 9110, section 5.6.7). */

/** IMF-fixdate, and the obsolete forms of RFC 850 and asctime. */
const dateForms = [
  /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\S{8}) GMT$/,
  /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\S{8}) GMT$/,
  /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\S{8}) (?<year>\d{4})$/
]

/** Returns the milliseconds since 1970 of an HTTP-date; NaN for any other text. */
export function httpDate(value: string | string[] | undefined): number {
  if (value === undefined) return Number.NaN
  const texts = dateForms.map((form) => form.exec(value.toString())?.groups)
  const { day = '', month, year = '', time } = texts.find((groups) => groups !== undefined) ?? {}
  // Two digits are the latest such year that is at most 50 years ahead.
  const latest = new Date().getUTCFullYear() + 50
  const fullYear = year.length === 2 ? latest - ((latest - Number(year)) % 100) : year
  const text = `${day.replace(' ', '0')} ${month} ${fullYear} ${time} GMT`
  const date = new Date(text)
  return date.toUTCString().endsWith(text) ? date.getTime() : Number.NaN
}
