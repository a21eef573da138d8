/** Leaves out the parts of a contract that `x-internal: true` marks. */

/** Members that hold values, or extensions, whatever is in them. */
const isLiteral = (key: string): boolean =>
  ['default', 'const', 'enum', 'example', 'value', 'dataValue'].includes(key) || key.startsWith('x-')

/** Members whose own members have names of the contract's author, which are no keywords. */
const maps = new Set(
  'paths webhooks callbacks content encoding headers links properties patternProperties dependentSchemas $defs responses'
    .split(' ')
    .concat('schemas parameters examples requestBodies securitySchemes pathItems mediaTypes'.split(' '))
)
const methods = new Set('get put post delete options head patch trace query additionalOperations'.split(' '))

/**
 * Returns the document without parts that are marked, without references to them, and without components and tags that
 * only those parts use.
 */
export function withoutInternal(document: Node): Node {
  const shown = new Filter(document).copied(document) as Node
  const [before, after] = [usedIn(document), usedIn(shown)]
  const isShown = (name: string) => !before.has(name) || after.has(name)
  const components = Object.entries(Object(shown['components'])).map(([kind, members]) => [
    kind,
    Object.fromEntries(
      Object.entries(Object(members)).filter(([name]) => isShown(`#/components/${kind}/${name}`))
    )
  ])
  return {
    ...shown,
    ...(Array.isArray(shown['tags']) && {
      tags: shown['tags'].filter(({ name }) => isShown(`tag ${name}`))
    }),
    ...(components.length > 0 && { components: Object.fromEntries(components) })
  }
}

class Filter {
  readonly #document: Node
  /** Targets of the references that are followed now: a circle of them ends. */
  readonly #followed = new Set<unknown>()

  constructor(document: Node) {
    this.#document = document
  }

  copied(node: unknown, isMap = false): unknown {
    if (Array.isArray(node))
      return node.filter((item) => !this.#isInternal(item)).map((item) => this.copied(item))
    if (!isObject(node)) return node
    const entries = Object.entries(node).flatMap(([key, value]) => {
      if (!isMap && isLiteral(key)) return [[key, value]]
      if (this.#isInternal(value)) return []
      if (key === 'mapping' && !isMap) return [[key, this.#mapping(value)]]
      const copy = this.copied(value, !isMap && maps.has(key))
      return isEmptied(value, copy) ? [] : [[key, copy]]
    })
    const copy = Object.fromEntries(entries)
    const { required, properties } = node
    if (!Array.isArray(required) || !isObject(properties)) return copy
    const left = Object(copy['properties'])
    const isLeft = (name: unknown) =>
      !Object.hasOwn(properties, String(name)) || Object.hasOwn(left, String(name))
    return { ...copy, required: required.filter(isLeft) }
  }

  /** A discriminator's mapping, whose values are references or names of schemas. */
  #mapping(mapping: unknown): Node {
    const pointer = (text: unknown) =>
      String(text).startsWith('#') ? text : `#/components/schemas/${String(text)}`
    return Object.fromEntries(
      Object.entries(Object(mapping)).filter(([, value]) => !this.#isInternal({ $ref: pointer(value) }))
    )
  }

  #isInternal(node: unknown): boolean {
    if (!isObject(node)) return false
    if (node['x-internal'] === true) return true
    const way = resolve(this.#document, node['$ref'])
    if (way.length === 0 || this.#followed.has(way.at(-1))) return false
    this.#followed.add(way.at(-1))
    const found = way.some((part) => Object(part)['x-internal'] === true) || this.#isInternal(way.at(-1))
    this.#followed.delete(way.at(-1))
    return found
  }
}

/** True for a list, or a path, that has nothing left. */
function isEmptied(before: unknown, after: unknown): boolean {
  if (Array.isArray(before)) return before.length > 0 && Object(after).length === 0
  const operations = (node: unknown) => Object.keys(Object(node)).filter((key) => methods.has(key)).length
  return operations(before) > 0 && operations(after) === 0
}

/** Returns the references to components, followed from all that is not one, and the tags of operations. */
function usedIn(document: Node): Set<string> {
  const used = new Set<string>()
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'tags' && Array.isArray(value)) for (const tag of value) used.add(`tag ${tag}`)
      if (typeof value === 'object') follow(value)
      else if (typeof value === 'string' && value.startsWith('#/components/') && !used.has(value)) {
        used.add(value)
        follow(resolve(document, value).at(-1))
      }
    }
  }
  const { components: _components, tags: _tags, ...roots } = document
  follow(roots)
  return used
}

/** The parsed document of a contract, as the docs page reads it. */
export type Node = Readonly<Record<string, unknown>>

const isObject = (node: unknown): node is Node =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Returns the nodes on the way of a local reference (RFC 6901), that which it names last; of any other value nothing. */
function resolve(document: Node, reference: unknown): readonly unknown[] {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return []
  const nodes: unknown[] = [document]
  for (const key of reference.slice(2).split('/'))
    nodes.push(Object(nodes.at(-1))[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')])
  return nodes
}

const endpoints = ['tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl', 'openIdConnectUrl']

/**
 * Returns the URLs outside the service that its page may call: those where tokens are got, and declared servers without
 * variables. Each is a source of a Content-Security-Policy (CSP Level 3, section 2.3.1).
 */
export function calledUrls(document: Node): readonly string[] {
  const schemes = Object.values(Object(Object(document['components'])['securitySchemes']))
  const flows = schemes.flatMap((scheme) => [scheme, ...Object.values(Object(Object(scheme).flows))])
  const tokens = flows.flatMap((flow) => endpoints.map((key) => Object(flow)[key]))
  const servers = [document['servers'] ?? []].flat().map((server) => Object(server).url)
  const urls = [...tokens, ...servers].map(String)
  const called = urls.filter((url) => /^https?:[^{]*$/i.test(url) && URL.canParse(url))
  return [...new Set(called.map((url) => new URL(url).origin))]
}
