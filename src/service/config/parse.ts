/** Parses the texts of environment variables into typed values. A parser throws {@link Unexpected} for a wrong text. */
import { isIP } from 'node:net'

/** Error for a wrong text. The message completes the sentence "expected …". */
export class Unexpected extends Error {
  override readonly name = 'Unexpected'
}

const maxTimerMs = 2_147_483_647

export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    throw new Unexpected(`a whole number from ${min} to ${max}`)
  }
}

/** Parses milliseconds up to 31 bits: a longer timer of Node would fire at once. */
export const milliseconds = wholeNumber(1, maxTimerMs)

export const port = wholeNumber(0, 65_535)

export function oneOf<const T extends string>(...choices: readonly T[]): (value: string) => T {
  return (value) => {
    const choice = choices.find((each) => each === value)
    if (choice !== undefined) return choice
    throw new Unexpected(`one of ${choices.join(', ')}`)
  }
}

/** Parses `off` as undefined, like an absent variable. */
export function orOff<T>(parse: (value: string) => T): (value: string) => T | undefined {
  return (value) => (value === 'off' ? undefined : parse(value))
}

/** Splits at commas, trims the parts and drops the empty ones. */
export const list = (value: string): readonly string[] =>
  Object.freeze(
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  )

export function host(value: string): string {
  if (isIP(value) !== 0 || /^(?!.*\.\.)[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(value))
    return value
  throw new Unexpected('an IP address or a host name')
}

/** Parses a URL whose path has plain segments only, because `:`, `*` and `%` have a meaning in routes. */
export function baseUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const plain = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === ''
  if (plain && /^(\/[\w.~-]+)*\/?$/.test(url.pathname) && !/[?#]/.test(value)) return url
  throw new Unexpected(
    'an http or https URL such as https://service.example/api, without user, query or fragment'
  )
}

/** Checks that a scheme and a database are named. The adapter of the store checks the rest. */
export function databaseUrl(value: string): string {
  if (/^(sqlite:[^\0]+|postgres(ql)?:\/\/\S+)$/.test(value)) return value
  throw new Unexpected('sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE')
}

/** Accepts plain HTTP for this machine only: an attacker on a network could replace the keys. */
export function jwksUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const local = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url !== undefined && (url.protocol === 'https:' || local)) return url
  throw new Unexpected('an https URL, or an http one of this machine')
}

/** Syntax of the text after `Bearer` (RFC 6750, section 2.1). */
export const bearerToken = /^[A-Za-z0-9._~+/-]+=*$/

export function tokens(value: string): readonly string[] {
  const all = list(value)
  if (value !== '' && all.length === 0) throw new Unexpected('at least one token')
  if (all.some((token) => /^sha256:/i.test(token)))
    throw new Unexpected('tokens themselves; a line sha256:<hex> goes into the file of AUTH_TOKENS_FILE')
  const wrong = all.findIndex((token) => !bearerToken.test(token))
  if (wrong === -1) return all
  throw new Unexpected(
    `letters, digits and -._~+/ in token ${wrong + 1} of ${all.length} (RFC 6750, section 2.1)`
  )
}

export interface RateLimit {
  readonly max: number
  readonly windowMs: number
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function rateLimit(value: string): RateLimit {
  const [, max, count, unit = ''] = /^(\d{1,9})\/(\d{1,9})([smhd])$/.exec(value) ?? []
  const windowMs = Number(count) * (unitMs[unit] ?? 0)
  if (Number(max) >= 1 && windowMs >= 1 && windowMs <= maxTimerMs)
    return Object.freeze({ max: Number(max), windowMs })
  throw new Unexpected(
    'REQUESTS/WINDOW, such as 100/1m, with a window in s, m, h or d of at most 24d, or off'
  )
}

/** Accepts origins in the spelling of browsers only (RFC 6454), because they are compared as text. */
export function origins(value: string): readonly string[] {
  const all = list(value)
  const exact = (each: string) => /^https?:/.test(each) && URL.canParse(each) && new URL(each).origin === each
  if (all.every(exact)) return all
  throw new Unexpected('origins such as https://app.example, without path or final slash, or off')
}

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Refuses a number of proxies, because a client could pretend to be one of them. */
export function trustProxy(value: string): boolean | readonly string[] {
  if (value === 'true' || value === 'false') return value === 'true'
  const ranges = list(value)
  if (ranges.length > 0 && ranges.every((range) => namedRanges.includes(range) || isRange(range)))
    return ranges
  throw new Unexpected('true, addresses and subnets of proxies such as 10.0.0.0/8,loopback, or off')
}

function isRange(range: string): boolean {
  const [address = '', prefix = '0', ...rest] = range.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false
  return Number(prefix) <= (family === 4 ? 32 : 128)
}
