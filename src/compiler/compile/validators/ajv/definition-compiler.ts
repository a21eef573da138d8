/** Compiles each definition of a view by Ajv once and on its own, however many references lead to it. */

import type { Validator } from '@contract-first/engine/model'
import { recall, remember, runOf } from '@contract-first/engine/runtime/validators'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Name, type ScopeValueSets } from 'ajv/dist/compile/codegen/index.js'
import type { AnyValidateFunction } from 'ajv/dist/types/index.js'
import { addFormats } from './formats.ts'
import { referenceKeyword } from './reference-keyword.ts'
import type { Schema } from './view.ts'
import { addVocabulary, patternEngine } from './vocabulary.ts'

export interface CompilerOptions {
  /** Prefix of the names of functions in the generated code. */
  readonly prefix: string
  /** True to collect every error of a value, not only the first one. */
  readonly allErrors: boolean
  /** True to track evaluated properties and items, which slows down every validator. */
  readonly unevaluated: boolean
}

export class DefinitionCompiler {
  readonly #definitions: Readonly<Record<string, Schema>>
  readonly #prefix: string
  readonly #ajv: Ajv2020
  readonly #compiled = new Map<string, AnyValidateFunction>()

  constructor(definitions: Readonly<Record<string, Schema>>, options: CompilerOptions) {
    this.#definitions = definitions
    this.#prefix = options.prefix
    this.#ajv = createAjv(options)
    const targetOf = (name: string) => ({
      schema: this.#definitions[name] as Schema,
      ref: this.later(name),
      code: new Name(`${this.#prefix}_${name}`)
    })
    this.#ajv.removeKeyword('$ref').addKeyword(referenceKeyword(targetOf))
  }

  /** @returns the validator of a definition, for use while the contract is compiled */
  validator(name: string): AnyValidateFunction {
    const validate = this.#compiled.get(name) ?? this.#compile(name)
    this.#compiled.set(name, validate)
    return validate
  }

  #compile(name: string): AnyValidateFunction {
    const schema = this.#definitions[name] as Schema
    const validate = this.#ajv.compile(schema)
    if (typeof schema === 'object') this.#ajv.removeSchema(schema)
    return validate
  }

  /**
   * @returns a validator that its first call compiles, such as the target of a reference. It caches its verdicts, as
   * generated code does (memoised-code.ts)
   */
  later(name: string): Validator {
    const compiled = (): AnyValidateFunction => this.validator(name)
    const reference: Caching = function (this: unknown, data, context) {
      const rootData = runOf(context?.rootData)
      const place = [context?.parentData, context?.parentDataProperty] as const
      const known = recall(rootData, reference, data, ...place)
      if (known !== undefined) return known
      const validate = compiled()
      validate.call((this ?? everyNumberIsExact) as never, data, { ...context, rootData } as never)
      Object.assign(reference, { errors: validate.errors, evaluated: validate.evaluated })
      return remember(rootData, reference, data, ...place)
    }
    return reference
  }

  /**
   * Writes validators and those that they call. Ajv's own standalone code keeps all of them in one list of tokens,
   * which it copies at each export.
   * @param exported names of definitions
   */
  code(exported: readonly string[]): string {
    const used = {}
    const parts: string[] = []
    const wanted = new Set(exported)
    const count = wanted.size
    // A set visits members that are added during its iteration.
    for (const name of wanted) {
      const { validateName, validateCode, scopeValues, evaluated } = this.#compile(name).source as Source
      const keyword = parts.length < 2 * count ? 'export const' : 'const'
      parts.push(
        `${keyword} ${this.#prefix}_${name} = ${validateName};`,
        [
          this.#ajv.scope.scopeCode(constantsOf(validateCode, scopeValues), used),
          validateCode,
          ...(evaluated === undefined ? [] : [`${validateName}.evaluated = ${evaluated};`])
        ].join('\n')
      )
      for (const { value } of scopeValues['wrapper'] ?? []) wanted.add(String(value?.key))
    }
    return `${parts.join('\n')}\n`
  }
}

/** Empty table, passed as `this`: Ajv's functions are sloppy, so that undefined would become `globalThis`. */
const everyNumberIsExact: ReadonlyMap<unknown, unknown> = new Map()

interface Context {
  readonly rootData?: unknown
  readonly parentData?: unknown
  readonly parentDataProperty?: unknown
}

interface Caching extends Validator {
  (this: unknown, data: unknown, context?: Context): boolean
  evaluated?: object
}

type Source = NonNullable<AnyValidateFunction['source']>

/** Returns the constants without the text of the schema, which Ajv's code seldom reads. */
function constantsOf(code: string, { schema, ...others }: ScopeValueSets): ScopeValueSets {
  const read = [...(schema ?? [])].filter((name) => code.includes(String(name)))
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
    validateSchema: false,
    logger: false,
    code: { source: true, esm: true, lines: true, regExp: patternEngine }
  })
  // The constructor of Ajv2020 switches both on. Dynamic references are resolved before.
  Object.assign(ajv.opts, { unevaluated, dynamicRef: false })
  addFormats(ajv)
  addVocabulary(ajv)
  return ajv
}
