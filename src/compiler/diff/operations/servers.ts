/** Compares the servers of a contract, and of operations that have their own. */
import { arrayOf, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { type Both, both, type Draft, memberDrafts, type OperationPart } from './draft.ts'

/** Returns servers by URL; the default is the origin of the contract (OpenAPI 3.1.0, section 4.8.1.1). */
function serversOf(owner: JsonObject): Map<string, JsonObject> {
  const listed = arrayOf(own(owner, 'servers')).map(objectOf)
  const servers = listed.length === 0 ? [{ url: '/' }] : listed
  return new Map(servers.map((server) => [String(own(server, 'url')), server]))
}

/** Compares the servers of two objects that have the member `servers`. */
export function serverDrafts(owners: Both<JsonObject>): Draft[] {
  const at = { place: 'servers', spot: { node: owners.now, key: 'servers' } }
  return memberDrafts(both(owners, serversOf), {
    removed: (_server, url) => ({ rule: 'server-removed', text: `server ${url} is gone`, ...at }),
    added: (_server, url) => ({ rule: 'server-added', text: `server ${url} added`, ...at }),
    changed: ({ old, now }, url) => {
      if (variablesOf(old) === variablesOf(now)) return []
      const text = `server ${url} has other variables`
      return [{ ...at, rule: 'server-variable-changed', text, spot: { node: now, key: 'variables' } }]
    }
  })
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
export function operationServerDrafts(pair: Both<OperationPart>): Draft[] {
  const owners = both(pair, ownerOf)
  return owners.old === pair.old.document && owners.now === pair.now.document ? [] : serverDrafts(owners)
}

function ownerOf({ document, pathItem, node }: OperationPart): JsonObject {
  return [node, pathItem].find((owner) => own(owner, 'servers') !== undefined) ?? document
}
