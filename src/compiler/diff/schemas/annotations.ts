/** Keywords that affect the reading of a value, but not its validity. */
import {
  arrayOf,
  distinct,
  fragmentSegments,
  type Json,
  type JsonObject,
  objectOf,
  own,
  pointerOf,
  tagged
} from '../../compile/documents.ts'
import { identity } from '../../evaluate/evaluate.ts'
import { valuesOf } from '../../evaluate/members.ts'
import { flattened, type Side } from '../cases/side.ts'
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
  const { comparison } = pair
  const tags = {
    sent: tagsIn(pair.sent.nodes, objectOf(own), comparison.sent),
    received: tagsIn(pair.received.nodes, objectOf(other), comparison.received)
  }
  const effects = { sent: effectOf(tags.sent), received: effectOf(tags.received) }
  if (effects.sent !== effects.received) return [differs(pair, 'discriminator-hint', { keyword, ...effects })]
  const targets = {
    sent: new Map([...targetsIn(pair.sent.nodes, objectOf(own)), ...(tags.sent ?? [])]),
    received: new Map([...targetsIn(pair.received.nodes, objectOf(other)), ...(tags.received ?? [])])
  }
  return [...lostFindings(pair, targets), ...movedFindings(pair, targets)]
}

/** Schemas by the values that select them. */
type Targets = ReadonlyMap<string, string>
interface BothTargets {
  readonly sent: Targets
  readonly received: Targets
}

function lostFindings(pair: Pair, { sent, received }: BothTargets): Finding[] {
  const keyword = 'discriminator'
  const lost = [...sent.keys()].filter((value) => !received.has(value))
  if (lost.length === 0) return []
  const sign = pair.comparison.sent.isNew ? '+' : '-'
  const text = `${keyword}: ${lost.map((value) => `${sign} ${value}`).join(', ')}`
  return [{ kind: 'discriminator-value', path: '', text, spot: spotOf(pair, keyword) }]
}

/** Reports values that select another schema than before, unless it has the same values. */
function movedFindings(pair: Pair, { sent, received }: BothTargets): Finding[] {
  const { comparison } = pair
  const spot = spotOf(pair, 'discriminator')
  return [...sent].flatMap(([value, target]): Finding[] => {
    const other = received.get(value)
    if (other === undefined || other === target) return []
    const [schema, otherSchema] = [
      schemaNamed(comparison.sent, target),
      schemaNamed(comparison.received, other)
    ]
    const found = comparison.compare([schema], [otherSchema], { spot })
    if (found.length === 0) return []
    const [is, was] = comparison.sent.isNew ? [target, other] : [other, target]
    const finding = {
      kind: 'discriminator-target',
      path: '',
      text: `${value} now selects ${is} (was ${was})`,
      spot
    } as const
    const isCertain = found.some(({ isMinor, isUncertain }) => isMinor !== true && isUncertain !== true)
    return [isCertain ? finding : { ...finding, isUncertain: true }]
  })
}

const schemaNamed = ({ document }: Side, name: string): Json =>
  own(objectOf(own(objectOf(own(document, 'components')), 'schemas')), name) ?? true

/** Returns the property, with the schema for values that select none. */
function nameIn(discriminator: Json | undefined): string {
  const { propertyName = 'none', defaultMapping } = objectOf(discriminator)
  const standard = defaultMapping === undefined ? '' : `, otherwise ${lastSegment(String(defaultMapping))}`
  return `${String(propertyName)}${standard}`
}

/** Returns the schemas by the values that select them; undefined where the alternatives decide, as without a discriminator. */
function tagsIn(
  nodes: readonly JsonObject[],
  discriminator: JsonObject,
  { document }: Side
): Targets | undefined {
  const property = String(own(discriminator, 'propertyName'))
  const branches = tagged(branchesIn(nodes), property, discriminator, document)
  if (branches.length === 0 || !distinct(branches)) return undefined
  return new Map(
    branches.flatMap(({ values, pointer }) => values.map((value) => [String(value), lastSegment(pointer)]))
  )
}

const effectOf = (tags: Targets | undefined): string => (tags === undefined ? 'without effect' : 'selecting')

const branchesIn = (nodes: readonly JsonObject[]): Json[] =>
  nodes.flatMap((node) => ['oneOf', 'anyOf'].flatMap((key) => arrayOf(own(node, key))))

/** Returns the schemas by the values that select them: those of `mapping`, and the names of branches without one. */
function targetsIn(nodes: readonly JsonObject[], discriminator: JsonObject): Targets {
  const mapping = Object.entries(objectOf(own(discriminator, 'mapping'))).map(
    ([value, target]): [string, string] => [value, lastSegment(String(target))]
  )
  const targets = new Set(mapping.map(([, target]) => target))
  const names = branchesIn(nodes).flatMap((branch): [string, string][] => {
    const name = lastSegment(pointerOf(objectOf(branch)) ?? '')
    return name === '' || targets.has(name) ? [] : [[name, name]]
  })
  return new Map([...mapping, ...names])
}

/** Returns the name of a schema, which a mapping may give instead of a reference. */
const lastSegment = (reference: string): string =>
  reference.includes('#/') ? fragmentSegments(reference).slice(-1).join() : reference
