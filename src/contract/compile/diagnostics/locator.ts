/** Where each node of a contract stands in its file, so that every problem, found however late, names its place. */
import type { Source } from '@redocly/openapi-core'
import type { Json, JsonObject } from '../document/json-value.ts'
import type { ContractProblem } from './problem.ts'
import { placeOf, spellingAt } from './source-position.ts'

/** A node of a file, by the name that it has in the one that holds it. */
interface Origin {
  readonly source: Source
  readonly key?: string
  readonly holder?: Origin
}

export interface ContractFile {
  readonly path: string
  readonly source: Source
  readonly parsed: Json
}

export class Locator {
  readonly #origins = new WeakMap<object, Origin>()
  readonly #root: Origin

  constructor(root: ContractFile, others: readonly ContractFile[]) {
    // The root file last, so that a node that bundling has moved into it keeps the place it was written in.
    for (const { parsed, source } of [...others, root]) this.#record(parsed, source)
    this.#root = { source: root.source }
  }

  /** Objects that the compiler has made of others: what is wrong with them is wrong where those were written. */
  addCopies(copies: ReadonlyMap<object, object>): void {
    for (const [copy, original] of copies) {
      const origin = this.#origins.get(original)
      if (origin !== undefined) this.#origins.set(copy, origin)
    }
  }

  /** @param key a property of the node; its name is pointed at, or the node itself where it has none */
  problem(severity: 'error' | 'warning', message: string, node: unknown, key?: string): ContractProblem {
    const origin = this.#origins.get(Object(node)) ?? this.#root
    const path = [...pathOf(origin), ...(key === undefined ? [] : [key])]
    return { severity, file: origin.source.absoluteRef, message, ...placeOf(origin.source, path) }
  }

  /** Walks without recursion: a contract may be nested as deeply as its author likes. */
  #record(root: Json, source: Source): void {
    const pending: [Json, Origin][] = [[root, { source }]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, origin] = next
      if (typeof node !== 'object' || node === null || this.#origins.has(node)) continue
      this.#origins.set(node, origin)
      for (const [key, child] of Object.entries(node as JsonObject)) {
        const place = { source, key, holder: origin }
        if (typeof child === 'number' && Number.isInteger(child) && !Number.isSafeInteger(child)) {
          restoreInteger(node as JsonObject, key, place)
        } else if (typeof child === 'object' && child !== null) pending.push([child, place])
      }
    }
  }
}

function pathOf(origin: Origin): string[] {
  const path: string[] = []
  for (let next: Origin | undefined = origin; next?.key !== undefined; next = next.holder)
    path.unshift(next.key)
  return path
}

/** YAML parsers round integers beyond 2^53, in whatever base (YAML 1.2, section 10.3.2); an int64 bound must stay what was written. */
function restoreInteger(holder: JsonObject, key: string, origin: Origin): void {
  const text = String(spellingAt(origin.source, pathOf(origin)))
  if (/^[-+]?\d+$|^0(x[\da-f]+|o[0-7]+)$/i.test(text)) holder[key] = BigInt(text)
}
