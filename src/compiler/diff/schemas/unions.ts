/** Compares alternatives: each of the sender's must be one of the receiver's. */
import { isObject, type Json } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { type Case, types } from '../cases/cases.ts'
import { samplesOf } from '../cases/samples.ts'
import { originOf } from '../cases/side.ts'
import { isApart, marks, partnerOf, splitAt } from './alternatives.ts'
import { caseFindings, unproven } from './case-findings.ts'
import {
  type Comparison,
  type Finding,
  isHarmless,
  isIncluded,
  type Schemas,
  spotOf,
  surplus,
  weight
} from './comparison.ts'
import { listedFindings } from './numbers.ts'
import { type Alternatives, isRefused, overlapFindings } from './overlaps.ts'
import { openFormats } from './strings.ts'

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
  // A change to integer is reported with the other types.
  const isReported = surplusTypes.some(({ kind }) => kind === 'type')
  const reported = isReported
    ? found.filter((each) => surplusTypes.includes(each) || each.kind !== 'type' || each.path !== '')
    : found
  return [...reported, ...overlapFindings(alternatives)]
}

/** Returns a value of the cases that the receiver certainly refuses. */
function refusedOf({ comparison, schemas }: Alternatives, cases: readonly Case[]): Json | undefined {
  return samplesOf(cases, comparison.sent).find((value) => isRefused(value, { comparison, schemas }))
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
  const verdicts = sent.flatMap(({ values = [] }) =>
    values.map((value) => ({
      value,
      isSent: satisfies(value, schemas.sent, comparison.sent),
      isValid: satisfies(value, schemas.received, comparison.received)
    }))
  )
  const pair = nodesOf(alternatives)
  const finding = (kind: 'enum' | 'schema', values: readonly Json[]): Finding[] => {
    const text = `enum: ${surplus(comparison, values)}`
    return values.length === 0 ? [] : [{ kind, path: '', text, spot: spotOf(pair, 'enum') }]
  }
  const among = (isIn: (verdict: (typeof verdicts)[number]) => boolean) =>
    verdicts.filter(isIn).map(({ value }) => value)
  const refused = among(({ isSent, isValid }) => isSent !== false && isValid === false)
  const unknown = among(({ isSent, isValid }) => isSent === true && isValid === undefined)
  const hasUnknown = verdicts.some(({ isSent, isValid }) => isSent !== false && isValid === undefined)
  const formats = hasUnknown ? openFormats(pair) : []
  const others = formats.length > 0 ? [] : finding('schema', unknown)
  return [
    ...finding('enum', refused),
    ...listedFindings(
      pair,
      among(({ isSent }) => isSent !== false)
    ),
    ...formats,
    ...others.map((each): Finding => ({ ...each, isUncertain: true }))
  ]
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
  if (compared.some((found) => isIncluded(comparison, found))) return []
  // Only optional properties differ: one alternative leaves open what the other restricts.
  const isRefuted = (best !== undefined && isHarmless(best)) || refusedOf(alternatives, [each]) !== undefined
  if (own.some(isCertain)) return isRefuted ? own : own.map(unproven)
  return [alternativeFinding(each, alternatives, isRefuted)]
}

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
