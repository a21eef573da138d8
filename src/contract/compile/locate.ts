/** Where each node of a contract stands in its file, so that every problem, found however late, names its place. */
import { getAstNodeByPointer, getLineColLocation, type Source } from '@redocly/openapi-core'
import { escapePointer, type Json, type JsonObject } from './json.ts'
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

  constructor(root: ContractFile, others: readonly ContractFile[]) {
    // The root file last, so that a node that bundling has moved into it keeps the place it was written in.
    for (const { parsed, source } of [...others, root]) this.#record(parsed, source)
    this.#root = { source: root.source, pointer: '#/' }
  }

  /** @param key a property of the node; its name is pointed at, or the node itself where it has none */
  problem(severity: 'error' | 'warning', message: string, node: unknown, key?: string): ContractProblem {
    const origin = this.#origins.get(Object(node)) ?? this.#root
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

/** A URI fragment (RFC 6901, section 6): it is percent-decoded when it is followed. */
function join(pointer: string, key: string): string {
  return `${pointer}${pointer.endsWith('/') ? '' : '/'}${escapePointer(key).replaceAll('%', '%25')}`
}

/** YAML parsers round integers beyond 2^53; an int64 bound must stay what was written. */
function restoreInteger(holder: JsonObject, key: string, source: Source, pointer: string): void {
  const location = { source, pointer: join(pointer, key) }
  getLineColLocation(location) // parses the syntax tree of the file, once
  let node = getAstNodeByPointer(source.getAst(Object) as Ast, location.pointer, false) as AstNode
  while (typeof node.value === 'object') node = node.value // an alias holds what it stands for
  if (/^[-+]?\d+$|^0(x[\da-f]+|o[0-7]+)$/i.test(String(node.value))) holder[key] = BigInt(String(node.value))
}

type Ast = Parameters<typeof getAstNodeByPointer>[0]
interface AstNode {
  readonly value?: string | AstNode
}
