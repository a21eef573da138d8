/** Remembers the place of each node of a contract, so that a problem found at any stage has a place. */
import { escapePointer } from '../document/pointer.ts'
import { define, type Json, type JsonObject } from '../model/json.ts'
import type { ContractProblem } from './problem.ts'
import { positionOf, type Source, spellingAt } from './source-position.ts'

/** The place of a node: its key in the node that holds it. */
interface Origin {
  readonly source: Source
  readonly key?: string
  readonly holder?: Origin
}

/** A file of the contract as it was read. */
export interface SourceFile {
  readonly path: string
  readonly source: Source
  readonly parsed: Json
}

export class Locator {
  readonly #origins = new Map<object, Origin>()
  readonly #root: Origin

  constructor(root: SourceFile, others: readonly SourceFile[]) {
    // The root file comes last: a node that bundling moved into it keeps its original place.
    for (const { parsed, source } of [...others, root]) this.#record(parsed, source)
    this.#root = { source: root.source }
  }

  /** Gives each copy that the compiler made the place of its original. */
  addCopies(copies: ReadonlyMap<object, object>): void {
    for (const [copy, original] of copies) {
      const origin = this.#origins.get(original)
      if (origin !== undefined) this.#origins.set(copy, origin)
    }
  }

  /**
   * Makes a problem that points at a node; at the start of the root file for a node without a place.
   * @param key a property of the node: the problem points at its name, if it exists
   * @param onName false to point at the value of the property
   */
  problem(
    severity: 'error' | 'warning',
    message: string,
    node: unknown,
    key?: string,
    onName = true
  ): ContractProblem {
    const origin = this.#origins.get(Object(node)) ?? this.#root
    const path = [...pathOf(origin), ...(key === undefined ? [] : [key])]
    return { severity, file: origin.source.absoluteRef, message, ...positionOf(origin.source, path, onName) }
  }

  /** Returns the place of a node in its file, as a JSON pointer: `#/components/schemas/Pet/properties/name`. */
  pointer(node: object): string {
    const path = pathOf(this.#origins.get(node) ?? this.#root)
    return ['#', ...path.map(escapePointer)].join('/')
  }

  /** Walks without recursion, because the depth of a contract has no bound. */
  #record(root: Json, source: Source): void {
    const pending: [Json, Origin][] = [[root, { source }]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, origin] = next
      if (typeof node !== 'object' || node === null || this.#origins.has(node)) continue
      this.#origins.set(node, origin)
      for (const [key, child] of Object.entries(node)) {
        if (typeof child === 'number' && Number.isInteger(child) && !Number.isSafeInteger(child)) {
          restoreInteger(node as JsonObject, key, { source, key, holder: origin })
        } else if (typeof child === 'object' && child !== null)
          pending.push([child, { source, key, holder: origin }])
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
function restoreInteger(holder: JsonObject, key: string, origin: Origin): void {
  const text = String(spellingAt(origin.source, pathOf(origin)))
  if (/^[-+]?\d+$|^0(x[\da-f]+|o[0-7]+)$/i.test(text)) define(holder, key, BigInt(text))
}
