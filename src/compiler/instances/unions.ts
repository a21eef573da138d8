/** Splits unions and conditions of a schema into alternatives, each without them. */

import { leadsTo } from '../compile/document/discriminator-object.ts'
import { tagged } from '../compile/document/discriminator-tags.ts'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../compile/document/json-value.ts'

const known = new WeakMap<JsonObject, readonly Json[]>()

/** @returns schemas of which every instance of the schema has at least one; undefined for a schema without a union */
export function alternativesOf(schema: JsonObject, document: JsonObject): readonly Json[] | undefined {
  const found = known.get(schema) ?? split(schema, document)
  if (found !== undefined) known.set(schema, found)
  return found
}

function split(schema: JsonObject, document: JsonObject): readonly Json[] | undefined {
  for (const keyword of ['oneOf', 'anyOf'])
    if (Array.isArray(own(schema, keyword))) return ofUnion(schema, keyword, document)
  if (own(schema, 'if') !== undefined) return ofCondition(schema)
  const [dependency] = Object.entries(objectOf(own(schema, 'dependentSchemas')))
  return dependency === undefined ? negated(schema) : ofDependency(schema, dependency)
}

function ofUnion(schema: JsonObject, keyword: string, document: JsonObject): Json[] {
  const { [keyword]: union, discriminator: written, ...rest } = schema
  const discriminator = objectOf(written)
  const [name, standard] = [
    stringOf(own(discriminator, 'propertyName')),
    own(discriminator, 'defaultMapping')
  ]
  const branches = name === undefined ? [] : tagged(arrayOf(union), name, discriminator, document)
  return arrayOf(union).flatMap((branch, index) => {
    const { pointer = '', values = [] } = branches[index] ?? {}
    if (name === undefined || values.length === 0) return [{ ...rest, allOf: [branch] }]
    const tag = { type: 'object', required: [name], properties: { [name]: { enum: values } } }
    const isStandard = standard !== undefined && leadsTo(document, standard, pointer)
    const untagged = isStandard ? [{ ...rest, allOf: [branch, { properties: { [name]: false } }] }] : []
    return [{ ...rest, allOf: [branch, tag] }, ...untagged]
  })
}

function ofCondition({
  if: condition = true,
  then: consequence = true,
  else: other = true,
  ...rest
}: JsonObject): Json[] {
  return [
    { ...rest, allOf: [condition, consequence] },
    { ...rest, allOf: [{ not: condition }, other] }
  ]
}

function ofDependency(schema: JsonObject, [name, consequence]: [string, Json]): Json[] {
  const { [name]: _first, ...others } = objectOf(own(schema, 'dependentSchemas'))
  const { dependentSchemas: _all, ...rest } = schema
  const remaining = Object.keys(others).length === 0 ? rest : { ...rest, dependentSchemas: others }
  return [
    { ...remaining, allOf: [{ required: [name] }, consequence] },
    { ...remaining, allOf: [{ properties: { [name]: false } }] }
  ]
}

/** Replaces `not` of a few simple schemas by its meaning; any other is left to the check of the instance. */
function negated(schema: JsonObject): readonly Json[] | undefined {
  const { not: excluded, ...rest } = schema
  if (!isObject(excluded)) return excluded === true ? [false] : undefined
  const keywords = Object.keys(excluded).sort().join()
  const [name] = arrayOf(own(excluded, 'required')).map(String)
  if (keywords === 'required' && name !== undefined)
    return arrayOf(own(excluded, 'required')).map((each) => ({
      ...rest,
      allOf: [{ properties: { [String(each)]: false } }]
    }))
  if (keywords !== 'properties' && keywords !== 'properties,required') return undefined
  const members = Object.entries(objectOf(own(excluded, 'properties')))
  const others = members.map(([each, value]) => ({
    ...rest,
    allOf: [{ properties: { [each]: { not: value } }, required: [each] }]
  }))
  const absent = name === undefined ? [] : [{ ...rest, allOf: [{ properties: { [name]: false } }] }]
  return [...others, ...absent]
}
