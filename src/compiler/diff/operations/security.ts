/** Compares security requirements: at least one alternative that an old client satisfies must still be enough. */
import { own, securityOf } from '../../compile/documents.ts'
import type { Both, Draft, OperationPart } from './draft.ts'
import { isSameScheme, type Scheme, schemeNamed } from './security-schemes.ts'

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
