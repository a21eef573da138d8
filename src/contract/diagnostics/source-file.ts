/**
 * Reads a YAML or JSON text once, for its value and for the places of its parts. Places follow aliases to their anchors, and
 * merge keys to the mapping that they merge (YAML 1.2.2, section 3.2.2.2; YAML 1.1, merge keys).
 */
import {
  binaryTag,
  CORE_SCHEMA,
  constructFromEvents,
  defineScalarTag,
  type Event,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
  omapTag,
  pairsTag,
  parseEvents,
  setTag,
  YAMLException
} from 'js-yaml'
import type { Json } from '../model/json.ts'
import type { SourcePosition } from '../model/origin.ts'
import { ContractError } from './problem.ts'
import { type SyntaxNode, syntaxTree } from './syntax-tree.ts'

/** Keeps the digits of integers beyond 2^53 (YAML 1.2.2, section 10.3.2): bounds of int64 are exact. */
const exactInteger = defineScalarTag<number | bigint>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, ...tag) => {
    const value = intCoreTag.resolve(source, ...tag)
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
    return isRounded && /^([-+]?\d+|0[box].*)$/.test(source) ? BigInt(source) : value
  }
})

/** Reads bytes as Base64: JSON has none. */
const base64 = defineScalarTag(binaryTag.tagName, {
  ...binaryTag,
  resolve: (source, ...tag) => {
    const bytes = binaryTag.resolve(source, ...tag)
    return bytes === NOT_RESOLVED ? bytes : Buffer.from(bytes).toString('base64')
  }
})

const schema = CORE_SCHEMA.withTags(mergeTag, base64, omapTag, pairsTag, setTag, exactInteger)

/** A text with more indentation than its file has. */
export interface Indented {
  readonly text: string
  /** Columns that were added, by the number of the line. */
  readonly added: ReadonlyMap<number, number>
}

export class SourceFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string
  /** The text as YAML 1.2 has it, if the file is indented less. */
  readonly indented: Indented | undefined
  /** Null for comments alone, undefined for an empty text; a contract is changed in place while it is read. */
  readonly value: Json | undefined
  readonly #events: readonly Event[]
  #tree: SyntaxNode | undefined
  #lineStarts: readonly number[] | undefined

  /** @throws {ContractError} for a text that is not YAML, or has several documents */
  constructor(path: string, text: string, indented?: Indented) {
    this.path = path
    this.text = text
    this.indented = indented
    try {
      const events = parseEvents(this.#parsed, {})
      this.#events = events
      this.value = valueIn(events, this.#parsed)
    } catch (error) {
      const { reason, mark } = error as YAMLException
      // The parser reads on to the next line when a quote is open.
      const message = reason.replace(/deficient indentation$/, '$&, or a quote is open above')
      const position = mark === undefined ? { line: 1, column: 1 } : this.#position(mark.position)
      throw new ContractError([{ severity: 'error', file: path, ...position, message }])
    }
  }

  get #parsed(): string {
    return this.indented?.text ?? this.text
  }

  get #root(): SyntaxNode {
    this.#tree ??= syntaxTree(this.#events, this.#parsed)
    return this.#tree
  }

  /**
   * Returns the position of a part, or of the innermost part around it that is in the file.
   * @param path keys and indexes
   * @param onName points at the part's name in the object that holds it, if it has one
   */
  positionOf(path: readonly string[], onName = true): SourcePosition {
    const { name, value } = this.#root.at(path)
    return this.#position(((onName ? name : undefined) ?? value).start)
  }

  /** Returns the text of a scalar as written; undefined for anything else. */
  spellingAt(path: readonly string[]): string | undefined {
    return this.#root.at(path).value.anchored.text
  }

  /** Returns the names of the members of an object as written, without merged ones. */
  namesAt(path: readonly string[]): string[] {
    return [...this.#root.at(path).value.anchored.members.keys()]
  }

  #position(offset: number): SourcePosition {
    this.#lineStarts ??= lineStartsOf(this.#parsed)
    const starts = this.#lineStarts
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (Number(starts[middle]) <= offset) low = middle
      else high = middle - 1
    }
    const column = offset - Number(starts[low]) + 1 - (this.indented?.added.get(low + 1) ?? 0)
    return { line: low + 1, column }
  }
}

function valueIn(events: Event[], source: string): Json | undefined {
  const documents = constructFromEvents(events, { source, schema }) as Json[]
  if (documents.length > 1)
    throw new YAMLException('expected a single document in the stream, but found more')
  return documents.length === 0 && source.trim() !== '' ? null : documents[0]
}

function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}
