/** Compiles serializers ahead of time. They write only declared properties of a value that a validator has accepted. */
import { anyValue, define, type Operation, type Schema, validityDigest } from '@contract-first/contract'
import type { CompiledCode, RequestBodies, RequestShape } from '@contract-first/engine/model'
import { exactStringify } from '@contract-first/engine/runtime/serializers'
import { CopyFunctions } from './copy-functions.ts'
import { withoutHidden } from './hidden.ts'
import { referredName, ShapeGraph, shapeTable } from './shape-graph.ts'

export class Serializers {
  readonly #graph = new ShapeGraph('service')
  /** Nodes by the name of their export, and the reverse. */
  readonly #exports = new Map<string, number>()
  readonly #names = new Map<number, string>()

  /** @returns the name under which the generated module exports the serializer of the schema */
  add(schema: Schema, label: string): string {
    const number = this.#graph.add([schema])
    const known = this.#names.get(number)
    if (known !== undefined) return known
    const name = this.#freeName(referredName(schema) ?? label)
    this.#names.set(number, name)
    this.#exports.set(name, number)
    return name
  }

  /** An import of a module that exports `then` would never end. */
  #freeName(label: string): string {
    let name = label
    for (let serial = 2; this.#exports.has(name) || name === 'then'; serial++) name = `${label}_${serial}`
    return name
  }

  /** @returns the serializers for this process, which write undeclared properties too */
  functions(): CompiledCode['serializers'] {
    const writer = (number: number) => (value: unknown) =>
      exactStringify(withoutHidden(value, this.#graph, [number]))
    return Object.fromEntries([...this.#exports].map(([name, number]) => [name, writer(number)]))
  }

  /** @returns the source code of the generated module, by module name */
  modules(runtimeModule: string): Map<string, string> {
    const copies = new CopyFunctions(this.#graph)
    const writers = [...this.#exports].map(
      ([name, number]) =>
        `const write_${name} = (value) => exactStringify(${copies.copyOf(number, 'value')});`
    )
    // A schema may be called `delete`, which is valid only as the name of an export.
    const exports = [...this.#exports.keys()].map((name) => `write_${name} as ${name}`)
    const lines = [
      `import { declaredOnly, exactStringify, int64 } from ${JSON.stringify(runtimeModule)};`,
      ...copies.declarations(),
      ...writers,
      `export { ${exports.join(', ')} };`
    ]
    return new Map([['index', `${lines.join('\n')}\n`]])
  }
}

/** Returns the declared properties of each JSON request body, for the codec of its operation. */
export function requestShapes(operations: readonly Operation[]): RequestBodies {
  const graph = new ShapeGraph('client')
  const added = operations.flatMap(({ id, body }) =>
    (body?.contents ?? [])
      .filter(({ kind }) => kind === 'json')
      .map(({ mediaType, schema = anyValue }) => ({ id, mediaType, schema, number: graph.add([schema]) }))
  )
  const { shapes, position } = shapeTable(
    graph,
    added.map(({ number }) => number)
  )
  const bodies: Record<string, Record<string, RequestShape>> = {}
  for (const { id, mediaType, schema, number } of added) {
    if (!Object.hasOwn(bodies, id)) define(bodies, id, {})
    define(bodies[id] ?? {}, mediaType, { shape: position(number), digest: validityDigest(schema) })
  }
  return { shapes, bodies }
}
