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
import { emptyObject, UndecodableParameter } from './decoded.ts'
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

const maxDepth = 16

/** Values of one name: raw texts, members in brackets, or both. */
interface Node {
  readonly texts: string[]
  readonly children: Map<string, Node>
}

/**
 * Decodes query parameters of style deepObject: `filter[color]=red&filter[size][min]=3`. OpenAPI defines only the first
 * bracket. This decoder accepts objects of up to 16 levels, and arrays as `filter[tags]=a&filter[tags]=b`,
 * `filter[tags][]=a` or `filter[tags][0]=a`, its items in the order in which their indices first appear.
 * @returns undefined when no pair belongs to the parameter
 */
function deepObject(name: string, shape: TextShape, pairs: Pairs, decode: Decode): unknown {
  const root: Node = { texts: [], children: new Map() }
  for (const [key, texts] of pairs)
    if (key === name || key.startsWith(`${name}[`)) nodeAt(root, key.slice(name.length)).texts.push(...texts)
  if (root.texts.length === 0 && root.children.size === 0) return undefined
  return valueAt(root, shape, decode)
}

function nodeAt(root: Node, brackets: string): Node {
  let node = root
  for (const segment of segmentsOf(brackets)) {
    const child = node.children.get(segment) ?? { texts: [], children: new Map() }
    node.children.set(segment, child)
    node = child
  }
  return node
}

/** Splits `[a][b]` into a, b. */
function segmentsOf(brackets: string): string[] {
  if (brackets === '') return []
  if (!brackets.endsWith(']')) throw new UndecodableParameter('has a name with unbalanced brackets')
  const segments = brackets.slice(1, -1).split('][')
  if (segments.length > maxDepth)
    throw new UndecodableParameter(`must not nest deeper than ${maxDepth} levels`)
  return segments
}

function valueAt(node: Node, shape: TextShape, decode: Decode): unknown {
  if (mayBeArray(shape) && isList(node, shape, decode)) return arrayAt(node, shape, decode)
  if (node.children.size === 0) return primitiveOf(decode(onlyOne(node.texts)), shape.types)
  if (node.texts.length > 0) throw new UndecodableParameter('is given both with and without brackets')
  const object = emptyObject()
  for (const [name, child] of node.children) object[name] = valueAt(child, propertyShape(shape, name), decode)
  return object
}

/** Returns true for indices, and for a single text that is not a primitive of the shape: a list of one item. */
function isList({ texts, children }: Node, { types }: TextShape, decode: Decode): boolean {
  if (children.size > 0) return [...children.keys()].every((name) => /^\d*$/.test(name))
  return texts.length > 1 || texts.every((text) => !isPrimitive(decode(text), types))
}

/** Returns an array: each value of `[]` is an item; all values of one index are one item. */
function arrayAt({ texts, children }: Node, shape: TextShape, decode: Decode): unknown[] {
  const nodes = texts.map(leaf)
  for (const [index, child] of children)
    if (index === '' && child.children.size === 0) nodes.push(...child.texts.map(leaf))
    else nodes.push(child)
  return nodes.map((node, index) => valueAt(node, itemShape(shape, index), decode))
}

function leaf(text: string): Node {
  return { texts: [text], children: new Map() }
}
