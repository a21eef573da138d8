/**
 * Reads a YAML or JSON text once, for its value and for the places of its parts. Places follow aliases to their anchors, and
 * merge keys to the mapping that they merge (YAML 1.2.2, section 3.2.2.2; YAML 1.1, merge keys).
 */
import { yamlSchema } from '@contract-first/engine/yaml'
import { constructFromEvents, EVENT_ID, type Event, parseEvents, YAMLException } from 'js-yaml'
import type { Json } from '../model/json.ts'
import type { SourcePosition } from '../model/origin.ts'
import { ContractError } from './problem.ts'
import { type SyntaxNode, syntaxTree } from './syntax-tree.ts'

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
  #events: Event[] | undefined
  #tree: SyntaxNode | undefined
  #lineStarts: readonly number[] | undefined

  /** @throws {ContractError} for a text that is not YAML, or has several documents */
  constructor(path: string, text: string, indented?: Indented) {
    this.path = path
    this.text = text
    this.indented = indented
    try {
      this.value = jsonValue(this.#parsed) ?? valueIn(this.#parsedEvents, this.#parsed)
    } catch (error) {
      const { reason, mark } = error as YAMLException
      // The parser reads on to the next line when a quote is open.
      const message = reason.replace(/deficient indentation$/, '$&, or a quote is open above')
      const position = mark === undefined ? { line: 1, column: 1 } : this.#position(mark.position)
      throw new ContractError([{ severity: 'error', file: path, ...position, message }])
    }
  }

  /** False for JSON, which has none. */
  get hasAliases(): boolean {
    return this.#events?.some(({ type }) => type === EVENT_ID.ALIAS) === true
  }

  get #parsed(): string {
    return this.indented?.text ?? this.text
  }

  get #parsedEvents(): Event[] {
    this.#events ??= parseEvents(this.#parsed, {})
    return this.#events
  }

  get #root(): SyntaxNode {
    this.#tree ??= syntaxTree(this.#parsedEvents, this.#parsed)
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

/** Levels up to which a text is read as JSON; the parser of YAML refuses more than 100. */
const maxLevels = 80

/**
 * Reads JSON by Node's own parser, which takes a tenth of the time.
 * @returns undefined for any other text, and for one that the parser of YAML refuses or reads otherwise: with a name twice in
 *   one object, a number that a double may not hold, or too many levels
 */
function jsonValue(text: string): Json | undefined {
  if (!/^\s*\{/.test(text) || /[:[,]\s*-?\d{16}/.test(text)) return undefined
  try {
    const value: Json = JSON.parse(text)
    const names = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
    return countOfNames(value, 0) === names ? value : undefined
  } catch {
    return undefined
  }
}

/** Counts the names of members; NaN for a value that is not read as JSON. */
function countOfNames(value: Json, level: number): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (level > maxLevels) return Number.NaN
  const members = Object.values(value)
  let count = Array.isArray(value) ? 0 : members.length
  for (const member of members) count += countOfNames(member, level + 1)
  return count
}

function valueIn(events: Event[], source: string): Json | undefined {
  const documents = constructFromEvents(events, { source, schema: yamlSchema }) as Json[]
  if (documents.length > 1)
    throw new YAMLException('expected a single document in the stream, but found more')
  return documents.length === 0 && source.trim() !== '' ? null : documents[0]
}

function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}
