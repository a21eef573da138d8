/**
 * Compiles validators ahead of time: one function for each schema (JSON Schema draft 2020-12), one module per view. The
 * definitions of a view become a module, or functions in memory when a validator is first called.
 */
import { fileURLToPath } from 'node:url'
import {
  type ContractProblem,
  contractProblem,
  type OwnFormat,
  reaches,
  type Schema
} from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import type { Validator } from '@contract-first/engine/model'
import * as formatChecks from '@contract-first/engine/runtime/formats'
import * as runtime from '@contract-first/engine/runtime/validators'
import { formatsFile, nameInCode } from '../../source/own-formats.ts'
import { type Definition, Definitions, memoisedNames, trackedNames } from './definitions.ts'
import { Reading, type View } from './reading.ts'
import { PatternChecks, schemaProblems } from './schema-problems.ts'
import { ValidatorWriter, type WriterOptions } from './validator-writer.ts'

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

/** Validators of another file. */
interface Elsewhere {
  readonly names: ReadonlySet<string>
  readonly file: string
}

const nowhere: Elsewhere = { names: new Set(), file: '' }

const files = {
  $: fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/validators')),
  f: fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/formats'))
}

export class DefinitionCompiler {
  readonly #definitions: Definitions
  readonly #options: WriterOptions
  /** Writer of the code in memory, and what that code has declared. */
  readonly #writer: ValidatorWriter
  readonly #scope: Map<string, unknown>
  readonly #validators = new Map<string, Validator>()

  /** @param definitions further ones may be added before they are compiled */
  constructor(definitions: Definitions, options: WriterOptions) {
    this.#definitions = definitions
    this.#options = options
    this.#writer = new ValidatorWriter(definitions, options)
    const own = [...definitions.reading.formats.values()].map(
      (format) => [nameInCode(format), format.format] as const
    )
    this.#scope = new Map<string, unknown>([['$', runtime], ['f', formatChecks], ...own])
  }

  /** @returns a validator that its first call compiles, with those that it calls */
  later(name: string): Validator {
    const compiled = () => this.validator(name)
    const validator: Validator & { errors?: Validator['errors'] } = function (this: unknown, ...sent) {
      const validate = compiled()
      const isValid = validate.apply(this, sent)
      validator.errors = validate.errors ?? null
      return isValid
    }
    return validator
  }

  /** @returns the validator of a definition, for use while the contract is compiled */
  validator(name: string): Validator {
    const validate = this.#validators.get(name) ?? runtime.validator(this.#compile(name))
    this.#validators.set(name, validate)
    return validate
  }

  #compile(name: string): runtime.Check {
    const known = this.#scope.get(this.#writer.functionName(name))
    if (known !== undefined) return known as runtime.Check
    const isKnown = (called: string) => this.#scope.has(this.#writer.functionName(called))
    const { code } = this.#write(this.#writer, new Set([name]), isKnown)
    const words = new Set(code.match(/[\w$]+/g))
    const declared = [...code.matchAll(/^(?:const|function) ([\w$]+)/gm)].map(([, word]) => String(word))
    const used = [...words].filter((word) => this.#scope.has(word))
    const made = new Function(...used, `"use strict";${code}return{${declared.join()}}`)
    const values: object = made(...used.map((word) => this.#scope.get(word)))
    for (const [word, value] of Object.entries(values)) this.#scope.set(word, value)
    return this.#compile(name)
  }

  /**
   * Writes a module of validators and of those that they call, and exports all of them.
   * @param exported names of definitions
   * @param there names of validators that another file exports, which the module imports
   */
  code(
    exported: readonly string[],
    there: Elsewhere = nowhere
  ): { code: string; names: ReadonlySet<string> } {
    const writer = new ValidatorWriter(this.#definitions, this.#options)
    const { code, names } = this.#write(writer, new Set(exported), (name) => there.names.has(name))
    const exportedName = (name: string) => `${this.#options.prefix}_${name}`
    const imported = [...names.intersection(there.names)]
    const lines = Object.entries(files).map(
      ([name, file]) => `import * as ${name} from ${JSON.stringify(file)}\n`
    )
    for (const format of writer.formats)
      lines.push(
        `import { ${nameInCode(this.#definitions.reading.formats.get(format) as OwnFormat)} } from ${JSON.stringify(formatsFile)}\n`
      )
    if (imported.length > 0) {
      const list = imported.map(exportedName).join()
      lines.push(`import { ${list} } from ${JSON.stringify(there.file)}\nexport { ${list} }\n`)
      lines.push(
        `const ${imported.map((name) => `${writer.functionName(name)}=${exportedName(name)}.check`).join()};\n`
      )
    }
    // Bundlers leave out validators that nothing calls.
    const exports = [...names.difference(there.names)].map(
      (name) =>
        `export const ${exportedName(name)}=/* @__PURE__ */$.validator(${writer.functionName(name)});\n`
    )
    return { code: [...lines, code, ...exports].join(''), names }
  }

  /** Writes definitions and those that they call, without recursion: a chain of references has any length. */
  #write(writer: ValidatorWriter, names: Set<string>, isKnown: (name: string) => boolean) {
    const written: string[] = []
    // A set visits members that are added during its iteration.
    for (const name of names) {
      if (isKnown(name)) continue
      const { code, called } = writer.definition(name)
      written.push(code)
      for (const each of called) names.add(each)
    }
    return { code: written.join(''), names: names as ReadonlySet<string> }
  }
}
