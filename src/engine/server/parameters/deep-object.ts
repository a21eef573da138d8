/**
 * Decodes query parameters of style deepObject: `filter[color]=red&filter[size][min]=3`. OpenAPI defines only the first
 * bracket. This decoder accepts objects of up to 16 levels, and arrays as `filter[tags]=a&filter[tags]=b`,
 * `filter[tags][]=a` or `filter[tags][0]=a`, its items in the order in which their indices first appear.
 */
import { itemShape, mayBeArray, propertyShape, type TextShape } from '../../model/parameter.ts'
import { emptyObject, UndecodableParameter } from './decoded.ts'
import { type Decode, onlyOne } from './delimited.ts'
import type { Pairs } from './pairs.ts'
import { isPrimitive, primitiveOf } from './primitive.ts'

const maxDepth = 16

/** Values of one name: raw texts, members in brackets, or both. */
interface Node {
  readonly texts: string[]
  readonly children: Map<string, Node>
}

/** @returns undefined when no pair belongs to the parameter */
export function deepObject(name: string, shape: TextShape, pairs: Pairs, decode: Decode): unknown {
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
