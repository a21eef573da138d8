/** Compares two cases of one type, keyword by keyword. */
import type { Schema } from '@contract-first/contract'
import { isUnique, itemSchemas, type Limits, prefixLength } from '../../samples/members.ts'
import { casesOf, shown, type Type } from './cases.ts'
import {
  type CasePair,
  differs,
  type Finding,
  type Item,
  isUnprovenItem,
  limitFindings,
  unfinished
} from './comparison.ts'
import { conditionFindings } from './conditions.ts'
import { lengthsOf } from './members.ts'
import { numberFindings } from './numbers.ts'
import { objectItems } from './objects.ts'
import { stringItems } from './strings.ts'

const readers: Readonly<Record<Type, (pair: CasePair) => Item[]>> = {
  null: () => [],
  boolean: () => [],
  number: numberFindings,
  string: stringItems,
  array: arrayItems,
  object: objectItems
}

/** Returns why values of the one case are not values of the other. */
export function caseItems(pair: CasePair): Item[] {
  const { direction, sent, received, origin } = pair
  if (direction.isSpent()) return [unfinished(origin)]
  const { values } = received
  const found = [
    ...(values === undefined ? [] : [differs(pair, 'enum', { sent: 'any', received: shown([...values]) })]),
    ...readers[sent.type](pair),
    ...conditionFindings(pair),
    ...(received.isApproximate ? [uncompared(pair)] : [])
  ]
  // A case that allows more than its schema proves nothing.
  return sent.isApproximate ? found.map(isUnprovenItem) : found
}

const uncompared = ({ origin }: CasePair): Finding => ({
  kind: 'alternative',
  path: '',
  text: 'has alternatives or conditions that are not compared',
  origin,
  isUncertain: true
})

/** Returns why lists of the one case are not lists of the other. */
function arrayItems(pair: CasePair): Item[] {
  const [own, other] = [reachedLengths(pair.sent.schemas), lengthsOf(pair.received.schemas)]
  const isNarrower = own.most > 1 && !isUnique(pair.sent.schemas) && isUnique(pair.received.schemas)
  return [
    ...limitFindings(pair, ['minItems', 'maxItems'], own, other),
    ...(isNarrower ? [differs(pair, 'uniqueItems', { sent: 'false', received: 'true' })] : []),
    ...itemsItems(pair, Math.min(own.most, other.most))
  ]
}

/** Returns the lengths that lists have by their limits, by what they contain, and by how many items differ. */
function reachedLengths(schemas: readonly Schema[]): Limits {
  const { least, most } = lengthsOf(schemas)
  const contained = schemas.flatMap(({ contains }) => contains?.min ?? [])
  const length = prefixLength(schemas)
  const cases = isUnique(schemas) ? casesOf(itemSchemas(schemas, length)) : []
  const counts = cases.map(({ values }) => values?.length ?? Infinity)
  const different = cases.length === 0 ? Infinity : counts.reduce((sum, count) => sum + count, length)
  return { least: Math.max(least, ...contained), most: Math.min(most, different) }
}

/** Compares items one by one up to the length of a tuple, then all others. */
function itemsItems({ direction, sent, received, origin }: CasePair, most: number): Item[] {
  const length = prefixLength([...sent.schemas, ...received.schemas])
  const part = (segment: string, index: number): Item => {
    const [own, other] = [itemSchemas(sent.schemas, index), itemSchemas(received.schemas, index)]
    return { segment, pair: direction.compare(own, other, origin) }
  }
  const tuple = Array.from({ length: Math.min(length, most) }, (_none, index) => part(`/${index}`, index))
  return most > length ? [...tuple, part('/*', length)] : tuple
}
