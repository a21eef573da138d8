/**
 * Implements `$ref` without Ajv's own resolution, which compiles the target while it compiles the schema with the
 * reference: a chain of references would overflow the stack. The validator of a target is called by name and compiled
 * later.
 */
import type { AnySchema, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { _Code } from 'ajv/dist/compile/codegen/code.js'
import {
  _,
  type Code,
  type CodeGen,
  type Name,
  nil,
  strConcat,
  ValueScopeName
} from 'ajv/dist/compile/codegen/index.js'
import names from 'ajv/dist/compile/names.js'
import { inlineRef } from 'ajv/dist/compile/resolve.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { stringify } from '../../document/json-value.ts'
import { imported } from './runtime-imports.ts'
import { maxErrors } from './validator-code.ts'

const { errors, instancePath, parentData, parentDataProperty, rootData, vErrors } = names.default

interface Target {
  readonly schema: AnySchema
  /** Validator to call while the contract is compiled. */
  readonly ref: unknown
  /** Name by which code calls the validator. */
  readonly name: string
}

/**
 * Ends the name of the form of a validator that stops at the first error and describes none. Schemas under `oneOf`,
 * `anyOf`, `not` and `if` call it, because their errors are not reported. No name of a definition has this sign.
 */
const verdict = '$verdict'

export const isVerdict = (name: string): boolean => name.endsWith(verdict)

/** Returns the name of the definition of a validator. */
export const definitionOf = (name: string): string =>
  isVerdict(name) ? name.slice(0, -verdict.length) : name

/** Most keywords of a schema without references that is validated inline. */
const maxInlined = 16

/** Returns a schema that stands in place of references to it; undefined for one whose validator is called. */
export const inlinedSchema = (schema: AnySchema): AnySchema | undefined =>
  inlineRef(schema, maxInlined) ? schema : undefined

/** @param targetOf returns the target of `#/$defs/NAME` */
export function referenceKeyword(targetOf: (name: string) => Target): CodeKeywordDefinition {
  return {
    keyword: '$ref',
    schemaType: 'string',
    before: 'not',
    code(cxt) {
      const { createErrors, opts } = cxt.it
      const definition = String(cxt.schema).slice('#/$defs/'.length)
      const key = createErrors === false && opts.allErrors === true ? `${definition}${verdict}` : definition
      const { schema, ref, name } = targetOf(key)
      if (inlinedSchema(schema) !== undefined) inline(cxt, schema)
      else call(cxt, cxt.gen.scopeValue(new ValueScopeName('wrapper', name), { key, ref }), isVerdict(key))
    }
  }
}

/** Passes a schema. Its text is written only where code reads it, which is seldom. */
export const schemaValue = (gen: CodeGen, schema: AnySchema): Name =>
  gen.scopeValue('schema', {
    ref: schema,
    get code() {
      return new _Code(stringify(schema))
    }
  })

/** Validates the target inline, as Ajv's own `$ref` does. */
function inline(cxt: KeywordCxt, schema: AnySchema): void {
  const valid = cxt.gen.name('valid')
  const subschema = {
    schema,
    dataTypes: [],
    schemaPath: nil,
    topSchemaRef: schemaValue(cxt.gen, schema),
    errSchemaPath: String(cxt.schema)
  }
  cxt.mergeEvaluated(cxt.subschema(subschema, valid))
  cxt.ok(valid)
}

/** Calls the validator of the target as Ajv does, except that errors are joined up to their limit. */
function call(cxt: KeywordCxt, validate: Name, isBranch: boolean): void {
  const { gen } = cxt
  const result = cxt.result.bind(cxt)
  const join = () => {
    const joinErrors = imported(gen, 'func', 'joinErrors')
    gen.assign(vErrors, _`${joinErrors}(${vErrors}, ${validate}.errors, ${maxErrors})`)
    gen.code(_`${errors} += ${validate}.errors.length`)
  }
  cxt.result = (_condition, succeed) =>
    result(callCode(cxt, validate, isBranch), succeed, isBranch ? undefined : join)
  callRef(cxt, validate)
}

/** Passes a bounded path, because a client chooses the names in it and the depth; in a branch, no error needs it. */
function callCode({ gen, data, it }: KeywordCxt, validate: Name, isBranch: boolean): Code {
  const path = strConcat(instancePath, it.errorPath)
  const bounded = it.errorPath.emptyStr() ? path : _`${imported(gen, 'func', 'boundedPath')}(${path})`
  const context = gen.object(
    ...(isBranch ? [] : [[instancePath, bounded] as [Name, Code]]),
    [parentData, it.parentData],
    [parentDataProperty, it.parentDataProperty],
    [rootData, rootData]
  )
  return _`${validate}.call(this, ${data}, ${context})`
}
