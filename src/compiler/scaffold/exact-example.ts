/** Restores the int64 of examples, which are JSON, as bigints, because handlers return bigints. */

import { restoreInt64 } from '@contract-first/engine/internal/json/restore-int64'
import type { Validator } from '@contract-first/engine/internal/model/compiled-contract'
import type { Json, JsonObject } from '../compile/document/json-value.ts'
import { Int64Plans } from '../compile/operations/int64-plan.ts'
import { holds } from '../instances/holds.ts'
import { Schemas } from '../instances/schemas.ts'

/** @returns a copy of the value of a response, with a bigint at each place that the schema declares as int64 */
export function exactExample(value: unknown, schema: Json, document: JsonObject): unknown {
  const schemas = new Schemas(document, 'response')
  const validators: Record<string, Validator> = {}
  const addValidator = (branch: Json) => {
    const name = `branch${Object.keys(validators).length}`
    validators[name] = (instance) => holds(schemas, [branch], instance)
    return name
  }
  const plan = new Int64Plans(document).add(schema, addValidator)
  if (plan === undefined) return value
  const holder = { '': structuredClone(value) }
  restoreInt64(holder, plan, { validators, serializers: {} }, undefined)
  return holder['']
}
