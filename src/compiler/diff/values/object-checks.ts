/** Checks the properties of an object. */
import { type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { listOf } from '../cases/members.ts'
import { expressionOf } from '../patterns/expression.ts'
import { type Applied, all, type Evaluation, type Result, result, type Verdict } from './verdict.ts'

export function objectChecks(evaluation: Evaluation, value: JsonObject, { node, applied }: Applied): Result {
  const names = Object.keys(value)
  const declared = Object.entries(value).map((member) => memberResult(evaluation, member, node))
  const evaluated = new Set([
    ...applied.flatMap((each) => [...each.names]),
    ...declared.flatMap((each) => [...each.names])
  ])
  const rest = own(node, 'unevaluatedProperties')
  const others = Object.entries(value).filter(([name]) => !evaluated.has(name))
  const verdict = all([
    countVerdict(names.length, node),
    requiredVerdict(evaluation, value, node),
    ...declared.map((each) => each.verdict),
    ...nameVerdicts(evaluation, names, node),
    ...(rest === undefined ? [] : others.map(([, item]) => evaluation.check(item, rest).verdict))
  ])
  return result(verdict, rest === undefined ? evaluated : new Set(names))
}

function memberResult(
  evaluation: Evaluation,
  [name, value]: readonly [string, Json],
  node: JsonObject
): Result {
  const named = own(objectOf(own(node, 'properties')), name)
  const patterns = Object.entries(objectOf(own(node, 'patternProperties')))
  const matching = patterns.filter(([pattern]) => expressionOf(pattern)?.test(name) === true)
  const schemas = [...(named === undefined ? [] : [named]), ...matching.map(([, schema]) => schema)]
  const additional = own(node, 'additionalProperties')
  const applying = schemas.length > 0 || additional === undefined ? schemas : [additional]
  const verdict = all(applying.map((schema) => evaluation.check(value, schema).verdict))
  return result(verdict, applying.length > 0 ? new Set([name]) : new Set())
}

function countVerdict(count: number, node: JsonObject): Verdict {
  const most = own(node, 'maxProperties') ?? Number.POSITIVE_INFINITY
  return count >= Number(own(node, 'minProperties') ?? 0) && count <= Number(most)
}

/** Checks required properties, except those that messages of this kind do not have. */
function requiredVerdict({ side }: Evaluation, value: JsonObject, node: JsonObject): Verdict {
  const properties = objectOf(own(node, 'properties'))
  const isNeeded = (name: string) => !side.isHidden([own(properties, name) ?? true])
  const dependent = Object.entries(objectOf(own(node, 'dependentRequired'))).flatMap(([name, others]) =>
    Object.hasOwn(value, name) ? listOf(others) : []
  )
  return [...listOf(own(node, 'required')), ...dependent]
    .filter(isNeeded)
    .every((name) => Object.hasOwn(value, name))
}

function nameVerdicts(evaluation: Evaluation, names: readonly string[], node: JsonObject): Verdict[] {
  const schema = own(node, 'propertyNames')
  return schema === undefined ? [] : names.map((name) => evaluation.check(name, schema).verdict)
}
