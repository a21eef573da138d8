/** Texts of IP addresses, URIs (RFC 3986) and IRIs (RFC 3987), split into components; one pass over each finds a wrong character. */

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

/** Splits a reference (RFC 3986, appendix B). */
const components = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const authorities = /^(?:([^@]*)@)?(\[[^[\]]*\]|[^[\]:@]*)(?::\d*)?$/
const future = /^v[\da-f]+\.[\w\-.~!$&'()*+,;=:]+$/i

/** Characters that a component must not have. */
const notInScheme = /^[^a-z]|[^a-z\d+.-]/i
const notInPath = /[^\w\-.~!$&'()*+,;=:@/%]|%(?![\da-f]{2})/i
const notInQuery = /[^\w\-.~!$&'()*+,;=:@/?%]|%(?![\da-f]{2})/i
const notInUserinfo = /[^\w\-.~!$&'()*+,;=:%]|%(?![\da-f]{2})/i
const notInName = /[^\w\-.~!$&'()*+,;=%]|%(?![\da-f]{2})/i

/** Checks `URI-reference` (RFC 3986, section 4.1). */
export function uri_reference(text: string): boolean {
  const [, scheme, authority, path = '', query = '', fragment = ''] = components.exec(text) ?? []
  if (scheme === undefined && authority === undefined && /^[^/]*:/.test(path)) return false
  return (
    (scheme === undefined || !notInScheme.test(scheme)) &&
    (authority === undefined || isAuthority(authority)) &&
    !notInPath.test(path) &&
    !notInQuery.test(query) &&
    !notInQuery.test(fragment)
  )
}

function isAuthority(text: string): boolean {
  const [, userinfo = '', host] = authorities.exec(text) ?? []
  if (host === undefined || notInUserinfo.test(userinfo)) return false
  const literal = host.startsWith('[') ? host.slice(1, -1) : undefined
  return literal === undefined ? !notInName.test(host) : ipv6(literal) || future.test(literal)
}

/** Checks `URI` (RFC 3986, section 3): a reference with a scheme. */
export const uri = (text: string): boolean => /^[^:/?#]+:/.test(text) && uri_reference(text)

/** Checks a URI that names a host. */
export const url = (text: string): boolean =>
  /^[^:/?#]+:\/\/(?!(?:[^/?#@]*@)?(?::\d*)?(?:[/?#]|$))/.test(text) && uri(text)

/** Characters that an IRI has besides those of a URI (RFC 3987, section 2.2), the second ones in a query only. */
const further =
  /(?!\p{Noncharacter_Code_Point})[\u{A0}-\u{D7FF}\u{F900}-\u{FFEF}\u{10000}-\u{DFFFF}\u{E1000}-\u{EFFFF}]/gu
const furtherInQuery = /(?!\p{Noncharacter_Code_Point})\p{Private_Use}/gu

/** Returns a URI reference that is valid if the IRI reference is: such characters and octets stand at the same places. */
const asciiOf = (text: string): string =>
  text
    .replace(/^([^?#]*)(\?[^#]*)/, (_, before, query) => before + query.replaceAll(furtherInQuery, '%20'))
    .replaceAll(further, '%20')

/** Checks `IRI-reference` (RFC 3987, section 2.2). */
export const iri_reference = (text: string): boolean => uri_reference(asciiOf(text))

/** Checks `IRI` (RFC 3987, section 2.2). */
export const iri = (text: string): boolean => uri(asciiOf(text))
