/**
 * Finds the place of a part of a contract in its file. Follows aliases to their anchors, and merge keys to the mapping that
 * they merge (YAML 1.2.2, section 3.2.2.2; YAML 1.1, merge keys).
 */

import type { Source as RedoclySource } from '@redocly/openapi-core'
import { JsonNode } from './json-text.ts'
import { redocly } from './redocly.ts'

/** Text of a file, and its absolute path. */
export interface Source {
  readonly absoluteRef: string
  readonly body: string
}

/** A file of a contract as it is read, before anything is resolved. */
export interface Document {
  readonly source: Source
  readonly parsed: unknown
}

/** Returns a file as Redocly takes it. */
export function redoclySource({ absoluteRef, body }: Source): RedoclySource {
  const { Source } = redocly()
  return new Source(absoluteRef, body)
}

export interface SourcePosition {
  /** Line number, from 1. */
  readonly line: number
  /** Column number, from 1, in UTF-16 code units. */
  readonly column: number
}

/** A node of the syntax tree of yaml-ast-parser, with the members used here. */
export interface AstNode {
  readonly kind: number
  readonly startPosition: number
  readonly endPosition?: number
  /** Syntax errors, at the root alone. */
  readonly errors?: readonly { readonly reason: string }[]
  readonly parent?: AstNode | null | undefined
  readonly key?: AstNode
  readonly value?: AstNode | string | null | undefined
  readonly mappings?: readonly AstNode[] | undefined
  readonly items?: readonly (AstNode | null)[] | undefined
}

/** `Kind.ANCHOR_REF` of yaml-ast-parser. */
export const aliasKind = 4

/**
 * Returns the position of a part, or of the innermost part around it that is in the file.
 * @param path keys and indexes
 * @param onName points at the part's name in the object that holds it, if it has one
 */
export function positionOf(source: Source, path: readonly string[], onName = true): SourcePosition {
  const node = nodeAt(source, path)
  // Only mappings have a key; sequences and documents have none.
  const named = onName ? (node.parent?.key ?? node) : node
  return lineAndColumn(source, named.startPosition)
}

/** Returns the text of a scalar as written; undefined for anything else. */
export function spellingAt(source: Source, path: readonly string[]): unknown {
  return anchored(nodeAt(source, path)).value
}

/** Returns the names of the members of an object as written, without merged ones. */
export function namesAt(source: Source, path: readonly string[]): string[] {
  const { mappings = [] } = anchored(nodeAt(source, path))
  return mappings.map(({ key }) => String(key?.value))
}

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
  const mapping = mappingsByName(node).get(key)
  if (mapping !== undefined) return isNode(mapping.value) ? mapping.value : mapping
  return mergedInto(node)
    .map((other) => memberOf(other, key))
    .find(isNode)
}

const named = new WeakMap<AstNode, ReadonlyMap<unknown, AstNode>>()

/** Returns the members of a mapping by their names: the first one where a name stands twice. */
function mappingsByName(node: AstNode): ReadonlyMap<unknown, AstNode> {
  const entries = () => (node.mappings ?? []).map((mapping) => [mapping.key?.value, mapping] as const)
  const found = named.get(node) ?? new Map(entries().toReversed())
  named.set(node, found)
  return found
}

const mergedInto = ({ mappings = [] }: AstNode): AstNode[] =>
  mappings
    .filter(({ key }) => key?.value === '<<')
    .map(({ value }) => value)
    .filter(isNode)
    .flatMap((value) => anchored(value).items ?? [value])
    .filter(isNode)

/** Returns the node that an alias refers to; any other node itself. */
function anchored(node: AstNode): AstNode {
  return node.kind === aliasKind && isNode(node.value) ? anchored(node.value) : node
}

export const isNode = (value: AstNode['value']): value is AstNode =>
  typeof value === 'object' && value !== null

const trees = new WeakMap<Source, AstNode>()

/** Locates parts of the source, which is JSON, without parsing all of it as YAML. */
export function locateAsJson(source: Source): void {
  trees.set(source, new JsonNode(source.body))
}

export function syntaxTree(source: Source): AstNode {
  const tree = trees.get(source) ?? parsed(source)
  trees.set(source, tree)
  return tree
}

/**
 * Parses the source. yaml-ast-parser throws on `!!binary`: spaces in its place keep all offsets. Other sources on which
 * it throws get one line.
 */
function parsed({ absoluteRef, body }: Source): AstNode {
  const text = body.replaceAll('!!binary', ' '.repeat('!!binary'.length))
  const source = redoclySource({ absoluteRef, body: text })
  try {
    redocly().getLineColLocation({ source, pointer: '#/' }) // The getter parses on its first call.
    return source.getAst(Object) as AstNode
  } catch {
    return { kind: 0, startPosition: 0 }
  }
}

const lineStarts = new WeakMap<Source, readonly number[]>()

export function lineAndColumn(source: Source, offset: number): SourcePosition {
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
  const starts = [0]
  for (let end = source.body.indexOf('\n'); end >= 0; end = source.body.indexOf('\n', end + 1))
    starts.push(end + 1)
  lineStarts.set(source, starts)
  return starts
}
