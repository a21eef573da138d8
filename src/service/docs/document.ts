/** The parsed document of a contract, as the docs page reads it. */

export type Node = Readonly<Record<string, unknown>>

export const isObject = (node: unknown): node is Node =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Returns the nodes on the way of a local reference (RFC 6901), that which it names last; of any other value nothing. */
export function resolve(document: Node, reference: unknown): readonly unknown[] {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return []
  const nodes: unknown[] = [document]
  for (const key of reference.slice(2).split('/'))
    nodes.push(Object(nodes.at(-1))[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')])
  return nodes
}

const endpoints = new Set(['tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl', 'openIdConnectUrl'])

/**
 * Returns the URLs outside the service that its page may call: those where tokens are got, and declared servers without
 * variables. Each is a source of a Content-Security-Policy (CSP Level 3, section 2.3.1).
 */
export function calledUrls(document: Node): readonly string[] {
  const schemes = Object.values(Object(Object(document['components'])['securitySchemes']))
  const flows = schemes.flatMap((scheme) => [scheme, ...Object.values(Object(Object(scheme).flows))])
  const tokens = flows.flatMap((flow) => Object.entries(Object(flow)).filter(([key]) => endpoints.has(key)))
  const servers = [document['servers'] ?? []].flat().map((server) => ['url', Object(server).url] as const)
  const urls = [...tokens, ...servers].flatMap(([, url]) => sourceOf(String(url)))
  return [...new Set(urls)]
}

function sourceOf(text: string): readonly string[] {
  if (text.includes('{') || !/^https?:/i.test(text) || !URL.canParse(text)) return []
  return [new URL(text).origin]
}
