/** Compiles each definition of a view by Ajv once and on its own, however many references lead to it. */

import type { Validator } from '@contract-first/engine/model'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { _, Name, nil, ValueScope } from 'ajv/dist/compile/codegen/index.js'
import { type SchemaCxt, SchemaEnv } from 'ajv/dist/compile/index.js'
import names from 'ajv/dist/compile/names.js'
import { validateFunctionCode } from 'ajv/dist/compile/validate/index.js'
import { type Json, stringify } from '../../document/json-value.ts'
import { formatKeyword } from './formats.ts'
import type { Schema } from './keywords.ts'
import { referencesIn } from './memoised-names.ts'
import { type Part, partOf, parts } from './module-part.ts'
import { formatsSource, nameInCode, type OwnFormats } from './own-formats.ts'
import { definitionOf, inlinedSchema, isVerdict, referenceKeyword, schemaValue } from './reference-keyword.ts'
import { ValidatorCode } from './validator-code.ts'
import { createAjv, type InstanceOptions } from './vocabulary.ts'

const { data, parentData, parentDataProperty, scope } = names.default

interface CompilerOptions extends InstanceOptions {
  /** Prefix of the names of functions in the generated code. */
  readonly prefix: string
  /** Names of the definitions whose generated code caches its verdicts. */
  readonly memoised: ReadonlySet<string>
  /** Formats of the project's own. */
  readonly formats?: OwnFormats | undefined
}

/** Validators of another file. */
interface Elsewhere {
  readonly names: ReadonlySet<string>
  readonly file: string
}

const nowhere: Elsewhere = { names: new Set(), file: '' }

/** Code of a validator. */
interface Written {
  readonly code: string
  readonly gen: ValidatorCode
  /** Evaluated members, which `unevaluatedProperties` and `unevaluatedItems` of callers read. */
  readonly evaluated?: object
}

interface Compiled extends Validator {
  evaluated?: object | undefined
}

export class DefinitionCompiler {
  readonly #definitions: Readonly<Record<string, Schema>>
  readonly #prefix: string
  readonly #memoised: ReadonlySet<string>
  readonly #ajv: Ajv2020
  /** Text of the options. */
  readonly #options: string
  readonly #compiled = new Map<string, Compiled>()

  constructor(definitions: Readonly<Record<string, Schema>>, options: CompilerOptions) {
    this.#definitions = definitions
    this.#prefix = options.prefix
    this.#memoised = options.memoised
    this.#ajv = createAjv(options)
    const { prefix, allErrors, unevaluated, formats = new Map() } = options
    this.#options = stringify([prefix, allErrors, unevaluated, formatsSource(formats, nameInCode)])
    const targetOf = (name: string) => ({
      schema: this.#schema(name),
      ref: this.later(name),
      name: this.#nameOf(name)
    })
    this.#ajv.removeKeyword('$ref').addKeyword(referenceKeyword(targetOf))
    this.#ajv.removeKeyword('format').addKeyword(formatKeyword(options.formats))
  }

  #schema(name: string): Schema {
    return this.#definitions[definitionOf(name)] as Schema
  }

  #nameOf(name: string): string {
    return `${this.#prefix}_${name}`
  }

  /** @returns the validator of a definition, for use while the contract is compiled; it caches its verdicts */
  validator(name: string): Compiled {
    const validate = this.#compiled.get(name) ?? this.#compile(name)
    this.#compiled.set(name, validate)
    return validate
  }

  #compile(name: string): Compiled {
    const { code, gen, evaluated } = this.#write(name, true)
    const body = `"use strict";${gen.scopeRefs(scope)}return ${code}`
    return Object.assign(new Function(scope.str, body)(gen._extScope.get()), { evaluated })
  }

  /** @returns a validator that its first call compiles, such as the target of a reference */
  later(name: string): Validator {
    const compiled = () => this.validator(name)
    const reference: Compiled = function (this: unknown, ...sent: Parameters<Validator>) {
      const validate = compiled()
      const isValid = validate.apply(this, sent)
      Object.assign(reference, { errors: validate.errors, evaluated: validate.evaluated })
      return isValid
    }
    return reference
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
    const wanted = new Set(exported)
    const declarations = new Map<string, string>()
    const written: string[] = []
    // A set visits members that are added during its iteration.
    for (const name of wanted) {
      if (there.names.has(name)) continue
      const part = parts.get(this.#source(name), () => this.#part(name))
      for (const [declared, text] of part.declarations) declarations.set(declared, text)
      for (const called of part.called) wanted.add(called)
      written.push(part.code)
    }
    const names = [...wanted.intersection(there.names)].map((name) => this.#nameOf(name)).join()
    const imports =
      names === '' ? '' : `import { ${names} } from ${JSON.stringify(there.file)}\nexport { ${names} }\n`
    return { code: [imports, ...declarations.values(), ...written].join(''), names: wanted }
  }

  /** Returns all that the code of a validator depends on: its schema, and those that are written in place of references. */
  #source(name: string): string {
    const schema = this.#schema(name)
    const inlined = [...referencesIn(schema as Json)].map((target) => inlinedSchema(this.#schema(target)))
    return stringify([name, this.#isMemoised(name), this.#options, schema as Json, ...(inlined as Json[])])
  }

  #part(name: string): Part {
    const { code, gen, evaluated } = this.#write(name, this.#isMemoised(name))
    const properties =
      evaluated === undefined ? '' : `${this.#nameOf(name)}.evaluated = ${JSON.stringify(evaluated)}\n`
    return partOf(`export ${code}\n${properties}`, gen._values)
  }

  #isMemoised = (name: string): boolean => this.#memoised.has(definitionOf(name))

  /** Writes a validator as Ajv does, whose own function for that offers no other class of code. */
  #write(name: string, isMemoised: boolean): Written {
    const { opts } = this.#ajv
    const validator = new Name(this.#nameOf(name))
    const gen = new ValidatorCode(new ValueScope({ scope: {} }), {
      validator,
      isMemoised,
      isVerdict: isVerdict(name)
    })
    const context = this.#context(name, gen)
    validateFunctionCode(context)
    gen.optimize(Number(opts.code.optimize))
    const code = gen.toString()
    if (opts.unevaluated !== true) return { code, gen }
    const [dynamicProps, dynamicItems] = [context.props instanceof Name, context.items instanceof Name]
    const [props, items] = [
      dynamicProps ? undefined : context.props,
      dynamicItems ? undefined : context.items
    ]
    return { code, gen, evaluated: { props, items, dynamicProps, dynamicItems } }
  }

  #context(name: string, gen: ValidatorCode): SchemaCxt {
    const schema = this.#schema(name)
    return {
      gen,
      allErrors: this.#ajv.opts.allErrors === true && !isVerdict(name),
      createErrors: !isVerdict(name),
      data,
      parentData,
      parentDataProperty,
      dataNames: [data],
      dataPathArr: [nil],
      dataLevel: 0,
      dataTypes: [],
      definedProperties: new Set(),
      topSchemaRef: schemaValue(gen, schema),
      validateName: new Name(this.#nameOf(name)),
      schema,
      schemaEnv: new SchemaEnv({ schema }),
      rootId: '',
      baseId: '',
      schemaPath: nil,
      errSchemaPath: '#',
      errorPath: _`""`,
      opts: this.#ajv.opts,
      self: this.#ajv
    }
  }
}
