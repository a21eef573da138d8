/** Compares the URLs of operations: servers, the base paths in them, and the paths. */
import { arrayOf, type JsonObject, objectOf, own, stringOf } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { type Both, both, type Draft, type OperationPart } from './draft.ts'

/** Compares the servers of an operation by the URLs that it has on each. */
export function serverDrafts(pair: Both<OperationPart>): Draft[] {
  const at = { place: 'servers', spot: { node: ownerOf(pair.now), key: 'servers' } }
  const servers = both(pair, serversOf)
  const paths = both(pair, (part) => new Set(pathsOf(part)))
  if (paths.old.isDisjointFrom(paths.now)) {
    const listed = both(servers, (all) => [...all.values()].map(urlOf).join(', '))
    const text = `no URL of before is left: now ${listed.now} (was ${listed.old})`
    return [{ rule: 'server-path-changed', text, ...at }]
  }
  const gone = [...servers.old].filter(([url]) => !servers.now.has(url))
  const added = [...servers.now].filter(([url]) => !servers.old.has(url))
  const changed = [...servers.now].filter(([url, server]) => {
    const before = servers.old.get(url)
    return before !== undefined && variablesIn(before) !== variablesIn(server)
  })
  const text = (server: JsonObject, what: string) => `server ${urlOf(server)} ${what}`
  return [
    ...gone.map(([, each]): Draft => ({ rule: 'server-removed', text: text(each, 'is gone'), ...at })),
    ...added.map(([, each]): Draft => ({ rule: 'server-added', text: text(each, 'added'), ...at })),
    ...changed.map(([, node]): Draft => {
      const spot = { node, key: 'variables' }
      return { ...at, rule: 'server-variable-changed', text: text(node, 'has other variables'), spot }
    })
  ]
}

/** Returns whether the servers are those of the contract. */
export const isOfContract = (part: OperationPart): boolean => ownerOf(part) === part.document

/** Returns the object that declares the servers of an operation. */
function ownerOf({ document, pathItem, node }: OperationPart): JsonObject {
  return [node, pathItem].find((owner) => own(owner, 'servers') !== undefined) ?? document
}

/**
 * Returns the servers by the URL of the operation on each; the default is the origin of the contract (OpenAPI 3.1.0, section
 * 4.8.1.1).
 */
function serversOf(part: OperationPart): ReadonlyMap<string, JsonObject> {
  const listed = arrayOf(own(ownerOf(part), 'servers')).map(objectOf)
  const servers = listed.length === 0 ? [{ url: '/' }] : listed
  return new Map(
    servers.map((server) => {
      const { origin, base } = partsOf(urlOf(server))
      return [origin + templateOf(base + part.path), server]
    })
  )
}

const urlOf = (server: JsonObject): string => String(own(server, 'url'))

/** Splits a URL: `https://a.example/v1/` → `https://a.example`, `/v1`. */
function partsOf(url: string): { readonly origin: string; readonly base: string } {
  const [origin = ''] = /^[^/?#]*\/\/[^/?#]*/.exec(url) ?? []
  const base = url.slice(origin.length).replace(/\/+$/, '')
  return { origin, base: base === '' || base.startsWith('/') ? base : `/${base}` }
}

/** Returns the paths of an operation, base paths included; a variable without a list of values has any. */
export function pathsOf(part: OperationPart): string[] {
  return [...serversOf(part).values()].flatMap((server) => {
    const { base } = partsOf(urlOf(server))
    return spelled(base, objectOf(own(server, 'variables'))).map((each) => templateOf(each + part.path))
  })
}

/** Most base paths of one server that are spelled out. */
const maxBases = 100

function spelled(base: string, variables: JsonObject): readonly string[] {
  let bases: readonly string[] = [base]
  for (const [name, variable] of Object.entries(variables)) {
    const { default: standard, enum: values } = objectOf(variable)
    const texts = [...arrayOf(values), standard].flatMap((value) => stringOf(value) ?? [])
    const others = arrayOf(values).length === 0 ? ['{}'] : []
    const next = bases.flatMap((each) =>
      [...texts, ...others].map((text) => each.replaceAll(`{${name}}`, text))
    )
    if (next.length <= maxBases) bases = [...new Set(next)]
  }
  return bases.map((each) => each.replace(/\/+$/, ''))
}

/** Returns the path without the names of its parameters. */
export const templateOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

function variablesIn(server: JsonObject): string {
  const variables = Object.entries(objectOf(own(server, 'variables'))).map(([name, variable]) => {
    const values = arrayOf(own(objectOf(variable), 'enum'))
      .map(identity)
      .sort()
    return `${name}=${identity(own(objectOf(variable), 'default') ?? null)} ${values.join()}`
  })
  return variables.sort().join()
}
