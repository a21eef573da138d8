/** Searches for values of the sender that the receiver refuses: samples, and values that the receiver's conditions name. */
import type { Json, JsonObject } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { itemSchemas, valuesOf } from '../../evaluate/members.ts'
import { casesOf } from '../cases/cases.ts'
import { lengthsOf } from '../cases/members.ts'
import { samplesOf } from '../cases/samples.ts'
import type { CasePair } from './comparison.ts'

/** Returns whether a value of the sender's case certainly breaks the receiver's. */
export function isRefuted(pair: CasePair): boolean {
  const { comparison, sent, received } = pair
  const isSent = (value: Json) => satisfies(value, sent.nodes, comparison.sent) === true
  const isRefused = (value: Json) => satisfies(value, received.nodes, comparison.received) === false
  return (
    samplesOf([sent], comparison.sent).some(isRefused) ||
    excluded(pair).some((value) => isSent(value) && isRefused(value)) ||
    (sent.type === 'array' && counted(pair).some((list) => isSent(list) && isRefused(list)))
  )
}

/** Returns values of the sender's type that `not` and `if` of the receiver describe. */
function excluded({ comparison, sent, received }: CasePair): Json[] {
  const schemas = ['not', 'if'].flatMap((keyword) => valuesOf(received.nodes, keyword))
  return schemas.flatMap((schema) => {
    const cases = casesOf([schema], comparison.received).filter(({ type }) => type === sent.type)
    return samplesOf(cases, comparison.received)
  })
}

/** Longest list that is made. */
const maxLength = 50

/** Returns lists with too few and with too many of the items that `contains` of the receiver counts. */
function counted({ comparison, sent, received }: CasePair): Json[] {
  const rules = received.nodes.filter((node) => Object.hasOwn(node, 'contains'))
  if (rules.length === 0) return []
  const { least, most } = lengthsOf(sent)
  const items = samplesOf(casesOf(itemSchemas(sent.nodes, 0), comparison.sent), comparison.sent)
  return rules.flatMap((rule) => {
    const schemas = valuesOf([rule], 'contains')
    const isCounted = (item: Json) => satisfies(item, schemas, comparison.received) === true
    const named = samplesOf(casesOf(schemas, comparison.received), comparison.received)
    const [wanted, others] = [
      [...named, ...items].filter(isCounted),
      items.filter((item) => !isCounted(item))
    ]
    return lengthsFor(rule).flatMap(([some, more]) => {
      const list = [...filled(wanted, some), ...filled(others, Math.max(more, least - some))]
      return list.length <= Math.min(most, maxLength) ? [list] : []
    })
  })
}

/** Returns how many counted items and how many others: one item too few, one too many, none. */
function lengthsFor(rule: JsonObject): [some: number, others: number][] {
  const [few] = valuesOf([rule], 'minContains').map(Number)
  const [many] = valuesOf([rule], 'maxContains').map(Number)
  const tooFew = Math.max(0, (few ?? 1) - 1)
  return [
    [tooFew, 0],
    [tooFew, 1],
    [0, 1],
    ...(many === undefined ? [] : [[many + 1, 0] as [number, number]])
  ]
}

/** Repeats the values up to a length; fewer than that only where there are none. */
const filled = (values: readonly Json[], length: number): Json[] =>
  values.length === 0
    ? []
    : Array.from(
        { length: Math.min(length, maxLength + 1) },
        (_none, index) => values[index % values.length] as Json
      )
