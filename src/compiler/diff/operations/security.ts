/** Compares security requirements: at least one alternative that an old client satisfies must still be enough.
 * Reports the changes in schemes of the same name, too. */
import { type Json, type JsonObject, objectOf, own, securityOf } from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import {
  type Both,
  both,
  type Draft,
  memberDrafts,
  membersOf,
  nowText,
  type OperationPart,
  placed
} from './draft.ts'

interface Requirement extends Scheme {
  readonly scopes: readonly string[]
}

/** Schemes that must all be satisfied; an empty list needs no credentials. */
type Alternative = readonly Requirement[]

/** @param inherited requirements of an operation without its own */
export function securityDrafts(
  pair: Both<OperationPart>,
  inherited = ({ document }: OperationPart): Json | undefined => own(document, 'security')
): Draft[] {
  const { old: before, now: after } = both(pair, (part) =>
    alternativesOf(part, own(part.node, 'security') ?? inherited(part))
  )
  const lost = before.filter((alternative) => !after.some((other) => isEnough(alternative, other)))
  const gained = after.filter((alternative) => !before.some((other) => isEnough(alternative, other)))
  const spot = { node: pair.now.node, key: 'security' }
  const drafts =
    lost.length > 0
      ? lost.map((each) => lostDraft(each, after))
      : gained.map((each) => gainedDraft(each, before))
  return drafts.map((draft) => ({ ...draft, place: 'security', spot }))
}

function alternativesOf({ document }: OperationPart, security: Json | undefined): readonly Alternative[] {
  const schemes = schemesOf(document)
  const listed = securityOf(security)
  const alternatives = listed.map((requirements) =>
    requirements.map(({ scheme, scopes }) => ({ ...schemeOf(scheme, schemes.get(scheme) ?? {}), scopes }))
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

const schemesOf = (document: JsonObject): ReadonlyMap<string, JsonObject> =>
  membersOf(document, objectOf(own(document, 'components')), 'securitySchemes')

const schemeOf = (name: string, node: JsonObject): Scheme => ({
  name,
  way: wayOf(node),
  urls: identity([own(node, 'openIdConnectUrl') ?? null, flowUrls(node)])
})

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
export function schemeDrafts(documents: Both<JsonObject>): Draft[] {
  return memberDrafts(both(documents, schemesOf), {
    changed: (pair, name) =>
      placed(`securitySchemes/${name}`, [...flowDrafts(pair), ...discoveryDrafts(pair)]).map((draft) => ({
        ...draft,
        text: `${name}: ${draft.text}`
      }))
  })
}

function flowDrafts(schemes: Both<JsonObject>): Draft[] {
  const at = (flow: string) => ({ place: `/${flow}`, spot: { node: schemes.now, key: 'flows' } })
  const flows = both(schemes, (scheme) => membersOf({}, scheme, 'flows'))
  return memberDrafts(flows, {
    removed: (_flow, name) => ({ rule: 'oauth-flow-removed', text: `flow ${name} is gone`, ...at(name) }),
    added: (_flow, name) => ({ rule: 'oauth-flow-added', text: `flow ${name} added`, ...at(name) }),
    changed: ({ old, now }, name) =>
      urlsOf(old) === urlsOf(now)
        ? []
        : [{ rule: 'oauth-url-changed', text: `flow ${name} has other URLs`, ...at(name) }]
  })
}

function discoveryDrafts(schemes: Both<JsonObject>): Draft[] {
  const key = 'openIdConnectUrl'
  const { old, now } = both(schemes, (scheme) => own(scheme, key))
  if (old === now || old === undefined || now === undefined) return []
  const text = nowText(key, { old, now })
  return [{ rule: 'open-id-url-changed', place: '', text, spot: { node: schemes.now, key } }]
}
