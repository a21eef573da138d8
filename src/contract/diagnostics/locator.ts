/** Remembers the place of each node of a contract, so that a problem found at any stage has a place. */
import { escapePointer } from '../document/reference.ts'
import { define, type Json, type JsonObject } from '../model/json.ts'
import { NodeOrigin, type Origin, type Places } from '../model/origin.ts'
import { type Document, positionOf, type Source, type SourcePosition, spellingAt } from './source-position.ts'

/** A node by its key in the node that holds it. */
interface Member {
  readonly source: Source
  readonly key?: string
  readonly holder?: Member
}

export class Locator {
  readonly #members = new Map<object, Member>()
  readonly #root: Member

  constructor(root: Document, others: readonly Document[]) {
    // The root file comes last: a node that bundling moved into it keeps its original place.
    for (const { parsed, source } of [...others, root]) this.#record(parsed as Json, source)
    this.#root = { source: root.source }
  }

  /** Gives each copy that the compiler made the place of its original. */
  addCopies(copies: ReadonlyMap<object, object>): void {
    for (const [copy, original] of copies) {
      const member = this.#members.get(original)
      if (member !== undefined) this.#members.set(copy, member)
    }
  }

  /** Finds the innermost object on the way whose file is known: the root document without one. */
  readonly place: Places = (node, keys, onName) => {
    let holder = node
    let used = 0
    for (; used < keys.length - 1; used++) {
      const next: unknown = Reflect.get(holder, keys[used] ?? '')
      if (!this.#members.has(Object(next))) break
      holder = Object(next)
    }
    const member = this.#members.get(holder) ?? this.#root
    const path = [...pathOf(member), ...keys.slice(used)]
    const pointer = ['#', ...path.map(escapePointer)].join('/')
    // A search in the text, which has to be parsed first, takes long beside a pointer.
    let found: SourcePosition | undefined
    const position = () => (found ??= positionOf(member.source, path, onName))
    return {
      file: member.source.absoluteRef,
      pointer,
      get line() {
        return position().line
      },
      get column() {
        return position().column
      }
    }
  }

  origin(node: object): Origin {
    return new NodeOrigin(this.place, node)
  }

  /** Walks without recursion, because the depth of a contract has no bound. */
  #record(root: Json, source: Source): void {
    const pending: [Json, Member][] = [[root, { source }]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, member] = next
      if (typeof node !== 'object' || node === null || this.#members.has(node)) continue
      this.#members.set(node, member)
      for (const [key, child] of Object.entries(node)) {
        if (typeof child === 'number' && Number.isInteger(child) && !Number.isSafeInteger(child)) {
          restoreInteger(node as JsonObject, key, { source, key, holder: member })
        } else if (typeof child === 'object' && child !== null)
          pending.push([child, { source, key, holder: member }])
      }
    }
  }
}

/** Returns the keys that lead to a place from the root of its file. */
export function pathOf<Place extends { readonly key?: string; readonly holder?: Place }>(
  place: Place
): string[] {
  const path: string[] = []
  for (let next: Place | undefined = place; next?.key !== undefined; next = next.holder)
    path.unshift(next.key)
  return path
}

/** Restores integers beyond 2^53, which YAML parsers round in every base (YAML 1.2, section 10.3.2): int64 bounds are exact. */
function restoreInteger(holder: JsonObject, key: string, member: Member): void {
  const text = String(spellingAt(member.source, pathOf(member)))
  if (/^[-+]?\d+$|^0(x[\da-f]+|o[0-7]+)$/i.test(text)) define(holder, key, BigInt(text))
}
