/** Compiles each definition of a view by Ajv once and on its own, however many references lead to it. */

import type { Validator } from '@contract-first/engine/model'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, Name, nil, type ScopeValueSets, type ValueScopeName } from 'ajv/dist/compile/codegen/index.js'
import type { UsedScopeValues } from 'ajv/dist/compile/codegen/scope.js'
import { type SchemaCxt, SchemaEnv } from 'ajv/dist/compile/index.js'
import names from 'ajv/dist/compile/names.js'
import { validateFunctionCode } from 'ajv/dist/compile/validate/index.js'
import { formatKeyword } from './formats.ts'
import type { Schema } from './keywords.ts'
import type { OwnFormats } from './own-formats.ts'
import { definitionOf, isVerdict, referenceKeyword, schemaValue } from './reference-keyword.ts'
import { importOf } from './runtime-imports.ts'
import { ValidatorCode } from './validator-code.ts'
import { addVocabulary, patternEngine } from './vocabulary.ts'

const { data, parentData, parentDataProperty, scope } = names.default

interface CompilerOptions {
  /** Prefix of the names of functions in the generated code. */
  readonly prefix: string
  /** True to collect every error of a value, not only the first one. */
  readonly allErrors: boolean
  /** True to track evaluated properties and items, which slows down every validator. */
  readonly unevaluated: boolean
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
  readonly #compiled = new Map<string, Compiled>()

  constructor(definitions: Readonly<Record<string, Schema>>, options: CompilerOptions) {
    this.#definitions = definitions
    this.#prefix = options.prefix
    this.#memoised = options.memoised
    this.#ajv = createAjv(options)
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
    return Object.assign(new Function(scope.str, body)(this.#ajv.scope.get()), { evaluated })
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
    const used: UsedScopeValues = {}
    const wanted = new Set(exported)
    const parts: string[] = []
    // A set visits members that are added during its iteration.
    for (const name of wanted) {
      if (there.names.has(name)) continue
      const { code, gen, evaluated } = this.#write(name, this.#memoised.has(definitionOf(name)))
      parts.push(
        String(this.#ajv.scope.scopeCode(constantsOf(code, gen._values), used, importOf)),
        `export ${code}\n`,
        evaluated === undefined ? '' : `${this.#nameOf(name)}.evaluated = ${JSON.stringify(evaluated)}\n`
      )
      for (const { value } of gen._values['wrapper'] ?? []) wanted.add(String(value?.key))
    }
    const names = [...wanted.intersection(there.names)].map((name) => this.#nameOf(name)).join()
    if (names !== '')
      parts.unshift(`import { ${names} } from ${JSON.stringify(there.file)}\nexport { ${names} }\n`)
    return { code: parts.join(''), names: wanted }
  }

  /** Writes a validator as Ajv does, whose own function for that offers no other class of code. */
  #write(name: string, isMemoised: boolean): Written {
    const { opts, scope } = this.#ajv
    const gen = new ValidatorCode(scope, isMemoised, isVerdict(name))
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

/** Returns the constants without validators, and without the text of the schema, which Ajv's code seldom reads. */
function constantsOf(code: string, { schema, wrapper, ...others }: ScopeValueSets): ScopeValueSets {
  const names = new Set(code.match(/\w+/g))
  const read = [...(schema as Set<ValueScopeName>)].filter((name) => names.has(String(name)))
  return { ...others, schema: new Set(read) }
}

function createAjv({ allErrors, unevaluated }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors,
    messages: false,
    ownProperties: true,
    passContext: true,
    logger: false,
    code: { regExp: patternEngine }
  })
  // The constructor of Ajv2020 switches both on. Dynamic references are resolved before.
  Object.assign(ajv.opts, { unevaluated, dynamicRef: false })
  addVocabulary(ajv)
  return ajv
}
