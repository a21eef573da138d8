/** Compares the URLs of operations: servers, the base paths in them, and the paths. */
import type { Operation, Origin, Server } from '@contract-first/contract'
import { type Both, both, type Difference, isKept, memberDifferences } from './difference.ts'

/**
 * Compares the servers of an operation by the URLs that it has on each.
 * @param origin place of the list of servers
 */
export function serverDifferences(operations: Both<Operation>, origin: Origin): Difference[] {
  const servers = both(operations, serversOf)
  const found = memberDifferences(servers, {
    origin,
    alone: ({ url }, _key, verb) => ({ rule: `server-${verb}`, place: 'servers', name: `server ${url}` }),
    changed: (pair) => {
      const { url, origin: at } = pair.now
      const text = `server ${url} has other variables`
      const isSame = isKept(both(pair, variablesIn))
      return isSame ? [] : [{ rule: 'server-variable-changed', place: 'servers', text, origin: at }]
    }
  })
  const paths = both(operations, (operation) => new Set(pathsOf(operation)))
  if (found.length === 0 || !paths.old.isDisjointFrom(paths.now)) return found
  const listed = both(servers, (all) => [...all.values()].map(({ url }) => url).join(', '))
  const text = `no URL of before is left: now ${listed.now} (was ${listed.old})`
  return [{ rule: 'server-path-changed', place: 'servers', text, origin }]
}

/** Returns the servers by the URL of the operation on each. */
const serversOf = ({ servers, path }: Operation): ReadonlyMap<string, Server> =>
  new Map(
    servers.map((server) => {
      const { origin, base } = partsOf(server.url)
      return [origin + templateOf(base + path), server]
    })
  )

/** Splits a URL: `https://a.example/v1/` → `https://a.example`, `/v1`. */
function partsOf(url: string): { readonly origin: string; readonly base: string } {
  const [origin = ''] = /^[^/?#]*\/\/[^/?#]*/.exec(url) ?? []
  const base = url.slice(origin.length).replace(/\/+$/, '')
  return { origin, base: base === '' || base.startsWith('/') ? base : `/${base}` }
}

/** Returns the paths of an operation, base paths included; a variable without a list of values has any. */
export const pathsOf = ({ servers, path }: Operation): string[] =>
  servers.flatMap((server) => basesOf(server).map((base) => templateOf(base + path)))

/** Most base paths of one server that are spelled out. */
const maxBases = 100

function basesOf({ url, variables }: Server): readonly string[] {
  let found: readonly string[] = [partsOf(url).base]
  for (const [name, variable] of variables) {
    const others = variable.enum === undefined || variable.enum.length === 0 ? ['{}'] : variable.enum
    const texts = [...new Set([...others, variable.default])].filter((text) => text !== '')
    const next = found.flatMap((each) => texts.map((text) => each.replaceAll(`{${name}}`, text)))
    if (next.length <= maxBases) found = [...new Set(next)]
  }
  return found.map((each) => each.replace(/\/+$/, ''))
}

/** Returns the path without the names of its parameters. */
export const templateOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

const variablesIn = ({ variables }: Server): string =>
  [...variables]
    .map(([name, variable]) => `${name}=${variable.default} ${[...(variable.enum ?? [])].sort().join()}`)
    .sort()
    .join('; ')
