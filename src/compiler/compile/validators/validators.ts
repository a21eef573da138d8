/** Compiles validators ahead of time: one function for each schema (JSON Schema draft 2020-12), one module per view. */
import { type ContractProblem, contractProblem, reaches, type Schema } from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import type { Validator } from '@contract-first/engine/model'
import { DefinitionCompiler } from './definition-compiler.ts'
import { type Definition, Definitions } from './definitions.ts'
import { PatternChecks } from './patterns.ts'
import { Reading, type View } from './reading.ts'
import { memoisedNames, trackedNames } from './schema-graph.ts'
import { schemaProblems } from './schema-problems.ts'

/** Code of a view, and the names of the validators in it. */
type Written = ReturnType<DefinitionCompiler['code']>

/** State that validators of one contract share. */
class Shared {
  readonly views = new Map<View, Definitions>()
  /** Name of the first definition by the number of its schema, for each view. */
  readonly firsts = new Map<string, string>()
  readonly patterns: PatternChecks

  constructor(patterns: PatternChecks) {
    this.patterns = patterns
  }
}

/** Values of the contract are few, and each is judged by definitions that are not yet known. */
const everyName = { has: () => true }

/** Flags of the properties that are hidden in what the service receives and in what it sends. */
const hidden = { received: 'readOnly', sent: 'writeOnly' } as const

/** The methods take schemas of the model, or JSON that is made of nodes of the document and references to them. */
export class Validators {
  readonly #contract: LoadedContract
  readonly #requests: keyof typeof hidden
  readonly #base: Validators | undefined
  readonly #shared: Shared
  /** Names of the exported definitions, by view. */
  readonly #exports = new Map<View, Set<string>>()
  readonly #values: Definitions
  readonly #valueCompiler: DefinitionCompiler
  readonly #written = new Map<View, Written>()

  /**
   * @param base validators whose definitions these share
   * @param requests what requests are to the service: it receives those of paths, and sends webhooks and callbacks
   */
  constructor(
    contract: LoadedContract,
    base?: Validators,
    requests: keyof typeof hidden = 'received',
    patterns = new PatternChecks()
  ) {
    this.#contract = contract
    this.#requests = requests
    this.#base = base
    this.#shared = base === undefined ? new Shared(patterns) : base.#shared
    this.#values = this.#newDefinitions('request')
    const options = { prefix: 'value', memoised: everyName, tracked: everyName }
    this.#valueCompiler = new DefinitionCompiler(this.#values, options)
  }

  /** @returns the name under which the generated module exports the validator of the schema */
  add(view: View, schema: Schema, label: string): string {
    const name = this.#firstEqual(view, this.#definitions(view).define(schema, label))
    const exports = this.#exports.get(view) ?? new Set()
    this.#exports.set(view, exports.add(name))
    return `${view}_${name}`
  }

  /** @returns true if a schema, or that to which it refers, has a definition in a view */
  has(view: View, schema: Schema): boolean {
    return this.#shared.views.get(view)?.has(schema.ref ?? schema) === true
  }

  /** @returns the exports that refer to a malformed schema, themselves included */
  refused(): ReadonlySet<string> {
    const refused = [...this.#shared.views].flatMap(([view, { all }]) =>
      [...all].flatMap(([name, { schema }]) => (reaches(schema, isMalformed) ? [`${view}_${name}`] : []))
    )
    return new Set(refused)
  }

  /** Makes one validator of a schema that several requests may share as a part. */
  share(schema: Schema, label: string): void {
    this.#definitions('request').share(schema, label)
  }

  /**
   * @param schema object of groups, each an object of parameters by name
   * @param whole group that is one parameter itself
   */
  addParameters(schema: Schema, label: string, whole: Schema | undefined): string {
    const { hidden } = this.#definitions('request').reading
    hidden.exempt(schema)
    for (const group of schema.properties?.values() ?? []) if (group !== whole) hidden.exempt(group)
    return this.add('request', schema, label)
  }

  /** Returns the first equal definition: equal schemas, such as those of most headers, share one validator. */
  #firstEqual(view: View, name: string): string {
    const definitions = this.#definitions(view)
    const { schema } = definitions.all.get(name) as Definition
    const key = `${view} ${definitions.reading.numberOf(schema)}`
    const first = this.#shared.firsts.get(key) ?? name
    this.#shared.firsts.set(key, first)
    return first
  }

  /** @returns false if the value does not fit the schema */
  accepts(schema: Schema, value: unknown): boolean {
    const name = this.#values.define(schema, 'schema')
    return this.#valueCompiler.validator(name)(value) === true
  }

  get problems(): ContractProblem[] {
    const { patterns, views } = this.#shared
    const formats = this.#contract.formats?.formats
    return [...views].flatMap(([view, { schemas }]) =>
      [...schemas].flatMap((schema) =>
        schemaProblems(schema, { view, patterns, formats }).map(contractProblem)
      )
    )
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

  #newDefinitions(view: View): Definitions {
    const isReceived = (view === 'response') !== (this.#requests === 'received')
    const flag = hidden[isReceived ? 'received' : 'sent']
    return new Definitions(new Reading(view, flag, this.#contract.formats?.formats))
  }

  #definitions(view: View): Definitions {
    const definitions = this.#shared.views.get(view) ?? this.#newDefinitions(view)
    this.#shared.views.set(view, definitions)
    return definitions
  }

  #compiler(view: View): DefinitionCompiler {
    const definitions = this.#definitions(view)
    const { references } = definitions
    const [memoised, tracked] = [memoisedNames(references), trackedNames(references)]
    return new DefinitionCompiler(definitions, { prefix: view, memoised, tracked })
  }
}

const isMalformed = ({ broken }: Schema): boolean => broken !== undefined
