/**
 * Implements `$ref` without Ajv's own resolution, which compiles the target while it compiles the schema with the
 * reference: a chain of references would overflow the stack. The validator of a target is called by name and compiled
 * later.
 */
import type { AnySchema, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { type Code, nil, stringify } from 'ajv/dist/compile/codegen/index.js'
import { inlineRef } from 'ajv/dist/compile/resolve.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'

export interface Target {
  readonly schema: AnySchema
  /** Validator to call while the contract is compiled. */
  readonly ref: unknown
  /** Expression by which generated code calls the validator. */
  readonly code: Code
}

/** Most keywords of a schema without references that is validated inline. */
const maxInlined = 16

/** @param targetOf returns the target of `#/$defs/NAME` */
export function referenceKeyword(targetOf: (name: string) => Target): CodeKeywordDefinition {
  return {
    keyword: '$ref',
    schemaType: 'string',
    before: 'not',
    code(cxt) {
      const name = String(cxt.schema).slice('#/$defs/'.length)
      const { schema, ref, code } = targetOf(name)
      if (inlineRef(schema, maxInlined)) inline(cxt, schema)
      else callRef(cxt, cxt.gen.scopeValue('wrapper', { key: name, ref, code }))
    }
  }
}

/** Validates the target inline, as Ajv's own `$ref` does. */
function inline(cxt: KeywordCxt, schema: AnySchema): void {
  const topSchemaRef = cxt.gen.scopeValue('schema', { ref: schema, code: stringify(schema) })
  const valid = cxt.gen.name('valid')
  const subschema = {
    schema,
    dataTypes: [],
    schemaPath: nil,
    topSchemaRef,
    errSchemaPath: String(cxt.schema)
  }
  cxt.mergeEvaluated(cxt.subschema(subschema, valid))
  cxt.ok(valid)
}
