/** The URL that a request is sent to. It often comes from a client, so that it must not lead into the own network. */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

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
