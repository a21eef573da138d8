/** Compares the servers of a contract, and of operations that have their own. */
import { arrayOf, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import type { Both, Draft, OperationPart } from './draft.ts'

/** Returns servers by URL; the default is the origin of the contract (OpenAPI 3.1.0, section 4.8.1.1). */
function serversOf(owner: JsonObject): Map<string, JsonObject> {
  const listed = arrayOf(own(owner, 'servers')).map(objectOf)
  const servers = listed.length === 0 ? [{ url: '/' }] : listed
  return new Map(servers.map((server) => [String(own(server, 'url')), server]))
}

/** Compares the servers of two objects that have the member `servers`. */
export function serverDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const [before, after] = [serversOf(old), serversOf(now)]
  const spot = { node: now, key: 'servers' }
  const place = 'servers'
  return [
    ...[...before].flatMap(([url, server]): Draft[] => {
      const current = after.get(url)
      if (current === undefined)
        return [{ rule: 'server-removed', place, text: `server ${url} is gone`, spot }]
      const isSame = variablesOf(server) === variablesOf(current)
      const at = { node: current, key: 'variables' }
      return isSame
        ? []
        : [{ rule: 'server-variable-changed', place, text: `server ${url} has other variables`, spot: at }]
    }),
    ...[...after.keys()]
      .filter((url) => !before.has(url))
      .map((url) => ({ rule: 'server-added', place, text: `server ${url} added`, spot }) as const)
  ]
}

function variablesOf(server: JsonObject): string {
  const variables = Object.entries(objectOf(own(server, 'variables'))).map(([name, variable]) => {
    const values = arrayOf(own(objectOf(variable), 'enum'))
      .map(identity)
      .sort()
    return `${name}=${identity(own(objectOf(variable), 'default') ?? null)} ${values.join()}`
  })
  return variables.sort().join()
}

/** Compares the servers of an operation that differ from those of the contract. */
export function operationServerDrafts({ old, now }: Both<OperationPart>): Draft[] {
  const [before, after] = [ownerOf(old), ownerOf(now)]
  return before === old.document && after === now.document ? [] : serverDrafts({ old: before, now: after })
}

function ownerOf({ document, pathItem, node }: OperationPart): JsonObject {
  return [node, pathItem].find((owner) => own(owner, 'servers') !== undefined) ?? document
}
