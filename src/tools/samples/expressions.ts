/**
 * Patterns as expressions that also have conjunctions and negations. The derivative of an expression by a character
 * matches what may follow the character (Brzozowski, Derivatives of Regular Expressions, 1964).
 */
import { pattern } from '@contract-first/engine/model'

export interface Node {
  readonly id: number
  /** True when a text may end here. */
  readonly isEnd: boolean
  /** Returns the derivative. */
  readonly after: (character: string) => Node
}

/** Most derivatives of the patterns of a text; beyond, no further text is found. */
const maxDerivatives = 10_000

export const never: Node = { id: -1, isEnd: false, after: () => never }
const empty: Node = { id: -2, isEnd: true, after: () => never }

const token =
  /\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|k<[^>]*>|[1-9]\d*|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|[ims-]*:|<[^>]*>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu

/** The expressions of some patterns; equal ones are one object, so that what is known of it is found again. */
export class Expressions {
  /** True when a back reference repeats a group, which has one text here. */
  hasReferences = false
  readonly sets = new Map<string, RegExp>()
  readonly #nodes = new Map<string, Node>()
  #derivatives = 0
  readonly #textOf: (node: Node) => string
  readonly #any = this.#set('[\\s\\S]')
  readonly #all = this.ofLength(0, Infinity)

  /** @param textOf chooses the text of a group that back references repeat */
  constructor(textOf: (node: Node) => string) {
    this.#textOf = textOf
  }

  /** Makes a node that knows its derivatives: parts that are shared have each only once. */
  #node(key: string, isEnd: boolean, derive: Node['after']): Node {
    const found = this.#nodes.get(key)
    if (found !== undefined) return found
    const known = new Map<string, Node>()
    const after = (character: string) => {
      const derivative =
        known.get(character) ?? (++this.#derivatives > maxDerivatives ? never : derive(character))
      known.set(character, derivative)
      return derivative
    }
    const node = { id: this.#nodes.size, isEnd, after }
    this.#nodes.set(key, node)
    return node
  }

  #set(source: string): Node {
    const regexp = this.sets.get(source) ?? pattern(`^(?:${source})$`)
    this.sets.set(source, regexp)
    return this.#node(`set ${source}`, false, (character) => (regexp.test(character) ? empty : never))
  }

