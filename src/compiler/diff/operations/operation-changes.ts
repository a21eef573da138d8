/** Compares one operation in both contracts. */
import { own } from '../../compile/documents.ts'
import { callbackDrafts } from './callbacks.ts'
import type { Both, Draft, OperationPart } from './draft.ts'
import { lifecycleDrafts } from './lifecycle.ts'
import { parameterDrafts } from './parameters.ts'
import { requestBodyDrafts } from './request-body.ts'
import { responseDrafts } from './responses.ts'
import type { SchemaChanges } from './schema-changes.ts'
import { securityDrafts } from './security.ts'
import { operationServerDrafts } from './servers.ts'

export function operationDrafts(pair: Both<OperationPart>, schemas: SchemaChanges): Draft[] {
  return [
    ...nameDrafts(pair),
    ...lifecycleDrafts({ old: pair.old.node, now: pair.now.node }),
    ...securityDrafts(pair),
    ...operationServerDrafts(pair),
    ...parameterDrafts(pair, schemas),
    ...requestBodyDrafts(pair, schemas),
    ...responseDrafts(pair, schemas),
    ...callbackDrafts(pair, schemas)
  ]
}

/** Reports a changed operationId, after which generated clients name their functions. */
function nameDrafts({ old, now }: Both<OperationPart>): Draft[] {
  const key = 'operationId'
  const [was, is] = [own(old.node, key), own(now.node, key)]
  if (was === is || was === undefined || is === undefined) return []
  const text = `${key} now ${String(is)} (was ${String(was)})`
  return [{ rule: 'operation-id-changed', place: key, text, spot: { node: now.node, key } }]
}
