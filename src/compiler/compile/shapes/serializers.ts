/** Compiles serializers ahead of time. They write only declared properties of a value that a validator has accepted. */
import {
  anyValue,
  define,
  isUnconstrained,
  type Operation,
  type Schema,
  target,
  validityDigest
} from '@contract-first/contract'
import type { CompiledCode, RequestBodies, RequestShape } from '@contract-first/engine/model'
import { exactStringify } from '@contract-first/engine/runtime/serializers'
import { CopyFunctions } from './copy-functions.ts'
import { shownParts } from './hidden.ts'
import { referredName, ShapeGraph, shapeTable } from './shape-graph.ts'

export class Serializers {
  /** Schemas by the name of their export. */
  readonly #schemas = new Map<string, Schema>()
  /** Names by what a schema refers to. */
  readonly #names = new Map<Schema, string>()

  /** @returns the name under which the generated module exports the serializer of the schema */
  add(schema: Schema, label: string): string {
    const end = target(schema)
    const meant = isUnconstrained(end) ? anyValue : end
    const name = this.#names.get(meant) ?? this.#freeName(referredName(schema) ?? label)
    if (!this.#schemas.has(name)) this.#schemas.set(name, schema)
    this.#names.set(meant, name)
    return name
  }

  /** An import of a module that exports `then` would never end. */
  #freeName(label: string): string {
    let name = label
    for (let serial = 2; this.#schemas.has(name) || name === 'then'; serial++) name = `${label}_${serial}`
    return name
  }

  /** @returns the serializers for this process, which write undeclared properties too; a schema is read at the first call */
  functions(): CompiledCode['serializers'] {
    const shown = shownParts()
    const writer = (schema: Schema) => (value: unknown) => exactStringify(shown(value, schema))
    return Object.fromEntries([...this.#schemas].map(([name, schema]) => [name, writer(schema)]))
  }

  /** @returns the source code of the generated module, by module name */
  modules(runtimeModule: string): Map<string, string> {
    const graph = new ShapeGraph('service')
    const exports = [...this.#schemas].map(([name, schema]) => ({ name, number: graph.add([schema]) }))
    const copies = new CopyFunctions(graph)
    const writers = exports.map(
      ({ name, number }) =>
        `const write_${name} = (value) => exactStringify(${copies.copyOf(number, 'value')});`
    )
    // A schema may be called `delete`, which is valid only as the name of an export.
    const names = exports.map(({ name }) => `write_${name} as ${name}`)
    const lines = [
      `import { declaredOnly, exactStringify, int64 } from ${JSON.stringify(runtimeModule)};`,
      ...copies.declarations(),
      ...writers,
      `export { ${names.join(', ')} };`
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
