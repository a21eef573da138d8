/** Validators, ahead of time: Ajv's standalone code (JSON Schema draft 2020-12), one module per view. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type Json, objectOf, own, stringify } from '../document/json-value.ts'
import type { LoadedContract } from '../load/load.ts'
import { unbox } from './bigint-box.ts'
import { boundErrors } from './bound-errors.ts'
import { addFormats, formatsModule } from './formats.ts'
import { moduleCode } from './module-code.ts'
import { SchemaNormaliser } from './normalise.ts'
import type { Schema, View } from './view.ts'
import { addVocabulary, patternEngine } from './vocabulary.ts'

export class Validators {
  readonly #contract: LoadedContract
  readonly #views = new Map<View, SchemaNormaliser>()
  /** By view, the names under which each definition is exported. */
  readonly #exports = new Map<View, Map<string, readonly string[]>>()
  /** Name of the first definition by its text. */
  readonly #firsts = new Map<string, string>()

  readonly #valueAjv = createAjv(false, true)
  #values = 0

  constructor(contract: LoadedContract) {
    this.#contract = contract
  }

  /** @returns the name under which the generated module exports the validator of the schema */
  add(view: View, schema: Json, label: string): string {
    const name = this.#normaliser(view).define(schema, label)
    const exported = `${view}_${name}`
    const id = `${view}#/$defs/${this.#firstEqual(view, name)}`
    const exports = this.#exportsOf(view)
    exports.set(id, [...(exports.get(id) ?? []).filter((other) => other !== exported), exported])
    return exported
  }

  /** Equal schemas, such as those of most headers, share one validator. */
  #firstEqual(view: View, name: string): string {
    const key = `${view} ${stringify(unbox(this.#normaliser(view).definitions[name]))}`
    const first = this.#firsts.get(key) ?? name
    this.#firsts.set(key, first)
    return first
  }

  /** @returns false if the value does not fit the schema; true also for a malformed schema, which `problems` reports */
  accepts(schema: Json, value: unknown): boolean {
    const normaliser = new SchemaNormaliser(this.#contract, 'request')
    const name = normaliser.define(schema, 'schema')
    if (normaliser.problems.length > 0 || this.#malformed(normaliser).length > 0) return true
    const id = `value${this.#values++}`
    this.#valueAjv.addSchema({ $id: id, $defs: normaliser.definitions } as object)
    // An empty table: every number is exact. Not undefined, because Ajv's functions are sloppy: `this` would be `globalThis`.
    const exactness = new Map() as never
    return this.#valueAjv.getSchema(`${id}#/$defs/${name}`)?.call(exactness, value) === true
  }

  get problems(): ContractProblem[] {
    return [...this.#views.values()].flatMap((normaliser) => [
      ...normaliser.problems,
      ...this.#malformed(normaliser)
    ])
  }

  /** The modules of the generated code by name: an index, and one per view. */
  modules(): Map<string, string> {
    const modules = new Map<string, string>()
    for (const [view, normaliser] of this.#views) modules.set(`./${view}`, this.#module(view, normaliser))
    const index = [...this.#views.keys()].map((view) => `export * from "./${view}"`)
    return modules.set('./formats', formatsModule()).set('index', `${index.join('\n')}\n`)
  }

  #normaliser(view: View): SchemaNormaliser {
    let normaliser = this.#views.get(view)
    if (normaliser === undefined) {
      normaliser = new SchemaNormaliser(this.#contract, view)
      this.#views.set(view, normaliser)
    }
    return normaliser
  }

  #exportsOf(view: View): Map<string, readonly string[]> {
    const exports = this.#exports.get(view) ?? new Map<string, readonly string[]>()
    this.#exports.set(view, exports)
    return exports
  }

  /** Collects all errors of a request for the client; one error of a response is enough for the log. */
  #module(view: View, normaliser: SchemaNormaliser): string {
    const unevaluated = JSON.stringify(normaliser.definitions).includes('"unevaluated')
    const ajv = createAjv(view !== 'response', unevaluated)
    ajv.addSchema({ $id: view, $defs: normaliser.definitions } as object)
    const exports = [...this.#exportsOf(view)]
    for (const [id] of exports) ajv.getSchema(id)
    const firsts = exports.map(([id, [first]]) => [first, id])
    const aliases = exports.flatMap(([, [first, ...others]]) =>
      others.map((other) => `export { ${first} as ${other} };\n`)
    )
    const code = standaloneCode.default(ajv, Object.fromEntries(firsts))
    return [moduleCode(boundErrors(code)), ...aliases].join('')
  }

  /** Finds keywords whose value JSON Schema does not allow. */
  #malformed(normaliser: SchemaNormaliser): ContractProblem[] {
    return Object.values(normaliser.definitions).flatMap((schema) => {
      metaAjv.validateSchema(JSON.parse(stringify(schema)))
      const [error] = metaAjv.errors ?? []
      return error === undefined ? [] : [this.#malformedAt(normaliser, schema, error)]
    })
  }

  #malformedAt(normaliser: SchemaNormaliser, schema: Schema, error: ErrorObject): ContractProblem {
    let node: Json | undefined = schema
    let place: Json | undefined
    let key = ''
    for (const segment of error.instancePath.split('/').slice(1)) {
      place = normaliser.origin(node) ?? place
      key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      node = Reflect.get(Object(node), key) as Json
    }
    const known = own(objectOf(place), key) === undefined ? undefined : key
    return this.#contract.locator.problem('error', `${key} ${error.message}`, place, known)
  }
}

const metaAjv = new Ajv2020({ strict: false, logger: false, allErrors: false })

/** @param unevaluated tracks evaluated properties and items, which slows down every validator */
function createAjv(allErrors: boolean, unevaluated: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors,
    messages: false,
    ownProperties: true,
    passContext: true,
    validateSchema: false,
    inlineRefs: 16,
    logger: false,
    code: { source: true, esm: true, lines: true, regExp: patternEngine }
  })
  // The constructor of Ajv2020 switches both on. The compiler has resolved dynamic references before.
  Object.assign(ajv.opts, { unevaluated, dynamicRef: false })
  addFormats(ajv)
  addVocabulary(ajv)
  return ajv
}
