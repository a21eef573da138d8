/**
 * Where a part of a contract is written in its file: aliases lead to their anchors, and what is merged in, to where it is
 * merged from (YAML 1.2.2, section 3.2.2.2; YAML 1.1, merge keys).
 */
import { getAstNodeByPointer, getLineColLocation, type Source } from '@redocly/openapi-core'
import { unescapePointer } from './json.ts'

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
const kinds = { mapping: 1, map: 2, sequence: 3, alias: 4 }

/**
 * @param path keys and indexes
 * @param onName points at the name of the part in the object that holds it, where it has one
 */
export function placeOf(source: Source, path: readonly string[], onName = true): Place {
  const node = nodeAt(source, path)
  const named = onName && node?.parent?.kind === kinds.mapping ? node.parent.key : node
  return lineAndColumn(source, named?.startPosition ?? 0)
}

/** As it is spelled; undefined for what is no scalar. */
export function spellingAt(source: Source, path: readonly string[]): string | undefined {
  const node = nodeAt(source, path)
  return typeof node?.value === 'string' ? node.value : undefined
}

/** The part, or the innermost one around it that is written. */
function nodeAt(source: Source, path: readonly string[]): AstNode | undefined {
  let node = syntaxTree(source)
  for (const key of path) {
    const inner = node === undefined ? undefined : memberOf(node, key)
    if (inner === undefined) return node
    node = inner
  }
  return node
}

function memberOf(alias: AstNode, key: string): AstNode | undefined {
  const node = anchored(alias)
  if (node.kind === kinds.sequence) return node.items?.[Number(key)] ?? undefined
  if (node.kind !== kinds.map) return undefined
  const names = [key, unescapePointer(key)]
  const mapping = node.mappings?.find(({ key: name }) => names.includes(String(name?.value)))
  if (mapping !== undefined) return isNode(mapping.value) ? mapping.value : mapping
  return mergedInto(node)
    .map((other) => memberOf(other, key))
    .find((member) => member !== undefined)
}

const mergedInto = ({ mappings = [] }: AstNode): AstNode[] =>
  mappings
    .filter(({ key }) => key?.value === '<<')
    .flatMap(({ value }) => (isNode(value) ? [anchored(value)] : []))
    .flatMap((node) => (node.kind === kinds.sequence ? (node.items ?? []).filter(isNode) : [node]))

/** What an alias stands for; anything else itself. */
function anchored(node: AstNode): AstNode {
  return node.kind === kinds.alias && isNode(node.value) ? anchored(node.value) : node
}

const isNode = (value: AstNode['value']): value is AstNode => typeof value === 'object' && value !== null

function syntaxTree(source: Source): AstNode | undefined {
  getLineColLocation({ source, pointer: '#/' }) // parses it, once
  const ast = source.getAst(() => {
    throw new TypeError('the syntax tree was not parsed')
  }) as Parameters<typeof getAstNodeByPointer>[0]
  return getAstNodeByPointer(ast, '#/', false) as AstNode | undefined
}

const lineStarts = new WeakMap<Source, readonly number[]>()

function lineAndColumn(source: Source, offset: number): Place {
  const starts = startsOf(source)
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}

function startsOf(source: Source): readonly number[] {
  const known = lineStarts.get(source)
  if (known !== undefined) return known
  const starts = [0, ...[...source.body.matchAll(/\n/g)].map(({ index }) => index + 1)]
  lineStarts.set(source, starts)
  return starts
}
