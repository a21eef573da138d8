/** Security schemes: pairs of equal schemes, and the changes in schemes of the same name. */
import { dereference, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import type { Both, Draft } from './draft.ts'

export interface Scheme {
  readonly name: string
  /** Place of the credentials: `http bearer`, `apiKey header x-key`, `oauth2`. */
  readonly way: string
  /** URLs from which clients get credentials. */
  readonly urls: string
}

const schemesOf = (document: JsonObject): JsonObject =>
  objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))

export function schemeNamed(document: JsonObject, name: string): Scheme {
  const node = objectOf(dereference(document, own(schemesOf(document), name)))
  return { name, way: wayOf(node), urls: identity([own(node, 'openIdConnectUrl') ?? null, flowUrls(node)]) }
}

function wayOf(node: JsonObject): string {
  const type = String(own(node, 'type'))
  if (type === 'http') return `http ${String(own(node, 'scheme')).toLowerCase()}`
  if (type !== 'apiKey') return type
  const [place, name] = [String(own(node, 'in')), String(own(node, 'name'))]
  return `apiKey ${place} ${place === 'header' ? name.toLowerCase() : name}`
}

/** Returns whether two schemes are the same. A scheme may be renamed, unless its URLs change too. */
export const isSameScheme = (a: Scheme, b: Scheme): boolean =>
  a.way === b.way && (a.name === b.name || a.urls === b.urls)

function flowUrls(node: JsonObject): string {
  const flows = Object.entries(objectOf(own(node, 'flows'))).map(
    ([name, flow]) => `${name} ${urlsOf(objectOf(flow))}`
  )
  return flows.sort().join()
}

const urlsOf = (flow: JsonObject): string =>
  ['authorizationUrl', 'tokenUrl', 'refreshUrl'].map((key) => String(own(flow, key))).join()

/** Compares the schemes that have the same name. */
export function schemeDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const declared = schemesOf(now)
  return Object.keys(schemesOf(old)).flatMap((name) => {
    const [before, after] = [old, now].map((document) =>
      objectOf(dereference(document, own(schemesOf(document), name)))
    )
    if (before === undefined || after === undefined || !Object.hasOwn(declared, name)) return []
    const found = [
      ...flowDrafts({ old: before, now: after }),
      ...discoveryDrafts({ old: before, now: after })
    ]
    return found.map((draft) => ({
      ...draft,
      place: `securitySchemes/${name}${draft.place}`,
      text: `${name}: ${draft.text}`
    }))
  })
}

function flowDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const [before, after] = [objectOf(own(old, 'flows')), objectOf(own(now, 'flows'))]
  const spot = { node: now, key: 'flows' }
  const gone = Object.keys(before).filter((flow) => !Object.hasOwn(after, flow))
  const added = Object.keys(after).filter((flow) => !Object.hasOwn(before, flow))
  const moved = Object.keys(after).filter(
    (flow) => Object.hasOwn(before, flow) && urlsOf(objectOf(before[flow])) !== urlsOf(objectOf(after[flow]))
  )
  return [
    ...gone.map(
      (flow) =>
        ({ rule: 'oauth-flow-removed', place: `/${flow}`, text: `flow ${flow} is gone`, spot }) as const
    ),
    ...added.map(
      (flow) => ({ rule: 'oauth-flow-added', place: `/${flow}`, text: `flow ${flow} added`, spot }) as const
    ),
    ...moved.map(
      (flow) =>
        ({ rule: 'oauth-url-changed', place: `/${flow}`, text: `flow ${flow} has other URLs`, spot }) as const
    )
  ]
}

function discoveryDrafts({ old, now }: Both<JsonObject>): Draft[] {
  const key = 'openIdConnectUrl'
  const [was, is] = [own(old, key), own(now, key)]
  if (was === is || was === undefined || is === undefined) return []
  return [
    {
      rule: 'open-id-url-changed',
      place: '',
      text: `${key} now ${String(is)} (was ${String(was)})`,
      spot: { node: now, key }
    }
  ]
}
