/** Compiles validators ahead of time: one function for each schema (JSON Schema draft 2020-12), one module per view. */
import type { Validator } from '@contract-first/engine/model'
import { type ContractProblem, hasErrors } from '../diagnostics/problem.ts'
import { type Json, type JsonObject, objectOf, own, stringify } from '../document/json-value.ts'
import type { LoadedContract } from '../load/load.ts'
import type { Schema, View } from '../vocabulary/keywords.ts'
import { DefinitionCompiler } from './definition-compiler.ts'
import { malformedIn, refusedIn } from './malformed.ts'
import { SchemaNormaliser } from './normalise.ts'
import { PatternChecks } from './patterns.ts'
import type { Flag } from './read-write-only.ts'
import { memoisedNames, trackedNames } from './schema-graph.ts'

/** Code of a view, and the names of the validators in it. */
type Written = ReturnType<DefinitionCompiler['code']>

/** State that validators of one contract share. */
class Shared {
  readonly views = new Map<View, SchemaNormaliser>()
  /** Name of the first definition by its text, and of the first equal definition by name. */
  readonly firsts = new Map<string, string>()
  readonly equal = new Map<string, string>()
  readonly patterns = new PatternChecks()
}

/** Values of the contract are few, and each is judged by definitions that are not yet known. */
const everyName = { has: () => true }

/** Flags of the properties that are hidden in what the service receives and in what it sends. */
const hidden = { received: 'readOnly', sent: 'writeOnly' } as const

export class Validators {
  readonly #contract: LoadedContract
  readonly #requests: keyof typeof hidden
  readonly #base: Validators | undefined
  readonly #shared: Shared
  /** Names of the exported definitions, by view. */
  readonly #exports = new Map<View, Set<string>>()
  readonly #values: SchemaNormaliser
  readonly #valueCompiler: DefinitionCompiler
  readonly #written = new Map<View, Written>()
  #checked = 0
  #malformedValues = false

