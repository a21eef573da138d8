/** Compares objects: required and declared properties, and all others. */
import type { JsonObject } from '../../compile/documents.ts'
import type { Case } from '../cases/cases.ts'
import type { Limits } from '../cases/members.ts'
import {
  isClosed,
  namesOf,
  othersOf,
  type Property,
  patternsOf,
  propertyOf,
  requiredOf
} from '../cases/members.ts'
import type { Side } from '../cases/side.ts'
import { type Comparison, differs, limitFindings, type Pair, spotAt, spotOf, valuesOf } from './comparison.ts'
import { type Finding, within } from './finding.ts'

/** Returns why objects of the one case are not objects of the other. */
export function objectFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
  // The order is the same in both directions, so that a shared part is reported at its first place.
  const ordered = comparison.sent.isNew
    ? [...received.nodes, ...sent.nodes]
    : [...sent.nodes, ...received.nodes]
  const [names, patterns] = [new Set(namesOf(ordered)), new Set(patternsOf(ordered))]
  return [
    ...requiredFindings(comparison, pair),
    ...[...names].flatMap((name) => propertyFindings(comparison, pair, name)),
    ...[...patterns].flatMap((pattern) => patternFindings(comparison, pair, pattern)),
    ...additionalFindings(comparison, pair),
    ...limitFindings(comparison, pair, {
      sent: countsOf(sent.nodes),
      received: writtenCounts(received.nodes),
      minimum: ['min-properties', 'minProperties'],
      maximum: ['max-properties', 'maxProperties']
    })
  ]
}

const writtenCounts = (nodes: readonly JsonObject[]): Limits => ({
  least: Math.max(0, ...valuesOf(nodes, 'minProperties').map(Number)),
  most: Math.min(Number.POSITIVE_INFINITY, ...valuesOf(nodes, 'maxProperties').map(Number))
})

/** Returns the possible numbers of properties, as far as they are declared. */
function countsOf(nodes: readonly JsonObject[]): Limits {
  const isOpen = !isClosed(othersOf(nodes)) || patternsOf(nodes).length > 0
  const declared = isOpen ? Number.POSITIVE_INFINITY : new Set(namesOf(nodes)).size
  return {
    least: Math.max(requiredOf(nodes).size, ...valuesOf(nodes, 'minProperties').map(Number)),
    most: Math.min(declared, ...valuesOf(nodes, 'maxProperties').map(Number))
  }
}

function requiredFindings(comparison: Comparison, pair: Pair): Finding[] {
  const { sent, received } = comparison
  const [has, needs] = [requiredOf(pair.sent), requiredOf(pair.received)]
  return [...needs].flatMap((name): Finding[] => {
    const [own, other] = [propertyOf(pair.sent, name), propertyOf(pair.received, name)]
    if (has.has(name) && !sent.isHidden(own.schemas)) return []
    if (received.isHidden(other.schemas)) return []
    const isNew = own.schemas.length === 0 || sent.isHidden(own.schemas)
    const text = isNew ? requiredTexts(sent).declared : requiredTexts(sent).known
    const at = comparison.sent.isNew
      ? spotOf(comparison, pair, 'properties')
      : spotAt(other.schemas, received, pair.spot)
    const spot = isNew || comparison.sent.isNew ? at : spotOf(comparison, pair, 'required')
    return [
      { kind: isNew ? 'required-property' : 'required', path: `/${name}`, text, spot: isNew ? at : spot }
    ]
  })
}

const requiredTexts = (sent: Side) =>
  sent.isNew
    ? { declared: 'is gone (was required)', known: 'now optional (was required)' }
    : { declared: 'added, required', known: 'now required (was optional)' }

function propertyFindings(comparison: Comparison, pair: Pair, name: string): readonly Finding[] {
  const { sent, received } = comparison
  const [own, other] = [propertyOf(pair.sent, name), propertyOf(pair.received, name)]
  const [isHidden, isOtherHidden] = [sent.isHidden(own.schemas), received.isHidden(other.schemas)]
  if (isHidden && isOtherHidden) return []
  const members = { name: `/${name}`, own, other }
  if (isHidden || isOtherHidden) return hiddenFindings(comparison, pair, { ...members, isHidden })
  return memberFindings(comparison, pair, members)
}

