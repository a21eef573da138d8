/** Compares alternatives: each of the sender's must be one of the receiver's. */
import { isObject, type JsonObject, own } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { type Case, types } from '../cases/cases.ts'
import { samplesOf } from '../cases/samples.ts'
import { flattened, originOf, type Side } from '../cases/side.ts'
import { isApart, marks, partnerOf, splitAt } from './alternatives.ts'
import { caseFindings } from './case-findings.ts'
import { type Comparison, type Pair, type Schemas, spotOf, surplus } from './comparison.ts'
import { type Finding, isHarmless, type Spot, shown, weight } from './finding.ts'

interface Alternatives {
  readonly sent: readonly Case[]
  readonly received: readonly Case[]
  readonly spot: Spot
  readonly schemas: { readonly sent: Schemas; readonly received: Schemas }
}

export function unionFindings(comparison: Comparison, alternatives: Alternatives): Finding[] {
  const surplusTypes = typeFindings(comparison, alternatives)
  const found = [
    ...surplusTypes,
    ...types.flatMap((type) => {
      const of = (cases: readonly Case[]) => cases.filter((each) => each.type === type)
      const [sent, received] = [of(alternatives.sent), listsMerged(of(alternatives.received))]
      return received.length === 0 ? [] : casesFindings(comparison, { ...alternatives, sent, received })
    })
  ]
  if (isHarmless(found)) return [...found, ...overlapFindings(comparison, alternatives)]
  // A change to integer is reported with the other types.
  const isReported = surplusTypes.some(({ kind }) => kind === 'type')
  return isReported
    ? found.filter((each) => surplusTypes.includes(each) || each.kind !== 'type' || each.path !== '')
    : found
}

/** Searches for values that fit two alternatives of `oneOf`, which refuses them: the cases do not show such values. */
function overlapFindings(comparison: Comparison, { sent, received, spot, schemas }: Alternatives): Finding[] {
  const { sent: side, received: other } = comparison
  if (!hasOverlap(schemas.received, other, received)) return []
  const value = samplesOf(sent, side).find(
    (sample) =>
      satisfies(sample, schemas.sent, side) === true && satisfies(sample, schemas.received, other) === false
  )
  if (value === undefined) return []
  const text = `${side.isNew ? 'may now be' : 'no longer accepts'} ${shown(value)}`
  const finding = { kind: 'schema', path: '', text, spot } as const
  // For objects, `oneOf` usually means the intended alternative, so that an overlap is not certain.
  return [typeof value === 'object' && value !== null ? { ...finding, isUncertain: true } : finding]
}

function hasOverlap(schemas: Schemas, side: Side, cases: readonly Case[]): boolean {
  const isShared = cases.some((each, index) =>
    cases.slice(index + 1).some((other) => each.type === other.type && !isApart(each, other))
  )
  return isShared && flattened(schemas, side).some((node) => own(node, 'oneOf') !== undefined)
}

/** Merges alternatives that list values into one list. */
function listsMerged(cases: readonly Case[]): readonly Case[] {
  const lists = cases.filter(({ values }) => values !== undefined)
  const [first] = lists
  if (first === undefined || lists.length === 1) return cases
  const merged = { ...first, nodes: [], values: lists.flatMap(({ values = [] }) => values) }
  return [merged, ...cases.filter(({ values }) => values === undefined)]
}

/** Reports types that only the sender's values have. */
function typeFindings(comparison: Comparison, { sent, received, spot, schemas }: Alternatives): Finding[] {
  const typesOf = (cases: readonly Case[]) => new Set(cases.map(({ type }) => type))
  const [own, others] = [typesOf(sent), typesOf(received)]
  const surplusTypes = [...own].filter((type) => !others.has(type))
  if (surplusTypes.length === 0) return []
  const pair = pairOf(sent, received, spot)
  const isNull = surplusTypes.length === 1 && surplusTypes[0] === 'null' && others.size > 0
  const isNew = comparison.sent.isNew
  if (isNull) {
    const text = isNew ? 'may be null' : 'may not be null'
    return [{ kind: 'null', path: '', text, spot: spotOf(comparison, pair, 'type') }]
  }
  const names = (cases: readonly Case[], side: Schemas) =>
    typeNames(cases) ?? (side.includes(false) ? 'nothing' : 'none')
  const [is, was] = [names(sent, schemas.sent), names(received, schemas.received)]
  const text = isNew ? `type now ${is} (was ${was})` : `type now ${was} (was ${is})`
  return [{ kind: 'type', path: '', text, spot: spotOf(comparison, pair, 'type') }]
}

function typeNames(cases: readonly Case[]): string | undefined {
  const names = new Set(cases.map(({ type, isInteger }) => (isInteger ? 'integer' : type)))
  if (types.every((type) => names.has(type))) return 'any'
  return names.size === 0 ? undefined : [...names].join(' or ')
}

