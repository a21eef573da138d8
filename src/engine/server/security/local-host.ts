/** Hosts that are this machine. */
import { isIP } from 'node:net'

/** Returns whether a host name or address is this machine's alone, as browsers decide (Secure Contexts, section 3.1). */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1|\[::1\])$/i.test(hostname)

/**
 * Returns whether a request means this server: by an address, a name of this machine, or one of its own. Another name may
 * have been led here by the DNS server of a foreign page (DNS rebinding), which then reads answers as its own.
 * @param host value of `Host`, which every browser sends
 */
export function isOwnHost(host: string | undefined, own: readonly (string | undefined)[]): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname ?? ''
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return host === undefined || isAddress || isLoopback(hostname) || own.includes(hostname)
}