  /**
   * @param base validators whose definitions these share
   * @param requests what requests are to the service: it receives those of paths, and sends webhooks and callbacks
   */
  constructor(contract: LoadedContract, base?: Validators, requests: keyof typeof hidden = 'received') {
    this.#contract = contract
    this.#requests = requests
    this.#base = base
    this.#shared = base === undefined ? new Shared() : base.#shared
    this.#values = this.#newNormaliser('request')
    this.#valueCompiler = new DefinitionCompiler(this.#values.definitions, {
      prefix: 'value',
      memoised: everyName,
      tracked: everyName,
      formats: contract.formats?.formats
    })
  }

  /** @returns the name under which the generated module exports the validator of the schema */
  add(view: View, schema: Json, label: string): string {
    const name = this.#firstEqual(view, this.#normaliser(view).define(schema, label))
    const exports = this.#exports.get(view) ?? new Set()
    this.#exports.set(view, exports.add(name))
    return `${view}_${name}`
  }

  /** @returns true if a component has a definition in a view */
  has(view: View, pointer: string): boolean {
    return this.#shared.views.get(view)?.known(pointer) !== undefined
  }

  /** @returns the exports that refer to what the meta-schema refuses, themselves included */
  refused(): ReadonlySet<string> {
    const refused = [...this.#shared.views].flatMap(([view, { definitions }]) =>
      [...refusedIn(definitions)].map((name) => `${view}_${name}`)
    )
    return new Set(refused)
  }

  /** Makes one validator of a schema that several requests may share as a part. */
  share(schema: Json, label: string): void {
    this.#normaliser('request').share(schema, label)
  }

  /**
   * @param schema object of groups, each an object of parameters by name
   * @param whole group that is one parameter itself
   */
  addParameters(schema: JsonObject, label: string, whole: Json | undefined): string {
    const groups = objectOf(own(schema, 'properties'))
    this.#normaliser('request').exempt(groups)
    for (const group of Object.values(groups).filter((each) => each !== whole))
      this.#normaliser('request').exempt(objectOf(own(objectOf(group), 'properties')))
    return this.add('request', schema, label)
  }

  /** Returns the first equal schema: equal schemas, such as those of most headers, share one validator. */
  #firstEqual(view: View, name: string): string {
    const id = `${view} ${name}`
    const known = this.#shared.equal.get(id)
    if (known !== undefined) return known
    const key = `${view} ${stringify(this.#normaliser(view).definitions[name])}`
    const first = this.#shared.firsts.get(key) ?? name
    this.#shared.firsts.set(key, first)
    this.#shared.equal.set(id, first)
    return first
  }

  /** @returns false if the value does not fit the schema; also true for a contract that `problems` refuses */
  accepts(schema: Json, value: unknown): boolean {
    const name = this.#values.define(schema, 'schema')
    if (this.#isRefused()) return true
    return this.#valueCompiler.validator(name)(value) === true
  }

  /** Checks the definitions that were added since the last call. */
  #isRefused(): boolean {
    const added = Object.values(this.#values.definitions).slice(this.#checked)
    this.#checked += added.length
    this.#malformedValues ||= added.some((schema) => malformedIn(schema).length > 0)
    return this.#malformedValues || hasErrors(this.#values.problems)
  }

  get problems(): ContractProblem[] {
    return [...this.#shared.views.values()].flatMap((normaliser) => [
      ...normaliser.problems,
      ...Object.values(normaliser.definitions).flatMap((schema) => this.#malformed(normaliser, schema))
    ])
  }

  /**
   * Returns the modules of the generated code by name: an index, and one per view. No validator is added afterwards, here
   * or to what shares the definitions.
   * @param baseFile module of the validators whose definitions these share: what it has is imported
   */
  modules(baseFile = ''): Map<string, string> {
    const views = [...this.#exports.keys()]
    const modules = new Map(views.map((view) => [`./${view}`, this.#write(view, baseFile).code]))
    return modules.set('index', `${views.map((view) => `export * from "./${view}"`).join('\n')}\n`)
  }

  #write(view: View, baseFile: string): Written {
    const known = this.#written.get(view)
    if (known !== undefined) return known
    const names = this.#base === undefined ? new Set<string>() : this.#base.#write(view, '').names
    const exported = [...(this.#exports.get(view) ?? [])]
    const result = this.#compiler(view).code(exported, { names, file: baseFile })
    this.#written.set(view, result)
    return result
  }

  /** @returns the validators by the names of their exports, each compiled by its first call */
  functions(): Record<string, Validator> {
    const found: Record<string, Validator> = {}
    for (const [view, exports] of this.#exports) {
      const compiler = this.#compiler(view)
      for (const name of exports) found[`${view}_${name}`] = compiler.later(name)
    }
    return found
  }

  #newNormaliser(view: View): SchemaNormaliser {
    const isReceived = (view === 'response') !== (this.#requests === 'received')
    const flag: Flag = hidden[isReceived ? 'received' : 'sent']
    return new SchemaNormaliser(this.#contract, view, flag, this.#shared.patterns)
  }

  #normaliser(view: View): SchemaNormaliser {
    let normaliser = this.#shared.views.get(view)
    if (normaliser === undefined) {
      normaliser = this.#newNormaliser(view)
      this.#shared.views.set(view, normaliser)
    }
    return normaliser
  }

  #compiler(view: View): DefinitionCompiler {
    const { definitions } = this.#normaliser(view)
    const formats = this.#contract.formats?.formats
    const [memoised, tracked] = [memoisedNames(definitions), trackedNames(definitions)]
    return new DefinitionCompiler(definitions, { prefix: view, memoised, tracked, formats })
  }

  #malformed(normaliser: SchemaNormaliser, schema: Schema): ContractProblem[] {
    return malformedIn(schema).map(({ path, message }) => {
      let node: Json | undefined = schema
      let place: Json | undefined
      for (const key of path) {
        place = normaliser.origin(node) ?? place
        node = Reflect.get(Object(node), key) as Json
      }
      const key = String(path.at(-1))
      const known = own(objectOf(place), key) === undefined ? undefined : key
      return this.#contract.locator.problem('error', message, place, known)
    })
  }
}
