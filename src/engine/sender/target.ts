/** The URL that a request is sent to. It often comes from a client, so that it must not lead into the own network. */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { percentEncoded, withPathValue } from '../client/parameter-text.ts'
import { unescapePointer } from '../json/pointer.ts'
import type { AnsweredExchange } from '../model/contract-types.ts'

/** Target that is not called; nothing was sent. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** Resolves a host name as `dns.lookup` does. */
export type Lookup = (
  host: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

export interface TargetRules {
  /** True to call private, loopback and other reserved addresses, too. */
  readonly allowPrivateAddresses?: boolean | undefined
  /** Replaces the resolver of the system. */
  readonly lookup?: Lookup | undefined
}

/** @throws {TargetRefused} for a URL that is never called, whatever its name resolves to */
export function targetOf(text: string | URL, { allowPrivateAddresses }: TargetRules): URL {
  const url = URL.parse(String(text))
  if (url === null) throw new TargetRefused('the target is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TargetRefused(`the target has the scheme ${url.protocol.slice(0, -1)}; http or https is needed`)
  if (url.username !== '' || url.password !== '') throw new TargetRefused('the target has credentials')
  const host = hostOf(url)
  if (!allowPrivateAddresses && isIP(host) !== 0 && !isPublicAddress(host)) throw privateTarget(host)
  return url
}

/** Returns the host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const privateTarget = (host: string): TargetRefused =>
  new TargetRefused(`${host} is not a public address; allowPrivateAddresses permits it`)

/**
 * Returns the function by which a socket resolves a name. It connects to one of the addresses that are returned here, so
 * that no later answer of a DNS server replaces them.
 */
export function guardedLookup({
  allowPrivateAddresses,
  lookup = systemLookup as Lookup
}: TargetRules): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const allowed = addresses.filter(({ address }) => allowPrivateAddresses || isPublicAddress(address))
      const [first] = allowed
      if (first === undefined) return callback(privateTarget(host), [])
      if (options.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    })
  }
}

const reserved4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3]
]

/** Within 2000::/3, which holds every global unicast address: Teredo and protocols, documentation, 6to4. */
const reserved6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20]
]

const reserved = new BlockList()
for (const [network, prefix] of reserved4) reserved.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of reserved6) reserved.addSubnet(network, prefix, 'ipv6')
const unicast6 = new BlockList()
unicast6.addSubnet('2000::', 3, 'ipv6')

/**
 * Returns true for an address that is reachable from anywhere (IANA special-purpose address registries, RFC 6890), and
 * false for a text that is no address. An IPv4 address in one of IPv6 is not public, as no DNS has such ones.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  return isIP(address) === 6 && unicast6.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/**
 * Returns the target of a callback with the values of its runtime expressions (OpenAPI 3.1.0, section 4.8.20.4). The
 * value of an expression at its beginning is taken as it is; later ones are percent-encoded.
 * @throws {TargetRefused} for an expression without a value that a URL can have at this place
 */
export function targetIn(template: string, exchange: AnsweredExchange): string {
  const [first = '', ...rest] = template.split(/\{(\$[^}]*)\}/)
  let target = first
  for (let index = 0; index < rest.length; index += 2) {
    const [expression = '', literal = ''] = rest.slice(index)
    target = withValue(target, evaluated(expression, exchange), expression, literal) + literal
  }
  return target
}

/** @param literal text behind the expression */
function withValue(start: string, value: unknown, expression: string, literal: string): string {
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    throw new TargetRefused(`${expression} has no value that a URL can have`)
  if (start === '') return String(value)
  try {
    const encoded = percentEncoded(String(value))
    return /[?#]/.test(start) ? start + encoded : withPathValue(start, encoded, literal)
  } catch (error) {
    throw new TargetRefused(`${expression} ${(error as Error).message}`)
  }
}

function evaluated(expression: string, { request, response = {} }: AnsweredExchange): unknown {
  const whole = { $url: request.url, $method: request.method, $statusCode: response.status }
  if (Object.hasOwn(whole, expression)) return whole[expression as keyof typeof whole]
  const [, side, place, name = ''] =
    /^\$(request|response)\.(?:(header|query|path)\.(.+)|body(?:#.*)?)$/s.exec(expression) ?? []
  const message: AnsweredExchange['request'] = side === 'request' ? request : response
  if (side === undefined) throw new TargetRefused(`${expression} is not a runtime expression`)
  if (place === undefined) return atPointer(message.body, expression.split('#')[1] ?? '')
  if (place === 'header') return headerOf(message, name)
  return memberOf(place === 'query' ? message.query : message.params, name)
}

/** Header names have no case (RFC 9110, section 5.1). Headers as sent come before those of the contract. */
function headerOf({ headers, allHeaders }: AnsweredExchange['request'], name: string): unknown {
  const all = [...Object.entries(allHeaders ?? {}), ...Object.entries(headers ?? {})]
  return all.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1]
}

/** Follows a JSON pointer (RFC 6901). */
function atPointer(body: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.map(unescapePointer).reduce(memberOf, body)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
