/** Checks the items of a list. */
import { arrayOf, type Json, type JsonObject, own } from '../../compile/documents.ts'
import { valueText } from '../cases/cases.ts'
import { type Applied, all, type Evaluation, type Result, result, type Verdict } from './verdict.ts'

export function arrayChecks(
  evaluation: Evaluation,
  value: readonly Json[],
  { node, applied }: Applied
): Result {
  const tuple = arrayOf(own(node, 'prefixItems'))
  const items = own(node, 'items')
  const declared = items === undefined ? Math.min(tuple.length, value.length) : value.length
  const evaluated = Math.max(declared, ...applied.map((each) => each.items))
  const rest = own(node, 'unevaluatedItems')
  const verdict = all([
    lengthVerdict(value, node),
    ...value.flatMap((item, index) => {
      const schema = tuple[index] ?? items
      return schema === undefined ? [] : [evaluation.check(item, schema).verdict]
    }),
    ...containsVerdict(evaluation, value, node),
    ...(rest === undefined ? [] : value.slice(evaluated).map((item) => evaluation.check(item, rest).verdict))
  ])
  return result(verdict, new Set(), rest === undefined ? evaluated : value.length)
}

function lengthVerdict(value: readonly Json[], node: JsonObject): Verdict {
  const most = Number(own(node, 'maxItems') ?? Number.POSITIVE_INFINITY)
  const isUnique = own(node, 'uniqueItems') !== true || new Set(value.map(valueText)).size === value.length
  return isUnique && value.length >= Number(own(node, 'minItems') ?? 0) && value.length <= most
}

function containsVerdict(evaluation: Evaluation, value: readonly Json[], node: JsonObject): Verdict[] {
  const schema = own(node, 'contains')
  if (schema === undefined) return []
  const verdicts = value.map((item) => evaluation.check(item, schema).verdict)
  if (verdicts.includes(undefined)) return [undefined]
  const count = verdicts.filter((verdict) => verdict === true).length
  const most = Number(own(node, 'maxContains') ?? Number.POSITIVE_INFINITY)
  return [count >= Number(own(node, 'minContains') ?? 1) && count <= most]
}
