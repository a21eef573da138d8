/** Decodes parameters sent as `name=value` pairs: in the query, in cookies, in path segments of style matrix. */
import {
  type FieldSpec,
  itemShape,
  mayBeArray,
  mayBeObject,
  mayBePrimitive,
  type ParameterSpec,
  propertyShape,
  type TextShape
} from '../../model/parameter.ts'
import { emptyObject } from './decoded.ts'
import { deepObject } from './deep-object.ts'
import { arrayOf, type Decode, delimitedValue, onlyOne } from './delimited.ts'
import { jsonOrText } from './json-text.ts'
import type { Pairs } from './pairs.ts'
import { isPrimitive, primitiveOf } from './primitive.ts'

interface Carrier {
  readonly pairs: Pairs
  /** All parameters of the operation. */
  readonly specs: readonly ParameterSpec[]
  readonly delimiter: string | RegExp
  readonly decode: Decode
}

/** @returns undefined when none of the pairs belongs to the parameter */
export function pairedValue(spec: FieldSpec, carrier: Carrier): unknown {
  const { pairs, delimiter, decode } = carrier
  const { name, shape, explode } = spec
  if (spec.style === 'deepObject' && !spec.json) return deepObject(name, shape, pairs, decode)
  const members = isSpread(spec) ? membersOf(spec, carrier) : []
  if (members.length > 0) return objectOf(members, shape, decode)
  const raws = pairs.get(name)
  if (raws === undefined || (isSpread(spec) && !mayBeArray(shape) && !mayBePrimitive(shape))) return undefined
  if (spec.json) return jsonOrText(decode(onlyOne(raws)), shape)
  if (spec.jsonItems) return raws.map((raw, index) => jsonOrText(decode(raw), itemShape(shape, index)))
  if (explode) return repeatable(raws, shape, decode)
  return delimitedValue(onlyOne(raws), spec, { delimiter, decode })
}

/** Returns true for an exploded object: each property is a pair, and the name of the parameter does not appear. */
function isSpread({ explode, json, shape }: ParameterSpec): boolean {
  return explode && !json && mayBeObject(shape)
}

type Member = readonly [name: string, raws: readonly string[]]

/** Selects the declared properties and, with `additional` or in a path segment, every pair that no parameter claims. */
function membersOf(spec: ParameterSpec, { pairs, specs }: Carrier): Member[] {
  const { name: ownName, shape } = spec
  const isOpen = shape.additional !== undefined || spec.in === 'path'
  // The name of the parameter introduces a value other than an object, where the shape allows one.
  if (pairs.has(ownName) && !declares(spec, ownName) && (mayBeArray(shape) || mayBePrimitive(shape)))
    return []
  const others = specs.filter((other) => other !== spec && other.in === spec.in && spec.in !== 'path')
  return [...pairs].filter(
    ([name]) => declares(spec, name) || (isOpen && !others.some((other) => claims(other, name)))
  )
}

function declares({ shape }: ParameterSpec, name: string): boolean {
  return shape.properties !== undefined && Object.hasOwn(shape.properties, name)
}

/** @returns true if a pair of this name belongs to the parameter */
export function claims(spec: ParameterSpec, name: string): boolean {
  if (spec.style === 'deepObject' && name.startsWith(`${spec.name}[`)) return true
  return name === spec.name || (isSpread(spec) && declares(spec, name))
}

/** @returns true if a pair of this name is part of the parameter, or of an object that takes further names */
export function takes(spec: ParameterSpec, name: string): boolean {
  const isOpen = isSpread(spec) && spec.style !== 'deepObject' && spec.shape.additional !== undefined
  return isOpen || claims(spec, name)
}

function objectOf(members: readonly Member[], shape: TextShape, decode: Decode): Record<string, unknown> {
  const object = emptyObject()
  for (const [name, raws] of members) object[name] = repeatable(raws, propertyShape(shape, name), decode)
  return object
}

/** Decodes an array from one pair per item, any other value from one pair. A single text may be a list of one. */
function repeatable(raws: readonly string[], shape: TextShape, decode: Decode): unknown {
  const isArray =
    mayBeArray(shape) && (raws.length > 1 || raws.every((raw) => !isPrimitive(decode(raw), shape.types)))
  return isArray ? arrayOf(raws, shape, decode) : primitiveOf(decode(onlyOne(raws)), shape.types)
}
