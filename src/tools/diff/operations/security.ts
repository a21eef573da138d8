/** Compares security: one alternative that an old client satisfies must still be enough; and schemes of the same name. */
import type { Contract, Flow, Operation, SecurityRequirement, SecurityScheme } from '@contract-first/contract'
import { type Both, both, type Difference, isKept, memberDifferences, nowText, placed } from './difference.ts'

/** Schemes that must all be satisfied; an empty list needs no credentials. */
type Alternative = readonly SecurityRequirement[]

export function securityDifferences(operations: Both<Operation>): Difference[] {
  const { old: before, now: after } = both(operations, ({ security }) =>
    security.length === 0 ? [[]] : security
  )
  const lost = before.filter((alternative) => !after.some((other) => isEnough(alternative, other)))
  const gained = after.filter((alternative) => !before.some((other) => isEnough(alternative, other)))
  const differences =
    lost.length > 0
      ? lost.map((each) => lostDifference(each, after))
      : gained.map((each) => gainedDifference(each, before))
  const origin = operations.now.origin.at('security')
  return differences.map((difference) => ({ ...difference, place: 'security', origin }))
}

/** Returns true when credentials for the first alternative satisfy the second. */
const isEnough = (sent: Alternative, needed: Alternative): boolean =>
  needed.every(({ scheme, scopes }) =>
    sent.some(
      (own) => isSameScheme(own.scheme, scheme) && scopes.every((scope) => own.scopes.includes(scope))
    )
  )

const hasSchemes = (a: Alternative, b: Alternative): boolean =>
  a.every(({ scheme }) => b.some((other) => isSameScheme(scheme, other.scheme)))

type Named = Pick<Difference, 'rule' | 'text'>

function lostDifference(lost: Alternative, after: readonly Alternative[]): Named {
  const is = after.map(shown).join(' or ')
  const text = `security now ${is} (was ${shown(lost)})`
  if (lost.length === 0) return { rule: 'security-added', text: `credentials are needed now: ${is}` }
  if (after.some((other) => hasSchemes(other, lost))) return { rule: 'security-scope-added', text }
  if (after.some((other) => hasSchemes(lost, other))) return { rule: 'security-scheme-added', text }
  const keys = new Set(lost.map(({ scheme }) => scheme.key))
  const isChanged = after.flat().some(({ scheme }) => keys.has(scheme.key))
  return { rule: isChanged ? 'security-scheme-changed' : 'security-alternative-removed', text }
}

function gainedDifference(gained: Alternative, before: readonly Alternative[]): Named {
  const text = `security now ${shown(gained)} too (was ${before.map(shown).join(' or ')})`
  if (gained.length === 0) return { rule: 'security-removed', text: 'no credentials are needed any longer' }
  if (before.some((other) => hasSchemes(gained, other) && hasSchemes(other, gained)))
    return { rule: 'security-scope-removed', text }
  if (before.some((other) => hasSchemes(gained, other))) return { rule: 'security-scheme-removed', text }
  return { rule: 'security-alternative-added', text }
}

const shown = (alternative: Alternative): string =>
  alternative
    .map(({ scheme, scopes }) => [scheme.key, ...scopes.map((scope) => `(${scope})`)].join(' '))
    .join(' and ') || 'none'

/** Returns the place of the credentials: `http bearer`, `apiKey header x-key`, `oauth2`. */
function wayOf({ type, scheme = '', in: place, parameter = '' }: SecurityScheme): string {
  if (type === 'http') return `http ${scheme.toLowerCase()}`
  if (type !== 'apiKey') return type
  return `apiKey ${place} ${place === 'header' ? parameter.toLowerCase() : parameter}`
}

/** Returns true for the same scheme. It may be renamed, unless its URLs change too. */
const isSameScheme = (a: SecurityScheme, b: SecurityScheme): boolean =>
  wayOf(a) === wayOf(b) && (a.key === b.key || (a.type !== 'undeclared' && sourcesOf(a) === sourcesOf(b)))

/** Returns the URLs from which clients get credentials. */
const sourcesOf = ({ openIdConnectUrl, flows }: SecurityScheme): string =>
  [`${openIdConnectUrl}`, ...[...flows].map(([name, flow]) => `${name} ${urlsOf(flow)}`).sort()].join()

const urlsOf = ({ authorizationUrl, tokenUrl, refreshUrl }: Flow): string =>
  [authorizationUrl, tokenUrl, refreshUrl].map(String).join()

/** Compares the schemes that have the same name. */
export const schemeDifferences = (contracts: Both<Contract>): Difference[] =>
  memberDifferences(
    both(contracts, ({ components }) => components.securitySchemes),
    {
      changed: (pair, name) =>
        placed(`securitySchemes/${name}`, [...flowDifferences(pair), ...discoveryDifferences(pair)]).map(
          (difference) => ({
            ...difference,
            text: `${name}: ${difference.text}`
          })
        )
    }
  )

function flowDifferences(schemes: Both<SecurityScheme>): Difference[] {
  const origin = schemes.now.origin.at('flows')
  const at = (flow: string) => ({ place: `/${flow}`, origin })
  return memberDifferences<Flow & { origin?: never }>(
    both(schemes, ({ flows }) => flows),
    {
      alone: (_flow, name, verb) => ({ rule: `oauth-flow-${verb}`, name: `flow ${name}`, ...at(name) }),
      changed: (flows, name) =>
        isKept(both(flows, urlsOf))
          ? []
          : [{ rule: 'oauth-url-changed', text: `flow ${name} has other URLs`, ...at(name) }]
    }
  )
}

function discoveryDifferences(schemes: Both<SecurityScheme>): Difference[] {
  const urls = both(schemes, ({ openIdConnectUrl }) => openIdConnectUrl)
  if (isKept(urls) || urls.old === undefined || urls.now === undefined) return []
  const origin = schemes.now.origin.at('openIdConnectUrl')
  return [{ rule: 'open-id-url-changed', place: '', text: nowText('openIdConnectUrl', urls), origin }]
}
