/**
 * `$ref` without Ajv's own resolution, which compiles the target within the compilation of what refers to it: a chain of
 * references would overflow the stack. The validator of a target is called by name and compiled later.
 */
import type { AnySchema, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { type Code, nil, stringify } from 'ajv/dist/compile/codegen/index.js'
import { inlineRef } from 'ajv/dist/compile/resolve.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'

export interface Target {
  readonly schema: AnySchema
  /** The validator, for validation while the contract is compiled. */
  readonly ref: unknown
  /** What generated code calls. */
  readonly code: Code
}

/** Schemas of at most this many keywords, without references, are validated where they are referred to. */
const maxInlined = 16

/** @param targetOf returns what `#/$defs/NAME` refers to */
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

/** As Ajv's own `$ref` does. */
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
