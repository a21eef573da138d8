/** Nodes of a YAML text and where they begin, from the events of its parser. */
import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'

/** A part of a text; the name is that of the member that has it. */
interface Part {
  readonly name?: SyntaxNode
  readonly value: SyntaxNode
}

/** Offset of a scalar that is not written, as in `key:`. */
const absent = -1

export class SyntaxNode {
  readonly start: number
  readonly isMapping: boolean
  /** Items of a list, keys and values of a mapping in turn. */
  readonly children: SyntaxNode[] = []
  readonly #spelling: (() => string) | undefined
  readonly #target: SyntaxNode | undefined
  #members: ReadonlyMap<string, Part> | undefined

  /**
   * @param spelling returns the text of a scalar
   * @param target the node that an alias stands for
   */
  constructor(
    start: number,
    {
      isMapping = false,
      spelling,
      target
    }: { isMapping?: boolean; spelling?: () => string; target?: SyntaxNode | undefined } = {}
  ) {
    this.start = start
    this.isMapping = isMapping
    this.#spelling = spelling
    this.#target = target
  }

  /** Text of a scalar. */
  get text(): string | undefined {
    return this.#spelling?.()
  }

  /** The node that an alias refers to; any other node itself. */
  get anchored(): SyntaxNode {
    return this.#target ?? this
  }

  /** Members of a mapping by their names, without merged ones. */
  get members(): ReadonlyMap<string, Part> {
    this.#members ??= new Map(this.#pairs())
    return this.#members
  }

  /** Returns a part, or the innermost part around it. */
  at(path: readonly string[]): Part {
    let part: Part = { value: this }
    for (const key of path) {
      const inner = part.value.#member(key)
      if (inner === undefined) return part
      part = inner
    }
    return part
  }

  #member(key: string): Part | undefined {
    const node = this.anchored
    if (node.isMapping) return node.members.get(key) ?? node.#merged(key)
    const value = node.children[Number(key)]
    return value === undefined || value.start === absent ? undefined : { value }
  }

  #merged(key: string): Part | undefined {
    const source = this.members.get('<<')?.value.anchored
    if (source === undefined) return undefined
    const sources = source.isMapping ? [source] : source.children
    for (const each of sources) {
      const found = each.anchored.isMapping ? each.#member(key) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }

  *#pairs(): Generator<[string, Part]> {
    for (let index = 0; this.isMapping && index < this.children.length; index += 2) {
      const [name, value] = this.children.slice(index, index + 2)
      if (name === undefined || value === undefined) return
      yield [String(name.text), { name, value: value.start === absent ? name : value }]
    }
  }
}

/** @param events of a text with at most one document */
export function syntaxTree(events: readonly Event[], text: string): SyntaxNode {
  const anchors = new Map<string, SyntaxNode>()
  const root = new SyntaxNode(0)
  const open = [root]
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) open.push(root)
    else if (event.type === EVENT_ID.POP) open.pop()
    else {
      const node = nodeOf(event, text, anchors)
      open.at(-1)?.children.push(node)
      if (event.type === EVENT_ID.ALIAS) continue
      if (event.anchorStart !== absent) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node)
      if (event.type !== EVENT_ID.SCALAR) open.push(node)
    }
  }
  return root.children[0] ?? root
}

function nodeOf(
  event: Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>,
  text: string,
  anchors: ReadonlyMap<string, SyntaxNode>
): SyntaxNode {
  if (event.type === EVENT_ID.ALIAS) {
    const target = anchors.get(text.slice(event.anchorStart, event.anchorEnd))
    return new SyntaxNode(event.anchorStart, { target })
  }
  if (event.type === EVENT_ID.SCALAR)
    return new SyntaxNode(startOf(event, text), { spelling: () => getScalarValue(text, event) })
  return new SyntaxNode(event.start, { isMapping: event.type === EVENT_ID.MAPPING })
}

/** Returns the offset of a scalar, with its quote or the sign of a block. */
function startOf({ valueStart, style }: ScalarEvent, text: string): number {
  if (valueStart === absent || style === SCALAR_STYLE.PLAIN) return valueStart
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1
  const header = text.lastIndexOf('\n', valueStart - 2) + 1
  return header + text.slice(header, valueStart - 1).search(/[|>][-+\d]*[ \t]*(#.*)?$/)
}
