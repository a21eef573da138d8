/**
 * Splits a schema with very many properties. Ajv nests the check of each property into that of the one before it, so that
 * thousands overflow the stack of Ajv, and of V8, which reads the generated code.
 */
import { isObject, type JsonObject, own } from '../document/json-value.ts'
import { constrain } from './discriminator.ts'

/** Most properties of one group, and the number of groups that are nested, too. */
const maxGroup = 500

/** @returns a schema whose properties are checked in groups; they stay declared, for `additionalProperties` */
export function inGroups(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties')
  const members = isObject(properties) ? Object.entries(properties) : []
  if (members.length <= maxGroup) return schema
  const declared = { ...schema, properties: Object.fromEntries(members.map(([name]) => [name, true])) }
  const starts = Array.from({ length: Math.ceil(members.length / maxGroup) }, (_, index) => index * maxGroup)
  return starts
    .map((start) => ({ properties: Object.fromEntries(members.slice(start, start + maxGroup)) }))
    .reduce(constrain, declared)
}
