/**
 * Writes the code of one validator. Ajv's own code collects all errors, and copies the list at each reference: one
 * megabyte of invalid items would cost gigabytes or minutes. Here errors beyond a bound are only counted.
 */
import type { _Code } from 'ajv/dist/compile/codegen/code.js'
import {
  _,
  type Block,
  type Code,
  CodeGen,
  type Name,
  regexpCode,
  type SafeExpr,
  type ValueScope,
  ValueScopeName
} from 'ajv/dist/compile/codegen/index.js'
import type { NameValue } from 'ajv/dist/compile/codegen/scope.js'
import names from 'ajv/dist/compile/names.js'
import { digestOf } from '../../../source/memo.ts'
import { imported } from './runtime-imports.ts'

const { data, parentData, parentDataProperty, rootData, vErrors } = names.default

/**
 * Limit of errors: one more than a message lists, because the message says that there are more
 * (validation-problems.ts).
 */
export const maxErrors = 1001

interface Options {
  readonly validator: Name
  /** True to cache the verdicts of the validator. */
  readonly isMemoised: boolean
  /** True for a validator whose errors nobody reads. */
  readonly isVerdict: boolean
}

export class ValidatorCode extends CodeGen {
  readonly #validator: Name
  readonly #isMemoised: boolean
  readonly #isVerdict: boolean
  #schemas = 0
  #error: SafeExpr | undefined

  constructor(scope: ValueScope, { validator, isMemoised, isVerdict }: Options) {
    super(scope, { ownProperties: true })
    this.#validator = validator
    this.#isMemoised = isMemoised
    this.#isVerdict = isVerdict
  }

  /** Leaves out the place of a keyword in the schema, but below `contains`, whose errors are known by it. */
  override object(...members: [Name | string, SafeExpr | string][]): _Code {
    return super.object(
      ...members.filter(
        ([name, value]) => String(name) !== 'schemaPath' || String(value).includes('/contains/')
      )
    )
  }

  /** Keeps an error, which Ajv always names `err`, for the condition that follows and adds it to the list. */
  override const(name: Name | string, value: SafeExpr, isConstant?: boolean): Name {
    if (name !== 'err') return super.const(name, value, isConstant)
    this.#error = value
    return this.name(name)
  }

  override if(condition: Code | boolean, then?: Block, otherwise?: Block): CodeGen {
    const error = this.#error
    this.#error = undefined
    if (error === undefined) return super.if(condition, then, otherwise)
    // Errors of branches are empty, and are dropped: one is enough to tell that there are some.
    if (String(error) === '{}') return super.code(_`${vErrors} ??= [{}]`)
    return super.code(
      _`${vErrors} = ${imported(this, 'func', 'addError')}(${vErrors}, ${error}, ${maxErrors})`
    )
  }

  /** Cuts the list of errors, which may be shorter than their number. Only a cache reads that of a verdict. */
  override assign(target: Code, value: SafeExpr, hasEffects?: boolean): CodeGen {
    if (this.#isVerdict && !this.#isMemoised && target.str === `${this.#validator}.errors`) return this
    const isCut = target.str === `${vErrors}.length`
    const assignment = () => super.assign(target, value, hasEffects)
    return isCut ? super.if(_`${target} > ${value}`, assignment) : assignment()
  }

  /** Writes memoisation into the function, because a wrapper would halve the depth at which the stack overflows. */
  override func(name: Name, parameters?: Code, isAsync?: boolean, body?: Block): CodeGen {
    return super.func(name, parameters, isAsync, () => {
      if (this.#isMemoised) this.#recall()
      this.code(body as Block)
    })
  }

  #recall(): void {
    super.assign(rootData, _`${imported(this, 'func', 'runOf')}(${rootData})`)
    const known = super.const('known', this.#verdict('recall'))
    super.if(_`${known} !== undefined`, () => super.return(known))
  }

  override return(value: Block | SafeExpr): CodeGen {
    return super.return(this.#isMemoised ? this.#verdict('remember') : value)
  }

  #verdict(name: 'recall' | 'remember'): Code {
    const place = _`${parentData}, ${parentDataProperty}`
    return _`${imported(this, 'func', name)}(${rootData}, ${this.#validator}, ${data}, ${place})`
  }

  /**
   * Writes patterns as literals. A constant is named by its code or, like a schema, by its validator, so that no code
   * depends on that of other validators.
   */
  override scopeValue(name: ValueScopeName | string, value: NameValue): Name {
    const { ref } = value
    const written = ref instanceof RegExp ? { ...value, code: regexpCode(ref) } : value
    if (typeof name !== 'string') return super.scopeValue(name, written)
    if (name !== 'schema') {
      const own = constantName(name, written)
      return super.scopeValue(new ValueScopeName(name, own), { ...written, key: own })
    }
    return super.scopeValue(new ValueScopeName(name, `schema_${this.#validator}_${this.#schemas++}`), written)
  }
}

/** Returns the last name of a path, such as `Object.prototype.hasOwnProperty`, or a name made of the code. */
function constantName(prefix: string, { code }: NameValue): string {
  const [, last] = /^[\w.]+\.(\w+)$/.exec(String(code)) ?? []
  return last ?? `${prefix}_${digestOf(String(code)).slice(0, 10)}`
}