  #then(first: Node, rest: Node): Node {
    if (first === never || rest === never) return never
    if (first === empty) return rest
    return this.#node(`then ${first.id} ${rest.id}`, first.isEnd && rest.isEnd, (character) => {
      const inner = this.#then(first.after(character), rest)
      return first.isEnd ? this.#or([inner, rest.after(character)]) : inner
    })
  }

  #or(nodes: readonly Node[]): Node {
    const isEnd = nodes.some((node) => node.isEnd)
    return this.#joined('or', nodes, isEnd, this.#all, never, (next) => this.#or(next))
  }

  and(nodes: readonly Node[]): Node {
    const isEnd = nodes.every((node) => node.isEnd)
    return this.#joined('and', nodes, isEnd, never, this.#all, (next) => this.and(next))
  }

  #joined(
    kind: string,
    nodes: readonly Node[],
    isEnd: boolean,
    strongest: Node,
    neutral: Node,
    join: (nodes: readonly Node[]) => Node
  ): Node {
    const all = [...new Set(nodes)].filter((node) => node !== neutral).sort((a, b) => a.id - b.id)
    const [first = neutral, ...others] = all
    if (others.length === 0) return first
    if (all.includes(strongest)) return strongest
    this.#derivatives += all.length
    return this.#node(`${kind} ${all.map(({ id }) => id)}`, isEnd, (character) =>
      join(all.map((node) => node.after(character)))
    )
  }

  #not(inner: Node): Node {
    if (inner === never) return this.#all
    if (inner === this.#all) return never
    return this.#node(`not ${inner.id}`, !inner.isEnd, (character) => this.#not(inner.after(character)))
  }

  #repeat(inner: Node, least: number, most: number): Node {
    if (most <= 0) return empty
    return this.#node(`repeat ${inner.id} ${least} ${most}`, least === 0 || inner.isEnd, (character) =>
      this.#then(inner.after(character), this.#repeat(inner, Math.max(0, least - 1), most - 1))
    )
  }

  ofLength(least: number, most: number): Node {
    return this.#repeat(this.#any, least, most)
  }

  /** A pattern matches from the start of a text, or from any later character. */
  ofPattern(source: string): Node {
    const parse = (isStart: boolean) => {
      const groups = new Map<string, Node>()
      const tokens = [...source.matchAll(token)].map(([text]) => text)
      return this.#alternatives(tokens, { groups, isStart, end: this.#all })
    }
    return this.#or([parse(true), this.#then(this.#any, this.#then(this.#all, parse(false)))])
  }

  /** Reads alternatives up to the end of their group. */
  #alternatives(tokens: string[], scope: Scope): Node {
    const found: Node[] = []
    do found.push(this.#sequence(tokens, scope))
    while (tokens.shift() === '|')
    return this.#or(found)
  }

  #sequence(tokens: string[], { end, ...scope }: Scope): Node {
    const parts: ((rest: Node) => Node)[] = []
    while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') {
      const text = String(tokens.shift())
      const look = /^\(\?(<?)([=!])$/.exec(text)
      const inner = { ...scope, end: look === null ? empty : this.#all }
      const once = text.startsWith('(') ? this.#group(text, tokens, inner) : this.#atom(text, scope)
      const node = this.#repeated(once, tokens)
      // What stands before a lookbehind is written already; the check of the whole text decides about it.
      if (text === '$') parts.push((rest) => this.and([empty, rest]))
      else if (look === null) parts.push((rest) => this.#then(node, rest))
      else if (look[1] === '')
        parts.push((rest) => this.and([look[2] === '=' ? node : this.#not(node), rest]))
    }
    return parts.reduceRight((rest, part) => part(rest), end)
  }

  #group(text: string, tokens: string[], scope: Scope): Node {
    const { groups } = scope
    const isCapturing = text === '(' || /^\(\?<[^=!]/.test(text)
    const number = String([...groups.keys()].filter((name) => /^\d/.test(name)).length + 1)
    const name = /<(.*)>/.exec(text)?.[1]
    if (isCapturing) groups.set(number, empty)
    const inner = this.#alternatives(tokens, scope)
    const isRepeated = tokens.some((each) => each === `\\${number}` || each === `\\k<${name}>`)
    if (!isCapturing || !isRepeated) return inner
    this.hasReferences = true
    const written = [...this.#textOf(inner)].map((each) =>
      this.#set(`\\u{${each.codePointAt(0)?.toString(16)}}`)
    )
    const fixed = written.reduceRight((rest, each) => this.#then(each, rest), empty)
    groups.set(number, fixed)
    if (name !== undefined) groups.set(name, fixed)
    return fixed
  }

  #atom(text: string, { groups, isStart }: Omit<Scope, 'end'>): Node {
    if (text === '^') return isStart ? empty : never
    // The check of the whole text decides about the edges of words.
    if (/^(?:\$|\\[bB])$/.test(text)) return empty
    const [, number, name] = /^\\(?:([1-9]\d*)|k<(.*)>)$/.exec(text) ?? []
    return number === undefined && name === undefined
      ? this.#set(text)
      : (groups.get(String(number ?? name)) ?? empty)
  }

  #repeated(once: Node, tokens: string[]): Node {
    const { least, comma, most, sign } =
      /^(?:(?<sign>[*+?])|\{(?<least>\d+)(?:(?<comma>,)(?<most>\d*))?\})\??$/.exec(tokens[0] ?? '')?.groups ??
      {}
    if (sign === undefined && least === undefined) return once
    tokens.shift()
    const from = Number(least ?? (sign === '+' ? 1 : 0))
    const to =
      sign === undefined
        ? Number((comma === undefined ? least : most) || Infinity)
        : sign === '?'
          ? 1
          : Infinity
    return this.#repeat(once, from, to)
  }
}

interface Scope {
  /** Texts of the groups to which back references lead, by number and name. */
  readonly groups: Map<string, Node>
  /** True where the text begins. */
  readonly isStart: boolean
  /** Expression that follows each alternative. */
  readonly end: Node
}
