/** Compares objects: required and declared properties, and all others. */
import type { Flag, Origin, Schema } from '@contract-first/contract'
import { type Limits, limitsOf, requiredOf } from '../../samples/members.ts'
import { type CasePair, differs, type Finding, type Item, limitFindings, originOf } from './comparison.ts'
import {
  isClosed,
  isHidden,
  isRequired,
  namesOf,
  othersOf,
  type Property,
  patternsOf,
  presentIn,
  propertyOf
} from './members.ts'

/** Returns why objects of the one case are not objects of the other. */
export function objectItems(pair: CasePair): Item[] {
  const { direction, sent, received } = pair
  // The order is the same in both directions, so that a shared part is reported at its first place.
  const ordered = direction.isSentNew
    ? [...received.schemas, ...sent.schemas]
    : [...sent.schemas, ...received.schemas]
  const names = new Set([...namesOf(ordered), ...requiredOf(ordered)])
  const others = limitsOf(received.schemas, 'Properties')
  return [
    ...requiredFindings(pair),
    ...[...names].flatMap((name) => propertyItems(pair, name)),
    ...[...new Set(patternsOf(ordered))].flatMap((pattern) => {
      const [own, other] = [othersOf(sent.schemas, pattern), othersOf(received.schemas, pattern)]
      return memberItems(pair, { segment: `/~${pattern}`, own, other })
    }),
    ...additionalItems(pair),
    ...limitFindings(pair, ['minProperties', 'maxProperties'], countsOf(sent.schemas, direction.flag), others)
  ]
}

/** Returns the possible numbers of properties, as far as they are declared, without those that messages do not have. */
function countsOf(schemas: readonly Schema[], flag: Flag): Limits {
  const isSent = (name: string) => !isHidden(schemas, name, flag)
  const isOpen = !isClosed(othersOf(schemas)) || patternsOf(schemas).length > 0
  const declared = isOpen ? Number.POSITIVE_INFINITY : new Set(namesOf(schemas).filter(isSent)).size
  const { least, most } = limitsOf(schemas, 'Properties')
  return {
    least: Math.max(presentIn(schemas, flag).size, least),
    most: Math.min(declared, most)
  }
}

/** One property of both, or all properties whose names match a pattern. */
interface Members {
  readonly segment: string
  readonly own: Property
  readonly other: Property
}

const membersOf = ({ sent, received }: CasePair, name: string): Members => ({
  segment: `/${name}`,
  own: namedIn(sent.schemas, name),
  other: namedIn(received.schemas, name)
})

/** Returns the property; one that is required is declared, with any value. */
function namedIn(schemas: readonly Schema[], name: string): Property {
  const property = propertyOf(schemas, name)
  return { ...property, isDeclared: property.isDeclared || isRequired(schemas, name) }
}

/** Returns true for a property that may have any value because nothing declares it. */
const isUndeclared = ({ schemas, isDeclared }: Property): boolean => schemas.length === 0 && !isDeclared

const placeOf = ({ schemas: [first] }: Property, otherwise: Origin): Origin => first?.origin ?? otherwise

function requiredFindings(pair: CasePair): Finding[] {
  const { direction, sent, received } = pair
  const present = presentIn(sent.schemas, direction.flag)
  return [...requiredOf(received.schemas).difference(present)]
    .filter((name) => !isHidden(received.schemas, name, direction.flag))
    .map((name) => requiredFinding(pair, name))
}

function requiredFinding(pair: CasePair, name: string): Finding {
  const { direction, sent } = pair
  const { segment: path, own, other } = membersOf(pair, name)
  const isKept = !isUndeclared(own) && !isHidden(sent.schemas, name, direction.flag)
  const kind = isKept ? 'required' : 'required-property'
  if (direction.isSentNew) {
    const text = isKept ? 'now optional (was required)' : 'is gone (was required)'
    return { kind, path, text, origin: originOf(pair, 'properties') }
  }
  return isKept
    ? { kind, path, text: 'now required (was optional)', origin: originOf(pair, kind) }
    : { kind, path, text: 'added, required', origin: placeOf(other, pair.origin) }
}

function propertyItems(pair: CasePair, name: string): Item[] {
  const { direction, sent, received } = pair
  const members = membersOf(pair, name)
  const isHiddenHere = isHidden(sent.schemas, name, direction.flag)
  const isOtherHidden = isHidden(received.schemas, name, direction.flag)
  if (isHiddenHere && isOtherHidden) return []
  if (isHiddenHere || isOtherHidden)
    return hiddenFindings(pair, members, isHiddenHere === direction.isSentNew)
  return memberItems(pair, members)
}

function memberItems(pair: CasePair, members: Members): Item[] {
  const { direction, origin } = pair
  const { segment, own, other } = members
  if (isClosed(own)) return []
  if (isClosed(other) && !own.isDeclared) return []
  if (isClosed(other)) {
    const [text, at] = direction.isSentNew
      ? ['added to an object that had no others', placeOf(own, origin)]
      : ['is gone, and no others are allowed', originOf(pair, 'properties')]
    return [{ kind: 'closed-property', path: segment, text, origin: at }]
  }
  if (isUndeclared(own) || isUndeclared(other))
    return isUndeclared(own) && isUndeclared(other) ? [] : [minorFinding(pair, members)]
  return [{ segment, pair: direction.compare(own.schemas, other.schemas, origin) }]
}

/** Reports a property that one side declares and the other neither declares nor refuses. */
function minorFinding(pair: CasePair, { segment: path, own, other }: Members): Finding {
  const [isNew, declared] = isUndeclared(own)
    ? [!pair.direction.isSentNew, other]
    : [pair.direction.isSentNew, own]
  return isNew
    ? { kind: 'property-added', path, text: 'added', origin: placeOf(declared, pair.origin), isMinor: true }
    : { kind: 'property-removed', path, text: 'is gone', origin: originOf(pair, 'properties'), isMinor: true }
}

/** Reports a property that messages of this kind have on one side only. */
function hiddenFindings(
  pair: CasePair,
  { segment: path, own, other }: Members,
  isHiddenNow: boolean
): Finding[] {
  const { role, isSentNew } = pair.direction
  if (isUndeclared(own) || isUndeclared(other)) return []
  const origin = placeOf(isSentNew ? own : other, originOf(pair, 'properties'))
  const text = `${isHiddenNow ? 'now' : 'no longer'} ${role === 'request' ? 'read-only' : 'write-only'}`
  const finding = { kind: isHiddenNow ? 'hidden' : 'shown', path, text, origin } as const
  // A server refuses a read-only property; a client misses a write-only one.
  return [role === 'response' || !isHiddenNow ? { ...finding, isMinor: true } : finding]
}

function additionalItems(pair: CasePair): Item[] {
  const { direction, origin } = pair
  const [own, other] = [othersOf(pair.sent.schemas), othersOf(pair.received.schemas)]
  if (isClosed(own) || other.schemas.length === 0) return []
  if (!isClosed(other) && own.schemas.length > 0)
    return [{ segment: '/*', pair: direction.compare(own.schemas, other.schemas, origin) }]
  const text = (property: Property) =>
    isClosed(property) ? 'false' : property.schemas.length > 0 ? 'a schema' : 'true'
  return [differs(pair, 'additionalProperties', { sent: text(own), received: text(other) })]
}
