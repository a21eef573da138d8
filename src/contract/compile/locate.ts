/** Where each node of a contract stands in its file, so that every problem, found however late, names its place. */
import { getAstNodeByPointer, getLineColLocation, type Source } from '@redocly/openapi-core'
import { escapePointer, isObject, type Json, type JsonObject } from './json.ts'
import type { ContractProblem } from './problem.ts'

interface Origin {
  readonly source: Source
  readonly pointer: string
}

export interface ContractFile {
  readonly path: string
  readonly source: Source
  readonly parsed: Json
}

export class Locator {
  readonly #origins = new WeakMap<object, Origin>()
  readonly #root: Origin

  /** @param files the root file last, so that a node that bundling has moved into it keeps the place it was written in */
  constructor(files: readonly ContractFile[]) {
    for (const { parsed, source } of files) this.#record(parsed, source)
    const root = files.at(-1)
    if (root === undefined) throw new TypeError('a contract has at least one file')
    this.#root = { source: root.source, pointer: '#/' }
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
    const origin = (isObject(node) || Array.isArray(node) ? this.#origins.get(node) : undefined) ?? this.#root
    const pointer = key === undefined ? origin.pointer : join(origin.pointer, key)
    const { start } = getLineColLocation({ source: origin.source, pointer, reportOnKey: true })
    return { severity, file: origin.source.absoluteRef, line: start.line, column: start.col, message }
  }

  /** Walks without recursion: a contract may be nested as deeply as its author likes. */
  #record(root: Json, source: Source): void {
    const pending: [Json, string][] = [[root, '#/']]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, pointer] = next
      if (typeof node !== 'object' || node === null || this.#origins.has(node)) continue
      this.#origins.set(node, { source, pointer })
      for (const [key, child] of Object.entries(node as JsonObject)) {
        if (typeof child === 'number' && Number.isInteger(child) && !Number.isSafeInteger(child)) {
          restoreInteger(node as JsonObject, key, source, pointer)
        } else if (typeof child === 'object' && child !== null) pending.push([child, join(pointer, key)])
      }
    }
  }
}

function join(pointer: string, key: string): string {
  return `${pointer}${pointer.endsWith('/') ? '' : '/'}${escapePointer(key)}`
}

/** YAML parsers round integers beyond 2^53; an int64 bound must stay what was written. */
function restoreInteger(holder: JsonObject, key: string, source: Source, pointer: string): void {
  getLineColLocation({ source, pointer: join(pointer, key) }) // parses the syntax tree of the file, once
  const node = getAstNodeByPointer(astOf(source), join(pointer, key), false) as
    | { value?: unknown }
    | undefined
  const text = typeof node?.value === 'string' ? node.value : ''
  if (/^-?\d+$/.test(text)) holder[key] = BigInt(text)
}

type Ast = Parameters<typeof getAstNodeByPointer>[0]

function astOf(source: Source): Ast {
  return source.getAst(() => {
    throw new TypeError('the syntax tree was not parsed')
  }) as Ast
}
