/**
 * Keywords whose meaning is not compared: `pattern`, `format`, and what applies to some values only. The sender's values
 * satisfy those that its own schemas have, too; a sample shows that they do not satisfy another one, or it stays open.
 */
import { digestOf, type Json, make, type Schema, typeOf } from '@contract-first/contract'
import { accepts, type Case, casesOf, type Type } from './cases.ts'
import { type CasePair, certainIf, differs, type Finding, originOf, shownIn } from './comparison.ts'
import { impliedBy, isClosed, presentIn, propertyOf } from './members.ts'
import { formatsOf, isRefuted, maxListed, samplesOf } from './values.ts'

interface Demand {
  readonly kind: 'pattern' | 'format' | 'not' | 'if' | 'contains' | 'propertyNames' | 'dependentSchemas'
  /** Type of the values to which it applies; undefined for all. */
  readonly type?: Type
  /** Members of the model, the first of which makes the demand. */
  readonly members: readonly [keyof Schema, ...(keyof Schema)[]]
}

const demands: readonly Demand[] = [
  { kind: 'pattern', type: 'string', members: ['pattern'] },
  { kind: 'format', type: 'string', members: ['format'] },
  { kind: 'not', members: ['not'] },
  { kind: 'if', members: ['if', 'then', 'else'] },
  { kind: 'contains', type: 'array', members: ['contains'] },
  { kind: 'propertyNames', type: 'object', members: ['names'] },
  { kind: 'dependentSchemas', type: 'object', members: ['dependentSchemas'] }
]

/** Returns demands of the receiver that the sender's values are not known to satisfy. */
export function demandFindings(pair: CasePair): Finding[] {
  const { sent, received } = pair
  const applying = demands.filter(({ type = sent.type }) => type === sent.type)
  const found = applying.flatMap(({ kind, members }): Finding[] => {
    const demandsOf = ({ schemas }: Case) =>
      schemas
        .filter((schema) => schema[members[0]] !== undefined)
        .map((schema) => make(Object.fromEntries(members.map((key) => [key, schema[key]])), schema))
    const own = demandsOf(sent)
    const known = new Set(own.map(digestOf))
    const unmet = demandsOf(received).filter(
      (demand) => !known.has(digestOf(demand)) && !isVoid(pair, demand)
    )
    if (unmet.length === 0) return []
    const isShown = unmet.some((demand) => isRefuted(pair, demand, () => valuesFor(pair, demand)))
    return [certainIf(isShown, demandFinding(pair, kind, own.length > 0))]
  })
  return sent.type === 'object' ? [...found, ...dependentFindings(pair)] : found
}

function demandFinding(pair: CasePair, kind: Demand['kind'], isChanged: boolean): Finding {
  if (kind === 'pattern')
    return differs(
      pair,
      kind,
      shownIn(pair, ({ pattern }) => pattern?.source)
    )
  if (kind === 'format')
    return differs(
      pair,
      kind,
      shownIn(pair, ({ format }) => format)
    )
  const text = `${kind} ${isChanged ? 'changed' : pair.direction.isSentNew ? 'is gone' : 'added'}`
  return { kind, path: '', text, origin: originOf(pair, kind) }
}

/** Formats that include each format (RFC 3986, 3987, 5321, 6531, 1123, 5890; ISO 8601). */
const wider: ReadonlyMap<string, readonly string[]> = new Map([
  ['uri', ['uri-reference', 'iri', 'iri-reference', 'uri-template']],
  ['uri-reference', ['iri-reference']],
  ['iri', ['iri-reference']],
  ['url', ['uri', 'uri-reference', 'iri', 'iri-reference']],
  ['email', ['idn-email']],
  ['hostname', ['idn-hostname']],
  ['date-time', ['iso-date-time']],
  ['time', ['iso-time']]
])

/**
 * Recognises a demand without an effect: what it excludes is of another type or not sent; no item has to be there; the
 * format is that of any text, or includes the sender's.
 */
function isVoid({ sent, direction }: CasePair, demand: Schema): boolean {
  const { not, contains, format } = demand
  const isApart = ({ type, values }: Case) =>
    type !== sent.type || values?.every((value) => accepts(value, [sent], direction.writer) === 'no')
  return (
    (not !== undefined && casesOf([not]).every(isApart)) ||
    (contains !== undefined && contains.min === 0 && contains.max === undefined) ||
    (format !== undefined &&
      (formatsOf([demand]).length === 0 ||
        formatsOf(sent.schemas).some((own) => wider.get(own)?.includes(format))))
  )
}

/** Returns values that a demand is about, which the samples of the sender may not have. */
function valuesFor({ sent, direction }: CasePair, { not, if: condition, contains }: Schema): Json[] {
  const samplesIn = (schema: Schema | undefined) =>
    casesOf(schema === undefined ? [] : [schema]).flatMap((each) => samplesOf(each, direction.writer))
  if (contains === undefined)
    return samplesIn(not ?? condition).filter((value) => typeOf(value) === sent.type)
  // Lists of what is contained, of one item more and of one less than allowed.
  const lengths = [contains.min - 1, (contains.max ?? 0) + 1].filter((each) => each >= 0 && each <= maxListed)
  return samplesIn(contains.schema).flatMap((item) =>
    lengths.map((length) => Array.from({ length }, () => item))
  )
}

/** Returns properties that other properties now require. */
function dependentFindings(pair: CasePair): Finding[] {
  const { schemas } = pair.sent
  const needed = pair.received.schemas.flatMap(({ dependentRequired }) => [...(dependentRequired ?? [])])
  const origin = originOf(pair, 'dependentRequired')
  return needed.flatMap(([name, others]) => {
    if (isClosed(propertyOf(schemas, name))) return []
    const known = impliedBy(schemas, [...presentIn(schemas, pair.direction.flag), name])
    const text = `${pair.direction.isSentNew ? 'no longer' : 'now'} required where ${name} is present`
    return others
      .filter((other) => !known.has(other))
      .map((other) => ({ kind: 'dependentRequired', path: `/${other}`, text, origin }) as const)
  })
}