const nodesOf = (cases: readonly Case[]): JsonObject[] => [...new Set(cases.flatMap(({ nodes }) => nodes))]

const pairOf = (sent: readonly Case[], received: readonly Case[], spot: Spot): Pair => ({
  sent: nodesOf(sent),
  received: nodesOf(received),
  spot
})

/** Compares cases of one type. */
function casesFindings(comparison: Comparison, alternatives: Alternatives): Finding[] {
  const { sent, received, spot } = alternatives
  const values = sent.filter((each) => each.values !== undefined)
  const others = sent.filter((each) => each.values === undefined)
  return [
    ...valueFindings(comparison, { ...alternatives, sent: values }),
    ...others.flatMap((each) => {
      const [only, ...more] = received
      const isSingle = sent.length === 1 && more.length === 0 && only !== undefined
      return isSingle
        ? caseFindings(comparison, each, only, pairOf([each], [only], spot))
        : alternativeFindings(comparison, each, alternatives)
    })
  ]
}

/** Checks listed values one by one. */
function valueFindings(comparison: Comparison, { sent, received, spot, schemas }: Alternatives): Finding[] {
  const { sent: side, received: other } = comparison
  const listed = sent
    .flatMap(({ values = [] }) => values)
    .filter((value) => satisfies(value, schemas.sent, side) !== false)
  const refused = [...new Set(listed)].filter((value) => satisfies(value, schemas.received, other) === false)
  if (refused.length === 0) return []
  const spotted = spotOf(comparison, pairOf(sent, received, spot), 'enum')
  return [{ kind: 'enum', path: '', text: `enum: ${surplus(comparison, refused)}`, spot: spotted }]
}

/** Compares one alternative with all of the receiver's. */
function alternativeFindings(comparison: Comparison, each: Case, alternatives: Alternatives): Finding[] {
  const { sent, received, spot, schemas } = alternatives
  const candidates = received.filter((other) => !isApart(each, other))
  const findings = (other: Case) => caseFindings(comparison, each, other, pairOf([each], [other], spot))
  const partner = partnerOf(comparison, each, { sent, received: candidates })
  const own = partner === undefined ? [] : findings(partner)
  if (partner !== undefined && own.length === 0) return []
  const compared = candidates.map((other) => (other === partner ? own : findings(other)))
  const [best] = compared.toSorted((a, b) => weight(a) - weight(b))
  if (best?.length === 0) return []
  if (partner !== undefined && (candidates.length === 1 || isHarmless(own))) return own
  const parts = splitAt(each, received)
  if (parts.length > 1) return parts.flatMap((part) => alternativeFindings(comparison, part, alternatives))
  if (compared.some((found) => found.every((finding) => isOpen(comparison, finding)))) return []
  // Only optional properties differ: one alternative leaves open what the other restricts.
  const isRefuted = (best !== undefined && isHarmless(best)) || refutes(comparison, each, schemas)
  if (isRefuted && own.some(isCertain)) return own
  return [alternativeFinding(comparison, each, { spot, isRefuted })]
}

/** Returns whether the receiver leaves open what the sender declares. */
const isOpen = ({ received }: Comparison, { kind, isMinor }: Finding): boolean =>
  isMinor === true && kind !== (received.isNew ? 'property-added' : 'property-removed')

const isCertain = ({ isUncertain, isMinor }: Finding): boolean => isUncertain !== true && isMinor !== true

function alternativeFinding(
  comparison: Comparison,
  each: Case,
  { spot, isRefuted }: { readonly spot: Spot; readonly isRefuted: boolean }
): Finding {
  const { isNew } = comparison.sent
  const [branch] = each.branches
  const at = isNew && isObject(branch) ? { node: originOf(branch) } : spot
  const text = `alternative ${nameOf(comparison, each)} ${isNew ? 'added' : 'is gone'}`
  const finding = { kind: 'alternative', path: '', text, spot: at } as const
  return isRefuted ? finding : { ...finding, isUncertain: true }
}

/** Names an alternative: by its schema, by the value that marks it, or by its type. */
function nameOf({ sent }: Comparison, each: Case): string {
  const [branch] = each.branches
  const name = isObject(branch) ? sent.nameOf(branch) : undefined
  return name ?? [...marks(each)][0] ?? (each.isInteger ? 'integer' : each.type)
}

/** Returns whether the receiver certainly refuses some value of the case. */
function refutes({ sent, received }: Comparison, each: Case, schemas: Alternatives['schemas']): boolean {
  return samplesOf([each], sent).some(
    (value) =>
      satisfies(value, schemas.sent, sent) === true && satisfies(value, schemas.received, received) === false
  )
}
