import { isIP } from 'node:net'

/** Matches an address with a port, as some proxies write it, or in brackets; and the zone of an IPv6 address. */
const withPort = /^(?:\[([^\]]*)\](?::\d*)?|(\d[\d.]*):\d*)$/
const zone = /%.*$/s

/**
 * Returns the IP address in a text that a client or a proxy has sent, without port, brackets and zone.
 * @returns undefined for every other text
 */
export function ipAddressOf(text: unknown): string | undefined {
  const [sent = ''] = typeof text === 'string' ? [text.trim()] : []
  const [, bracketed, plain] = withPort.exec(sent) ?? []
  const address = (bracketed ?? plain ?? sent).replace(zone, '')
  return isIP(address) === 0 ? undefined : address
}
