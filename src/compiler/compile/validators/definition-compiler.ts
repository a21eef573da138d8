/** Compiles the definitions of a view: into a module, or in memory when a validator is first called. */
import { fileURLToPath } from 'node:url'
import type { OwnFormat } from '@contract-first/contract'
import type { Validator } from '@contract-first/engine/model'
import * as formatChecks from '@contract-first/engine/runtime/formats'
import * as runtime from '@contract-first/engine/runtime/validators'
import { formatsFile, nameInCode } from '../../source/own-formats.ts'
import type { Definitions } from './definitions.ts'
import { ValidatorWriter, type WriterOptions } from './validator-writer.ts'

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
