/** Compares objects: required and declared properties, and all others. */
import type { JsonObject } from '../../compile/documents.ts'
import { type Limits, limitsOf } from '../../evaluate/members.ts'
import {
  isClosed,
  isHidden,
  namesOf,
  othersOf,
  type Property,
  patternsOf,
  propertyOf,
  requiredOf
} from '../cases/members.ts'
import type { Side } from '../cases/side.ts'
import { type CasePair, differs, type Finding, limitFindings, spotAt, spotOf, within } from './comparison.ts'

/** Returns why objects of the one case are not objects of the other. */
export function objectFindings(pair: CasePair): Finding[] {
  const { comparison, sent, received } = pair
  // The order is the same in both directions, so that a shared part is reported at its first place.
  const ordered = comparison.sent.isNew
    ? [...received.nodes, ...sent.nodes]
    : [...sent.nodes, ...received.nodes]
  const names = new Set([...namesOf(ordered), ...requiredOf(ordered)])
  const patterns = new Set(patternsOf(ordered))
  return [
    ...[...requiredOf(received.nodes)].flatMap((name) => requiredFindings(pair, name)),
    ...[...names].flatMap((name) => propertyFindings(pair, name)),
    ...[...patterns].flatMap((pattern) => patternFindings(pair, pattern)),
    ...additionalFindings(pair),
    ...limitFindings(pair, ['minProperties', 'maxProperties'], {
      sent: countsOf(sent.nodes, comparison.sent),
      received: limitsOf(received.nodes, 'minProperties', 'maxProperties')
    })
  ]
}

/** Returns the possible numbers of properties, as far as they are declared, without those that messages do not have. */
function countsOf(nodes: readonly JsonObject[], side: Side): Limits {
  const isSent = (name: string) => !isHidden(side, nodes, name)
  const isOpen = !isClosed(othersOf(nodes)) || patternsOf(nodes).length > 0
  const declared = isOpen ? Number.POSITIVE_INFINITY : new Set(namesOf(nodes).filter(isSent)).size
  const { least, most } = limitsOf(nodes, 'minProperties', 'maxProperties')
  return {
    least: Math.max([...requiredOf(nodes)].filter(isSent).length, least),
    most: Math.min(declared, most)
  }
}

/** One property of both, or all properties whose names match a pattern. */
interface Members {
  readonly path: string
  readonly own: Property
  readonly other: Property
}

const membersOf = ({ sent, received }: CasePair, name: string): Members => ({
  path: `/${name}`,
  own: namedIn(sent.nodes, name),
  other: namedIn(received.nodes, name)
})

/** Returns the property; one that is required is declared, with any value. */
function namedIn(nodes: readonly JsonObject[], name: string): Property {
  const property = propertyOf(nodes, name)
  const isBare = property.schemas.length === 0 && requiredOf(nodes).has(name)
  return isBare ? { schemas: [true], isDeclared: true } : property
}

function requiredFindings(pair: CasePair, name: string): Finding[] {
  const { sent, received } = pair.comparison
  const { path, own, other } = membersOf(pair, name)
  const isHiddenHere = isHidden(sent, pair.sent.nodes, name)
  const isSent = requiredOf(pair.sent.nodes).has(name) && !isHiddenHere
  if (isSent || isHidden(received, pair.received.nodes, name)) return []
  const kind = own.schemas.length === 0 || isHiddenHere ? 'required-property' : 'required'
  const text = requiredTexts[sent.isNew ? 'gone' : 'added'][kind]
  if (sent.isNew) return [{ kind, path, text, spot: spotOf(pair, 'properties') }]
  const spot = kind === 'required' ? spotOf(pair, kind) : spotAt(other.schemas, received, pair.spot)
  return [{ kind, path, text, spot }]
}

const requiredTexts = {
  gone: { 'required-property': 'is gone (was required)', required: 'now optional (was required)' },
  added: { 'required-property': 'added, required', required: 'now required (was optional)' }
}

