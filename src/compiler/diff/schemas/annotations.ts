/** Keywords that affect the reading of a value, but not its validity. */
import {
  arrayOf,
  fragmentSegments,
  type Json,
  type JsonObject,
  objectOf,
  own,
  pointerOf
} from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { valuesOf } from '../../evaluate/members.ts'
import { flattened } from '../cases/side.ts'
import { differs, type Finding, type Pair, spotOf } from './comparison.ts'

/** Returns what a reader of the new contract reads differently. Both directions find the same. */
export function annotationFindings(pair: Pair): Finding[] {
  const { comparison, sent, received } = pair
  const flat = {
    ...pair,
    sent: { nodes: flattened(sent.nodes, comparison.sent, ['allOf']) },
    received: { nodes: flattened(received.nodes, comparison.received, ['allOf']) }
  }
  return [
    ...textFindings(flat, 'default'),
    ...deprecatedFindings(flat),
    ...textFindings(flat, 'xml'),
    ...discriminatorFindings(flat)
  ]
}

const first = ({ nodes }: Pair['sent'], keyword: string): Json | undefined => valuesOf(nodes, keyword)[0]

function textFindings(pair: Pair, keyword: 'default' | 'xml'): Finding[] {
  const textOf = (part: Pair['sent']) => valuesOf(part.nodes, keyword).slice(0, 1).map(identity)[0] ?? 'none'
  const texts = { sent: textOf(pair.sent), received: textOf(pair.received) }
  return texts.sent === texts.received ? [] : [differs(pair, keyword, texts)]
}

function deprecatedFindings(pair: Pair): Finding[] {
  const [own, other] = [pair.sent, pair.received].map((part) => first(part, 'deprecated') === true)
  if (own === other) return []
  const isNow = own === pair.comparison.sent.isNew
  const [kind, text] = isNow
    ? (['deprecated', 'now deprecated'] as const)
    : (['undeprecated', 'no longer deprecated'] as const)
  return [{ kind, path: '', text, spot: spotOf(pair, 'deprecated'), isMinor: true }]
}

function discriminatorFindings(pair: Pair): Finding[] {
  const [own, other] = [first(pair.sent, 'discriminator'), first(pair.received, 'discriminator')]
  if (own === undefined && other === undefined) return []
  const [sent, received] = [nameIn(own), nameIn(other)]
  const keyword = 'discriminator'
  if (sent !== received) {
    const isBoth = own !== undefined && other !== undefined
    return [differs(pair, isBoth ? keyword : 'discriminator-hint', { keyword, sent, received })]
  }
  const values = valuesIn(pair.received.nodes, objectOf(other))
  const lost = [...valuesIn(pair.sent.nodes, objectOf(own))].filter((value) => !values.has(value))
  if (lost.length === 0) return []
  const sign = pair.comparison.sent.isNew ? '+' : '-'
  const text = `${keyword}: ${lost.map((value) => `${sign} ${value}`).join(', ')}`
  return [{ kind: 'discriminator-value', path: '', text, spot: spotOf(pair, keyword) }]
}

/** Returns the property, with the schema for values that select none. */
function nameIn(discriminator: Json | undefined): string {
  const { propertyName = 'none', defaultMapping } = objectOf(discriminator)
  const standard = defaultMapping === undefined ? '' : `, otherwise ${lastSegment(String(defaultMapping))}`
  return `${String(propertyName)}${standard}`
}

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
