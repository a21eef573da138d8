/** Parses the target of a request: path and query (RFC 9112, section 3.2; RFC 3986). */

const isNormal = /^[\w\-.~!$&'()*+,;=:@/]*$/
const percentEncoded = /%[\da-f]{2}/gi
const unreserved = /[\w\-.!~*'()]/

/**
 * Normalises a path as the router does (RFC 3986, section 6.2.2): decodes characters that need no percent-encoding,
 * encodes the others in upper case.
 */
export function normalizePath(path: string): string {
  if (isNormal.test(path)) return path
  return encodeURI(path)
    .replaceAll('%25', '%')
    .replaceAll(percentEncoded, (text) => {
      const character = String.fromCharCode(Number.parseInt(text.slice(1), 16))
      return unreserved.test(character) ? character : text.toUpperCase()
    })
}

/** Writes a normalised path as a route: the router decodes paths, and takes a colon for the start of a parameter. */
export const literalRoute = (path: string): string => decodeURI(path).replaceAll(':', '::')

/** Joins two paths as Fastify joins a prefix and a route: with one slash. */
export const joinPaths = (prefix: string, path: string): string => `${prefix.replace(/\/$/, '')}${path}`

/** Returns the path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

/** Returns the query of a request target, without the question mark. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start < 0 ? '' : target.slice(start + 1)
}

/** Returns the path and query of an absolute-form target, which a server must understand (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? []
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}