function propertyFindings(pair: CasePair, name: string): readonly Finding[] {
  const { sent, received } = pair.comparison
  const members = membersOf(pair, name)
  const isHiddenHere = isHidden(sent, pair.sent.nodes, name)
  const isOtherHidden = isHidden(received, pair.received.nodes, name)
  if (isHiddenHere && isOtherHidden) return []
  if (isHiddenHere || isOtherHidden) return hiddenFindings(pair, members, isHiddenHere === sent.isNew)
  return memberFindings(pair, members)
}

function memberFindings(pair: CasePair, members: Members): readonly Finding[] {
  const { path, own, other } = members
  if (isClosed(own)) return []
  if (isClosed(other)) return own.isDeclared ? [closedFinding(pair, members)] : []
  if (own.schemas.length === 0 || other.schemas.length === 0) {
    const isSame = own.schemas.length === other.schemas.length
    return isSame ? [] : [minorFinding(pair, members)]
  }
  return within(path, pair.comparison.compare(own.schemas, other.schemas, { spot: pair.spot }))
}

function closedFinding(pair: CasePair, { path, own }: Members): Finding {
  const { sent } = pair.comparison
  const kind = 'closed-property'
  const spot = spotAt(own.schemas, sent, pair.spot)
  return sent.isNew
    ? { kind, path, text: 'added to an object that had no others', spot }
    : { kind, path, text: 'is gone, and no others are allowed', spot: spotOf(pair, 'properties') }
}

/** Reports a property that one side declares and the other neither declares nor refuses. */
function minorFinding(pair: CasePair, { path, own, other }: Members): Finding {
  const { sent, received } = pair.comparison
  const [declaring, { schemas }] = own.schemas.length > 0 ? [sent, own] : [received, other]
  return declaring.isNew
    ? {
        ...{ kind: 'property-added', path, text: 'added', isMinor: true },
        spot: spotAt(schemas, declaring, pair.spot)
      }
    : { kind: 'property-removed', path, text: 'is gone', spot: spotOf(pair, 'properties'), isMinor: true }
}

/** Reports a property that messages of this kind have on one side only. */
function hiddenFindings(pair: CasePair, { path, own, other }: Members, isHiddenNow: boolean): Finding[] {
  const { role, sent, received } = pair.comparison
  if (own.schemas.length === 0 || other.schemas.length === 0) return []
  const [side, { schemas }] = sent.isNew ? [sent, own] : [received, other]
  const spot = spotAt(schemas, side, spotOf(pair, 'properties'))
  const text = `${isHiddenNow ? 'now' : 'no longer'} ${role === 'request' ? 'read-only' : 'write-only'}`
  const finding = { kind: isHiddenNow ? 'hidden' : 'shown', path, text, spot } as const
  // A server refuses a read-only property; a client misses a write-only one.
  return [role === 'response' || !isHiddenNow ? { ...finding, isMinor: true } : finding]
}

function patternFindings(pair: CasePair, pattern: string): readonly Finding[] {
  const [own, other] = [othersOf(pair.sent.nodes, pattern), othersOf(pair.received.nodes, pattern)]
  return memberFindings(pair, { path: `/~${pattern}`, own, other })
}

function additionalFindings(pair: CasePair): readonly Finding[] {
  const [own, other] = [othersOf(pair.sent.nodes), othersOf(pair.received.nodes)]
  if (isClosed(own) || other.schemas.length === 0) return []
  if (!isClosed(other) && own.schemas.length > 0)
    return within('/*', pair.comparison.compare(own.schemas, other.schemas, { spot: pair.spot }))
  const text = (property: Property) =>
    isClosed(property) ? 'false' : property.schemas.length > 0 ? 'a schema' : 'true'
  return [differs(pair, 'additionalProperties', { sent: text(own), received: text(other) })]
}
