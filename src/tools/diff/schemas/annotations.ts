/** Compares keywords that affect the reading of a value, but not its validity. Both directions find the same. */
import {
  besideNull,
  type Discriminator,
  digestOf,
  type Json,
  partsOf,
  type Schema
} from '@contract-first/contract'
import { identity } from './cases.ts'
import {
  certainIf,
  differs,
  type Finding,
  findingsIn,
  isCertain,
  originOf,
  type SchemasPair
} from './comparison.ts'

export function annotationFindings(pair: SchemasPair): Finding[] {
  const flat = {
    ...pair,
    sent: { schemas: pair.sent.schemas.flatMap(annotated) },
    received: { schemas: pair.received.schemas.flatMap(annotated) }
  }
  return [
    ...valueFindings(flat, 'default'),
    ...deprecatedFindings(flat),
    ...valueFindings(flat, 'xml'),
    ...discriminatorFindings(flat)
  ]
}

/** Returns the parts of a schema, and those of the only branch beside null: `nullable` puts a discriminator there. */
const annotated = (schema: Schema): Schema[] =>
  partsOf(schema).flatMap((part) => {
    const beside = besideNull(part)
    return beside === undefined ? [part] : [part, ...partsOf(beside)]
  })

type Side = SchemasPair['sent']

function first<Name extends keyof Schema>({ schemas }: Side, name: Name): Schema[Name] | undefined {
  return schemas.find((schema) => schema[name] !== undefined)?.[name]
}

function valueFindings(pair: SchemasPair, keyword: 'default' | 'xml'): Finding[] {
  const [sent, received] = [pair.sent, pair.received].map((side) => {
    const value = first(side, keyword)
    return value === undefined ? 'none' : identity(value as Json)
  })
  return sent === received ? [] : [differs(pair, keyword, { sent: sent ?? '', received: received ?? '' })]
}

function deprecatedFindings(pair: SchemasPair): Finding[] {
  const [own, other] = [pair.sent, pair.received].map((side) => first(side, 'deprecated') === true)
  if (own === other) return []
  const [kind, text] =
    own === pair.direction.isSentNew
      ? (['deprecated', 'now deprecated'] as const)
      : (['undeprecated', 'no longer deprecated'] as const)
  return [{ kind, path: '', text, origin: originOf(pair, 'deprecated'), isMinor: true }]
}

function discriminatorFindings(pair: SchemasPair): Finding[] {
  const [own, other] = [first(pair.sent, 'discriminator'), first(pair.received, 'discriminator')]
  if (own === undefined && other === undefined) return []
  const keyword = 'discriminator'
  const [sent, received] = [discriminatorText(own), discriminatorText(other)]
  if (own === undefined || other === undefined)
    return [differs(pair, 'discriminator-hint', { keyword, sent, received })]
  if (sent !== received) return [differs(pair, keyword, { sent, received })]
  const effects = { sent: effectOf(own), received: effectOf(other) }
  if (effects.sent !== effects.received) return [differs(pair, 'discriminator-hint', { keyword, ...effects })]
  const targets = [targetsOf(pair.sent, own), targetsOf(pair.received, other)] as const
  return [...lostFindings(pair, ...targets), ...movedFindings(pair, ...targets)]
}

/** Returns the property, with the schema for values that select none. */
const discriminatorText = (discriminator: Discriminator | undefined): string =>
  discriminator === undefined
    ? 'none'
    : discriminator.property +
      (discriminator.otherwise === undefined ? '' : `, otherwise ${schemaName(discriminator.otherwise)}`)

const schemaName = ({ name, origin }: Schema): string => name ?? origin.pointer

const effectOf = ({ tags }: Discriminator): string => (tags === undefined ? 'without effect' : 'selecting')

type Targets = ReadonlyMap<string, Schema>

/** Returns the schemas by the values that select them: those of `mapping`, and the names of branches without one. */
function targetsOf({ schemas }: Side, { mapping, tags }: Discriminator): Targets {
  const mapped = new Set(mapping.values())
  const branches = schemas.flatMap(({ oneOf = [], anyOf = [] }) => [...oneOf, ...anyOf])
  const named = branches.flatMap(({ ref }): [string, Schema][] =>
    ref?.name === undefined || mapped.has(ref) ? [] : [[ref.name, ref]]
  )
  const selected = [...(tags ?? [])].map(([tag, branch]) => [tag, branch.ref ?? branch] as const)
  return new Map([...mapping, ...named, ...selected])
}

function lostFindings(pair: SchemasPair, sent: Targets, received: Targets): Finding[] {
  const lost = [...sent.keys()].filter((value) => !received.has(value))
  if (lost.length === 0) return []
  const sign = pair.direction.isSentNew ? '+' : '-'
  const text = `discriminator: ${lost.map((value) => `${sign} ${value}`).join(', ')}`
  return [{ kind: 'discriminator-value', path: '', text, origin: originOf(pair, 'discriminator') }]
}

/** Reports values that select another schema than before, unless it has the same values. */
function movedFindings(pair: SchemasPair, sent: Targets, received: Targets): Finding[] {
  const { direction } = pair
  return [...sent].flatMap(([value, schema]): Finding[] => {
    const other = received.get(value)
    if (other === undefined || other.name === schema.name || digestOf(other) === digestOf(schema)) return []
    const origin = originOf(pair, 'discriminator')
    const compared = direction.compare([schema], [other], origin)
    const found = [...findingsIn([{ segment: '', pair: compared }])]
    if (found.length === 0) return []
    const [is, was] = direction.isSentNew ? [schema, other] : [other, schema]
    const text = `${value} now selects ${schemaName(is)} (was ${schemaName(was)})`
    return [certainIf(found.some(isCertain), { kind: 'discriminator-target', path: '', text, origin })]
  })
}
