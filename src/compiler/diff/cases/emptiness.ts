/** Recognises cases that have no value. */
import type { JsonObject } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { type Limits, limitsOf } from '../../evaluate/members.ts'
import { type Case, casesOf } from './cases.ts'
import { isHidden, lengthsOf, propertyOf, requiredOf } from './members.ts'
import type { Side } from './side.ts'

const maxDepth = 3

/** Returns true if certainly no value satisfies all schemas of the case. */
export function isEmpty({ type, values, nodes }: Case, side: Side, depth = 0): boolean {
  if (values !== undefined) return values.every((value) => satisfies(value, nodes, side) === false)
  if (type === 'number') return isBetween(nodes)
  if (type === 'string') return isCrossed(limitsOf(nodes, 'minLength', 'maxLength'))
  if (type === 'array') return isCrossed(lengthsOf({ nodes }))
  return type === 'object' && [...requiredOf(nodes)].some((name) => isNever(nodes, name, { side, depth }))
}

const isCrossed = ({ least, most }: Limits): boolean => least > most

function isBetween(nodes: readonly JsonObject[]): boolean {
  const numbers = (keyword: string) =>
    nodes.flatMap((node) => Number(node[keyword] ?? Number.NaN)).filter((each) => !Number.isNaN(each))
  const [least, above] = [Math.max(...numbers('minimum')), Math.max(...numbers('exclusiveMinimum'))]
  const [most, below] = [Math.min(...numbers('maximum')), Math.min(...numbers('exclusiveMaximum'))]
  return least > most || least >= below || above >= most || above >= below
}

/** Returns whether no value of a required property is valid. */
function isNever(
  nodes: readonly JsonObject[],
  name: string,
  { side, depth }: { readonly side: Side; readonly depth: number }
): boolean {
  const { schemas } = propertyOf(nodes, name)
  if (schemas.length === 0 || isHidden(side, nodes, name)) return false
  return depth < maxDepth && casesOf(schemas, side).every((each) => isEmpty(each, side, depth + 1))
}
