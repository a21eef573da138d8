/** Compares alternatives: each of the sender's must be one of the receiver's. */
import { isObject, type Json, own } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { type Case, types } from '../cases/cases.ts'
import { samplesOf } from '../cases/samples.ts'
import { flattened, originOf, type Side } from '../cases/side.ts'
import { isApart, marks, partnerOf, splitAt } from './alternatives.ts'
import { caseFindings } from './case-findings.ts'
import {
  type Comparison,
  type Finding,
  isHarmless,
  type Schemas,
  type Spot,
  shown,
  spotOf,
  surplus,
  weight
} from './comparison.ts'
import { openFormats } from './strings.ts'

interface Alternatives {
  readonly comparison: Comparison
  readonly sent: readonly Case[]
  readonly received: readonly Case[]
  readonly spot: Spot
  readonly schemas: { readonly sent: Schemas; readonly received: Schemas }
}

export function unionFindings(alternatives: Alternatives): Finding[] {
  const surplusTypes = typeFindings(alternatives)
  const found = [
    ...surplusTypes,
    ...types.flatMap((type) => {
      const of = (cases: readonly Case[]) => cases.filter((each) => each.type === type)
      const [sent, received] = [of(alternatives.sent), listsMerged(of(alternatives.received))]
      return received.length === 0 ? [] : casesFindings({ ...alternatives, sent, received })
    })
  ]
  if (isHarmless(found)) return [...found, ...overlapFindings(alternatives)]
  // A change to integer is reported with the other types.
  const isReported = surplusTypes.some(({ kind }) => kind === 'type')
  return isReported
    ? found.filter((each) => surplusTypes.includes(each) || each.kind !== 'type' || each.path !== '')
    : found
}

/** Searches for values that fit two alternatives of `oneOf`, which refuses them: the cases do not show such values. */
function overlapFindings(alternatives: Alternatives): Finding[] {
  const { comparison, sent, received, spot, schemas } = alternatives
  if (!hasOverlap(schemas.received, comparison.received, received)) return []
  const value = refusedOf(alternatives, sent)
  if (value === undefined) return []
  const text = `${comparison.sent.isNew ? 'may now be' : 'no longer accepts'} ${shown(value)}`
  const finding = { kind: 'schema', path: '', text, spot } as const
  // For objects, `oneOf` usually means the intended alternative, so that an overlap is not certain.
  return [typeof value === 'object' && value !== null ? { ...finding, isUncertain: true } : finding]
}

/** Returns a value of the cases that the receiver certainly refuses. */
function refusedOf({ comparison, schemas }: Alternatives, cases: readonly Case[]): Json | undefined {
  const { sent, received } = comparison
  return samplesOf(cases, sent).find(
    (value) =>
      satisfies(value, schemas.sent, sent) === true && satisfies(value, schemas.received, received) === false
  )
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
function typeFindings(alternatives: Alternatives): Finding[] {
  const { comparison, sent, received, schemas } = alternatives
  const typesOf = (cases: readonly Case[]) => new Set(cases.map(({ type }) => type))
  const others = typesOf(received)
  const surplusTypes = [...typesOf(sent).difference(others)]
  if (surplusTypes.length === 0) return []
  const isNew = comparison.sent.isNew
  const spot = spotOf(nodesOf(alternatives), 'type')
  if (surplusTypes.join() === 'null' && others.size > 0)
    return [{ kind: 'null', path: '', text: isNew ? 'may be null' : 'may not be null', spot }]
  const names = (cases: readonly Case[], side: Schemas) =>
    typeNames(cases) ?? (side.includes(false) ? 'nothing' : 'none')
  const [own, other] = [names(sent, schemas.sent), names(received, schemas.received)]
  const text = isNew ? `type now ${own} (was ${other})` : `type now ${other} (was ${own})`
  return [{ kind: 'type', path: '', text, spot }]
}

function typeNames(cases: readonly Case[]): string | undefined {
  const names = new Set(cases.map(({ type, isInteger }) => (isInteger ? 'integer' : type)))
  if (types.every((type) => names.has(type))) return 'any'
  return names.size === 0 ? undefined : [...names].join(' or ')
}

/** Returns the schemas of all cases. */
function nodesOf({ comparison, sent, received, spot }: Alternatives) {
  const all = (cases: readonly Case[]) => ({ nodes: [...new Set(cases.flatMap(({ nodes }) => nodes))] })
  return { comparison, sent: all(sent), received: all(received), spot }
}

function casesFindings(alternatives: Alternatives): Finding[] {
  const { comparison, sent, received, spot } = alternatives
  const others = sent.filter((each) => each.values === undefined)
  const [only, ...more] = received
  const isSingle = sent.length === 1 && more.length === 0
  return [
    ...valueFindings({ ...alternatives, sent: sent.filter((each) => each.values !== undefined) }),
    ...others.flatMap((each) =>
      isSingle && only !== undefined
        ? caseFindings({ comparison, sent: each, received: only, spot })
        : alternativeFindings(each, alternatives)
    )
  ]
}

/** Checks listed values one by one. */
function valueFindings(alternatives: Alternatives): Finding[] {
  const { comparison, sent, schemas } = alternatives
  const listed = sent
    .flatMap(({ values = [] }) => values)
    .filter((value) => satisfies(value, schemas.sent, comparison.sent) !== false)
  const verdicts = new Map(
    listed.map((value) => [value, satisfies(value, schemas.received, comparison.received)])
  )
  const refused = [...verdicts.keys()].filter((value) => verdicts.get(value) === false)
  const pair = nodesOf(alternatives)
  const open = [...verdicts.values()].includes(undefined) ? openFormats(pair) : []
  if (refused.length === 0) return open
  const text = `enum: ${surplus(comparison, refused)}`
  return [{ kind: 'enum', path: '', text, spot: spotOf(pair, 'enum') }, ...open]
}

/** Compares one alternative with all of the receiver's. */
function alternativeFindings(each: Case, alternatives: Alternatives): Finding[] {
  const { comparison, sent, received, spot } = alternatives
  const candidates = received.filter((other) => !isApart(each, other))
  const findings = (other: Case) => caseFindings({ comparison, sent: each, received: other, spot })
  const partner = partnerOf(comparison, each, { sent, received: candidates })
  const own = partner === undefined ? [] : findings(partner)
  if (partner !== undefined && own.length === 0) return []
  const compared = candidates.map((other) => (other === partner ? own : findings(other)))
  const [best] = compared.toSorted((a, b) => weight(a) - weight(b))
  if (best?.length === 0) return []
  if (partner !== undefined && (candidates.length === 1 || isHarmless(own))) return own
  const parts = splitAt(each, received)
  if (parts.length > 1) return parts.flatMap((part) => alternativeFindings(part, alternatives))
  if (compared.some((found) => found.every((finding) => isOpen(comparison, finding)))) return []
  // Only optional properties differ: one alternative leaves open what the other restricts.
  const isRefuted = (best !== undefined && isHarmless(best)) || refusedOf(alternatives, [each]) !== undefined
  if (isRefuted && own.some(isCertain)) return own
  return [alternativeFinding(each, alternatives, isRefuted)]
}

/** Returns whether the receiver leaves open what the sender declares. */
const isOpen = ({ received }: Comparison, { kind, isMinor }: Finding): boolean =>
  isMinor === true && kind !== (received.isNew ? 'property-added' : 'property-removed')

const isCertain = ({ isUncertain, isMinor }: Finding): boolean => isUncertain !== true && isMinor !== true

function alternativeFinding(each: Case, { comparison, spot }: Alternatives, isRefuted: boolean): Finding {
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
