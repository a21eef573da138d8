/** Compares security requirements: at least one alternative that an old client satisfies must still be enough.
 * Reports the changes in schemes of the same name, too. */
import { dereference, type JsonObject, objectOf, own, securityOf } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import type { Both, Draft, OperationPart } from './draft.ts'

interface Requirement extends Scheme {
  readonly scopes: readonly string[]
}

/** Schemes that must all be satisfied; an empty list needs no credentials. */
type Alternative = readonly Requirement[]

export function securityDrafts({ old, now }: Both<OperationPart>): Draft[] {
  const [before, after] = [alternativesOf(old), alternativesOf(now)]
  const lost = before.filter((alternative) => !after.some((other) => isEnough(alternative, other)))
  const gained = after.filter((alternative) => !before.some((other) => isEnough(alternative, other)))
  const spot = { node: now.node, key: 'security' }
  const drafts =
    lost.length > 0
      ? lost.map((each) => lostDraft(each, after))
      : gained.map((each) => gainedDraft(each, before))
  return drafts.map((draft) => ({ ...draft, place: 'security', spot }))
}

function alternativesOf({ document, node }: OperationPart): readonly Alternative[] {
  const listed = securityOf(own(node, 'security') ?? own(document, 'security'))
  const alternatives = listed.map((requirements) =>
    requirements.map(({ scheme, scopes }) => ({ ...schemeNamed(document, scheme), scopes }))
  )
  return alternatives.length === 0 ? [[]] : alternatives
}

/** Returns whether credentials for the first alternative satisfy the second. */
const isEnough = (sent: Alternative, needed: Alternative): boolean =>
  needed.every((requirement) =>
    sent.some((own) => isSameScheme(own, requirement) && isSubset(requirement.scopes, own.scopes))
  )

const isSubset = (scopes: readonly string[], others: readonly string[]): boolean =>
  scopes.every((scope) => others.includes(scope))

const hasSchemes = (a: Alternative, b: Alternative): boolean =>
  a.every((requirement) => b.some((other) => isSameScheme(requirement, other)))

type Named = Pick<Draft, 'rule' | 'text'>

function lostDraft(lost: Alternative, after: readonly Alternative[]): Named {
  const is = after.map(shown).join(' or ')
  const text = `security now ${is} (was ${shown(lost)})`
  if (lost.length === 0) return { rule: 'security-added', text: `credentials are needed now: ${is}` }
  if (after.some((other) => hasSchemes(other, lost))) return { rule: 'security-scope-added', text }
  if (after.some((other) => hasSchemes(lost, other))) return { rule: 'security-scheme-added', text }
  const names = new Set(lost.map(({ name }) => name))
  const isChanged = after.flat().some(({ name }) => names.has(name))
  return { rule: isChanged ? 'security-scheme-changed' : 'security-alternative-removed', text }
}

function gainedDraft(gained: Alternative, before: readonly Alternative[]): Named {
  const text = `security now ${shown(gained)} too (was ${before.map(shown).join(' or ')})`
  if (gained.length === 0) return { rule: 'security-removed', text: 'no credentials are needed any longer' }
  if (before.some((other) => hasSchemes(gained, other) && hasSchemes(other, gained)))
    return { rule: 'security-scope-removed', text }
  if (before.some((other) => hasSchemes(gained, other))) return { rule: 'security-scheme-removed', text }
  return { rule: 'security-alternative-added', text }
}

const shown = (alternative: Alternative): string =>
  alternative
    .map(({ name, scopes }) => [name, ...scopes.map((scope) => `(${scope})`)].join(' '))
    .join(' and ') || 'none'

interface Scheme {
  readonly name: string
  /** Place of the credentials: `http bearer`, `apiKey header x-key`, `oauth2`. */
  readonly way: string
  /** URLs from which clients get credentials. */
  readonly urls: string
}

const schemesOf = (document: JsonObject): JsonObject =>
  objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))

function schemeNamed(document: JsonObject, name: string): Scheme {
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
const isSameScheme = (a: Scheme, b: Scheme): boolean =>
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
