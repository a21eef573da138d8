/**
 * Where a part of a contract is written in its file: aliases lead to their anchors, and what is merged in, to where it is
 * merged from (YAML 1.2.2, section 3.2.2.2; YAML 1.1, merge keys).
 */
import { getLineColLocation, type Source } from '@redocly/openapi-core'
import { unescapePointer } from '../document/json-value.ts'

export interface Place {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** A node of the syntax tree, as far as it is looked at here. */
interface AstNode {
  readonly kind: number
  readonly startPosition: number
  readonly parent?: AstNode | null
  readonly key?: AstNode
  readonly value?: AstNode | string | null
  readonly mappings?: readonly AstNode[]
  readonly items?: readonly (AstNode | null)[]
}

/** Of yaml-ast-parser. */
const aliasKind = 4

/**
 * @param path keys and indexes
 * @param onName points at the name of the part in the object that holds it, where it has one
 */
export function placeOf(source: Source, path: readonly string[], onName = true): Place {
  const node = nodeAt(source, path)
  // Of those that hold others, only a mapping has a key.
  const named = onName ? (node.parent?.key ?? node) : node
  return lineAndColumn(source, named.startPosition)
}

/** A text for a scalar, as it is spelled. */
export function spellingAt(source: Source, path: readonly string[]): unknown {
  return anchored(nodeAt(source, path)).value
}

/** The part, or the innermost one around it that is written. */
function nodeAt(source: Source, path: readonly string[]): AstNode {
  let node = syntaxTree(source)
  for (const key of path) {
    const inner = memberOf(node, key)
    if (!isNode(inner)) return node
    node = inner
  }
  return node
}

function memberOf(alias: AstNode, key: string): AstNode | null | undefined {
  const node = anchored(alias)
  if (node.items !== undefined) return node.items[Number(key)]
  const named = (name: string) => node.mappings?.find((mapping) => mapping.key?.value === name)
  const mapping = named(key) ?? named(unescapePointer(key))
  if (mapping !== undefined) return isNode(mapping.value) ? mapping.value : mapping
  return mergedInto(node)
    .map((other) => memberOf(other, key))
    .find(isNode)
}

const mergedInto = ({ mappings = [] }: AstNode): AstNode[] =>
  mappings
    .filter(({ key }) => key?.value === '<<')
    .map(({ value }) => value)
    .filter(isNode)
    .flatMap((value) => anchored(value).items ?? [value])
    .filter(isNode)

/** What an alias stands for; anything else itself. */
function anchored(node: AstNode): AstNode {
  return node.kind === aliasKind && isNode(node.value) ? anchored(node.value) : node
}

const isNode = (value: AstNode['value']): value is AstNode => typeof value === 'object' && value !== null

function syntaxTree(source: Source): AstNode {
  getLineColLocation({ source, pointer: '#/' }) // parses it, once
  return source.getAst(Object) as AstNode
}

const lineStarts = new WeakMap<Source, readonly number[]>()

function lineAndColumn(source: Source, offset: number): Place {
  const starts = startsOf(source)
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Number(starts[middle]) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - Number(starts[low]) + 1 }
}

function startsOf(source: Source): readonly number[] {
  const known = lineStarts.get(source)
  if (known !== undefined) return known
  const starts = [0, ...[...source.body.matchAll(/\n/g)].map(({ index }) => index + 1)]
  lineStarts.set(source, starts)
  return starts
}
