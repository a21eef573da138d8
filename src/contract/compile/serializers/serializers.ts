/**
 * Serializers, ahead of time: fast-json-stringify where it can say the shape exactly, else a copy of what is declared
 * and plain JSON. They write what a validator has accepted, and only declared properties of it.
 */

import { isObject, type Json, type JsonObject } from '../document/json-value.ts'
import { pointerOf } from '../document/reference.ts'
import { Shapes } from '../shapes/shape.ts'
import { fastModule, isTractable, regularNodes } from './fast-serializers.ts'
import { ShapeGraph } from './shape-graph.ts'
import { shapeTable } from './shape-table.ts'

export class Serializers {
  readonly #graph: ShapeGraph
  /** Node by the name of its export, and the other way round. */
  readonly #exports = new Map<string, number>()
  readonly #names = new Map<number, string>()

  constructor(document: JsonObject) {
    this.#graph = new ShapeGraph(new Shapes(document, 'writeOnly'))
  }

  /** @returns the name under which the generated module exports the serializer of the schema */
  add(schema: Json, label: string): string {
    const number = this.#graph.add([schema])
    const known = this.#names.get(number)
    if (known !== undefined) return known
    const name = this.#freeName(isObject(schema) ? (nameOf(schema) ?? label) : label)
    this.#names.set(number, name)
    this.#exports.set(name, number)
    return name
  }

  #freeName(label: string): string {
    let name = label
    for (let serial = 2; this.#exports.has(name); serial++) name = `${label}_${serial}`
    return name
  }

  /** The modules of the generated code by name: an index, and one of fast-json-stringify's functions. */
  modules(runtimeModule: string): Map<string, string> {
    const regular = regularNodes(this.#graph)
    const numbers = [...this.#exports.values()].filter(
      (number) => regular.has(number) && isTractable(this.#graph, number)
    )
    const { source, made } = fastModule(this.#graph, numbers, runtimeModule)
    const plain = [...this.#exports].filter(([, number]) => !made.has(number))
    const fast = [...this.#exports].filter(([, number]) => made.has(number))
    const index = [
      `import { exactStringify, declaredOnly } from ${JSON.stringify(runtimeModule)}`,
      'import fast from "./fast"',
      ...fast.map(([name, number]) => exporting(name, `fast.e${number}`)),
      ...this.#plain(plain)
    ]
    return new Map([
      ['./fast', source],
      ['index', `${index.join('\n')}\n`]
    ])
  }

  /** One table of shapes for all of them, read when the first of them is used. */
  #plain(exported: readonly (readonly [string, number])[]): string[] {
    const numbers = exported.map(([, number]) => number)
    const { shapes: table, position } = shapeTable(this.#graph, numbers)
    const shapes = JSON.stringify(table)
    return [
      `let table\nconst shapes = () => (table ??= JSON.parse(${escaped(JSON.stringify(shapes))}))`,
      ...exported.map(([name, number]) =>
        exporting(name, `(value) => exactStringify(declaredOnly(value, shapes(), ${position(number)}))`)
      )
    ]
  }
}

/** The name of the schema that is referred to. */
const nameOf = (schema: JsonObject): string | undefined =>
  pointerOf(schema)
    ?.split('/')
    .at(-1)
    ?.replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_')

/** Only as the name of an export may a schema be called `delete`. */
const exporting = (name: string, value: string): string =>
  `const $${name} = ${value}\nexport { $${name} as ${name} }`

const escaped = (text: string): string => text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
