/** Text of an environment variable → typed value. A parser throws {@link Unexpected} when the text is not of its form. */
import { isIP } from 'node:net'
import { bearerToken } from '../credentials/bearer-token.ts'

/** The text is not what the variable takes; the message completes the sentence "expected …". */
export class Unexpected extends Error {
  override readonly name = 'Unexpected'
}

const largestTimer = 2_147_483_647

export const text = (value: string): string => value

export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    throw new Unexpected(`a whole number from ${least} to ${most}`)
  }
}

/** Node's timers hold 31 bits; a longer time would fire at once. */
export const milliseconds = wholeNumber(1, largestTimer)

export const port = wholeNumber(0, 65_535)

export function oneOf<const T extends string>(...choices: readonly T[]): (value: string) => T {
  return (value) => {
    const choice = choices.find((each) => each === value)
    if (choice !== undefined) return choice
    throw new Unexpected(`one of ${choices.join(', ')}`)
  }
}

/** `off` switches the thing off, as the absence of the variable does. */
export function orOff<T>(parse: (value: string) => T): (value: string) => T | undefined {
  return (value) => (value === 'off' ? undefined : parse(value))
}

/** The parts between commas, without the space around them; empty parts do not count. */
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

/** A path of plain segments, because the router gives `:`, `*` and `%` in a route a meaning of their own. */
export function baseUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const plain = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === ''
  if (plain && /^(\/[\w.~-]+)*\/?$/.test(url.pathname) && !/[?#]/.test(value)) return url
  throw new Unexpected(
    'an http or https URL such as https://plants.example/api, without user, query or fragment'
  )
}

/** The engine by its scheme, and something to name the database by; the rest is the business of the store's adapters. */
export function databaseUrl(value: string): string {
  if (/^(sqlite:[^\0]+|postgres(ql)?:\/\/\S+)$/.test(value)) return value
  throw new Unexpected('sqlite:PATH, or postgres://USER:PASSWORD@HOST:PORT/DATABASE')
}

/** Keys that came over plain HTTP from another machine could be anybody's; on this machine there is nobody between. */
export function jwksUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const local = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url !== undefined && (url.protocol === 'https:' || local)) return url
  throw new Unexpected('an https URL, or an http one of this machine')
}

export function tokens(value: string): readonly string[] {
  const all = list(value)
  if (value !== '' && all.length === 0) throw new Unexpected('at least one token')
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
  if (Number(max) >= 1 && windowMs >= 1 && windowMs <= largestTimer)
    return Object.freeze({ max: Number(max), windowMs })
  throw new Unexpected(
    'REQUESTS/WINDOW, such as 100/1m, with a window in s, m, h or d of at most 24d, or off'
  )
}

/** RFC 6454: scheme, host and port, spelled as a browser does; it is compared as text. */
export function origins(value: string): readonly string[] {
  const all = list(value)
  const exact = (each: string) => /^https?:/.test(each) && URL.canParse(each) && new URL(each).origin === each
  if (all.every(exact)) return all
  throw new Unexpected('origins such as https://app.example, without path or final slash, or off')
}

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** No number of proxies: it can not tell a proxy from a client that claims to be one, so Fastify trusts nobody by it. */
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
