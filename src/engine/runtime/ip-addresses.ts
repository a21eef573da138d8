/** Texts of IP addresses. */

/** Checks four decimal octets without leading zeros (RFC 2673, section 3.2; RFC 3986, section 3.2.2). */
export const ipv4 = (text: string): boolean =>
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)

/** Most characters: eight groups, the last two as an IPv4 address. */
const longest = 45

/** Checks an IPv6 address without a zone (RFC 4291, section 2.2). */
export function ipv6(text: string): boolean {
  if (text.length > longest) return false
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const endsInIpv4 = ipv4(last) && text.endsWith(last)
  const count = groups.length + (endsInIpv4 ? 1 : 0)
  const isComplete = halves.length === 1 ? count === 8 : halves.length === 2 && count < 8
  const hexadecimal = endsInIpv4 ? groups.slice(0, -1) : groups
  return isComplete && hexadecimal.every((group) => /^[\da-f]{1,4}$/i.test(group))
}
