/** Remembers the place of each node of a contract, so that a problem found at any stage has a place. */
import { escapePointer } from '../document/reference.ts'
import type { Json } from '../model/json.ts'
import { NodeOrigin, type Origin, type Places, type SourcePosition } from '../model/origin.ts'
import type { SourceFile } from './source-file.ts'

/** A node by its key in the node that holds it. */
interface Member {
  readonly source: SourceFile
  readonly key?: string
  readonly holder?: Member
}

export class Locator {
  readonly #members = new Map<object, Member>()
  readonly #root: Member

  constructor(root: SourceFile, others: readonly SourceFile[]) {
    // The root file comes last: a node that bundling moved into it keeps its original place.
    for (const source of [...others, root]) this.#record(source)
    this.#root = { source: root }
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
    let found: SourcePosition | undefined
    const position = () => (found ??= member.source.positionOf(path, onName))
    return {
      file: member.source.path,
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
  #record(source: SourceFile): void {
    const pending: [Json | undefined, Member][] = [[source.value, { source }]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, member] = next
      if (typeof node !== 'object' || node === null || this.#members.has(node)) continue
      this.#members.set(node, member)
      for (const [key, child] of Object.entries(node))
        if (typeof child === 'object' && child !== null)
          pending.push([child, { source, key, holder: member }])
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
