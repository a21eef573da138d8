/** Keywords that affect the reading of a value, but not its validity. */
import {
  arrayOf,
  fragmentSegments,
  type Json,
  type JsonObject,
  objectOf,
  own,
  pointerOf,
  stringOf
} from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { flattened } from '../cases/side.ts'
import { type Comparison, differs, type Pair, spotOf } from './comparison.ts'
import type { Finding } from './finding.ts'

/** Returns what a reader of the new contract reads differently. Both directions find the same. */
export function annotationFindings(comparison: Comparison, pair: Pair): Finding[] {
  const own = { ...pair, sent: flattened(pair.sent, comparison.sent, ['allOf']) }
  const flat = { ...own, received: flattened(pair.received, comparison.received, ['allOf']) }
  return [
    ...defaultFindings(comparison, flat),
    ...deprecatedFindings(comparison, flat),
    ...xmlFindings(comparison, flat),
    ...discriminatorFindings(comparison, flat)
  ]
}

const first = (nodes: readonly JsonObject[], keyword: string): Json | undefined =>
  nodes.map((node) => own(node, keyword)).find((value) => value !== undefined)

const textOf = (value: Json | undefined): string => (value === undefined ? 'none' : identity(value))

function defaultFindings(comparison: Comparison, pair: Pair): Finding[] {
  const [sent, received] = [textOf(first(pair.sent, 'default')), textOf(first(pair.received, 'default'))]
  return sent === received
    ? []
    : [differs(comparison, pair, { kind: 'default', keyword: 'default', sent, received })]
}

function deprecatedFindings(comparison: Comparison, pair: Pair): Finding[] {
  const [own, other] = [first(pair.sent, 'deprecated') === true, first(pair.received, 'deprecated') === true]
  if (own === other) return []
  const isNow = own === comparison.sent.isNew
  const spot = spotOf(comparison, pair, 'deprecated')
  return [
    {
      kind: isNow ? 'deprecated' : 'undeprecated',
      path: '',
      text: isNow ? 'now deprecated' : 'no longer deprecated',
      spot,
      isMinor: true
    }
  ]
}

function xmlFindings(comparison: Comparison, pair: Pair): Finding[] {
  const [sent, received] = [textOf(first(pair.sent, 'xml')), textOf(first(pair.received, 'xml'))]
  return sent === received ? [] : [differs(comparison, pair, { kind: 'xml', keyword: 'xml', sent, received })]
}

function discriminatorFindings(comparison: Comparison, pair: Pair): Finding[] {
  const [own, other] = [first(pair.sent, 'discriminator'), first(pair.received, 'discriminator')]
  if (own === undefined && other === undefined) return []
  const [sent, received] = [nameIn(own), nameIn(other)]
  const keyword = 'discriminator'
  if (sent !== received) {
    const isBoth = own !== undefined && other !== undefined
    return [
      differs(comparison, pair, {
        kind: isBoth ? 'discriminator' : 'discriminator-hint',
        keyword,
        sent,
        received
      })
    ]
  }
  const values = valuesIn(pair.received, objectOf(other))
  const surplus = [...valuesIn(pair.sent, objectOf(own))].filter((value) => !values.has(value))
  if (surplus.length === 0) return []
  const text = `${keyword}: ${surplus.map((value) => `${comparison.sent.isNew ? '+' : '-'} ${value}`).join(', ')}`
  return [{ kind: 'discriminator-value', path: '', text, spot: spotOf(comparison, pair, keyword) }]
}

const nameIn = (discriminator: Json | undefined): string =>
  stringOf(own(objectOf(discriminator), 'propertyName')) ?? 'none'

/** Returns the values that select a schema: those of `mapping`, and the names of branches without one. */
function valuesIn(nodes: readonly JsonObject[], discriminator: JsonObject): Set<string> {
  const mapping = objectOf(own(discriminator, 'mapping'))
  const targets = new Set(Object.values(mapping).map((target) => lastSegment(String(target))))
  const branches = nodes.flatMap((node) => ['oneOf', 'anyOf'].flatMap((key) => arrayOf(own(node, key))))
  const names = branches.flatMap((branch) => {
    const name = lastSegment(pointerOf(objectOf(branch)) ?? '')
    return name === '' || targets.has(name) ? [] : [name]
  })
  return new Set([...Object.keys(mapping), ...names])
}

/** Returns the name of a schema, which a mapping may give instead of a reference. */
const lastSegment = (reference: string): string =>
  reference.includes('#/') ? fragmentSegments(reference).slice(-1).join() : reference