interface Members {
  readonly name: string
  readonly own: Property
  readonly other: Property
}

/** Compares one property of both, or all properties whose names match a pattern. */
function memberFindings(
  comparison: Comparison,
  pair: Pair,
  { name, own, other }: Members
): readonly Finding[] {
  if (isClosed(own)) return []
  if (isClosed(other)) return own.isDeclared ? [closedFinding(comparison, pair, { name, own, other })] : []
  if (own.schemas.length === 0 || other.schemas.length === 0) {
    const isSame = own.schemas.length === other.schemas.length
    return isSame ? [] : [minorFinding(comparison, pair, { name, own, other })]
  }
  return within(name, comparison.compare(own.schemas, other.schemas, { spot: pair.spot }))
}

function closedFinding(comparison: Comparison, pair: Pair, { name, own }: Members): Finding {
  const { sent } = comparison
  const spot = sent.isNew ? spotAt(own.schemas, sent, pair.spot) : spotOf(comparison, pair, 'properties')
  const text = sent.isNew ? 'added to an object that had no others' : 'is gone, and no others are allowed'
  return { kind: 'closed-property', path: name, text, spot }
}

/** Reports a property that one side declares and the other neither declares nor refuses. */
function minorFinding(comparison: Comparison, pair: Pair, { name, own, other }: Members): Finding {
  const { sent, received } = comparison
  const isSent = own.schemas.length > 0
  const declaring = isSent ? sent : received
  const schemas = isSent ? own.schemas : other.schemas
  const spot = declaring.isNew
    ? spotAt(schemas, declaring, pair.spot)
    : spotOf(comparison, pair, 'properties')
  const kind = declaring.isNew ? 'property-added' : 'property-removed'
  return { kind, path: name, text: declaring.isNew ? 'added' : 'is gone', spot, isMinor: true }
}

/** Reports a property that messages of this kind have on one side only. */
function hiddenFindings(
  comparison: Comparison,
  pair: Pair,
  { name, own, other, isHidden }: Members & { readonly isHidden: boolean }
): Finding[] {
  const { role, sent, received } = comparison
  const isHiddenNow = isHidden === sent.isNew
  const [side, schemas] = sent.isNew ? [sent, own.schemas] : [received, other.schemas]
  const spot = spotAt(schemas, side, spotOf(comparison, pair, 'properties'))
  const flag = role === 'request' ? 'read-only' : 'write-only'
  const text = `${isHiddenNow ? 'now' : 'no longer'} ${flag}`
  const isUndeclared = own.schemas.length === 0 || other.schemas.length === 0
  if (isUndeclared) return []
  // A server refuses a read-only property; a client misses a write-only one.
  const isMinor = role === 'response' || !isHiddenNow
  const finding = { kind: isHiddenNow ? 'hidden' : 'shown', path: name, text, spot } as const
  return [isMinor ? { ...finding, isMinor } : finding]
}

function patternFindings(comparison: Comparison, pair: Pair, pattern: string): readonly Finding[] {
  const [own, other] = [othersOf(pair.sent, pattern), othersOf(pair.received, pattern)]
  return memberFindings(comparison, pair, { name: `/~${pattern}`, own, other })
}

function additionalFindings(comparison: Comparison, pair: Pair): readonly Finding[] {
  const [own, other] = [othersOf(pair.sent), othersOf(pair.received)]
  const isSame = isClosed(own) || other.schemas.length === 0
  if (isSame) return []
  if (!isClosed(other) && own.schemas.length > 0)
    return within('/*', comparison.compare(own.schemas, other.schemas, { spot: pair.spot }))
  const keyword = 'additionalProperties'
  const text = (property: Property) =>
    isClosed(property) ? 'false' : property.schemas.length > 0 ? 'a schema' : 'true'
  return [
    differs(comparison, pair, {
      kind: 'additional-properties',
      keyword,
      sent: text(own),
      received: text(other)
    })
  ]
}
