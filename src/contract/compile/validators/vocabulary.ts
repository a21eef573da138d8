/**
 * Keywords that Ajv does not have or reads differently. They replace Ajv's numeric keywords, which know only doubles, and
 * implement those of the normaliser: `int64`, `int64Type`, `exactInteger`, `readOnly`, `binary`. All are code keywords,
 * because Ajv's standalone code can hold no others.
 */
import type { Ajv, CodeKeywordDefinition } from 'ajv'
import { _, operators } from 'ajv/dist/compile/codegen/index.js'
import anyOf from 'ajv/dist/vocabularies/applicator/anyOf.js'
import oneOf from 'ajv/dist/vocabularies/applicator/oneOf.js'
import { pattern } from '../../runtime/validators.ts'
import { numberKeywords, typeError } from './vocabulary-numbers.ts'

/** Replaces and adds keywords. The instance is then only for schemas that normalise.ts has normalised. */
export function addVocabulary(ajv: Ajv): void {
  for (const definition of definitions) {
    const names = [definition.keyword].flat()
    for (const name of names) ajv.removeKeyword(name)
    ajv.addKeyword(definition)
  }
}

const readOnly: CodeKeywordDefinition = {
  keyword: 'readOnly',
  schemaType: 'boolean',
  error: { message: '', params: () => _`{}` },
  code: (cxt) => cxt.fail(_`true`)
}

/** Accepts the bytes of a multipart part as well as a text. */
const binary: CodeKeywordDefinition = {
  keyword: 'binary',
  schemaType: 'boolean',
  error: typeError('string'),
  code: (cxt) => cxt.fail(_`typeof ${cxt.data} != "string" && !(${cxt.data} instanceof Uint8Array)`)
}

const byteLimits = { minBytes: operators.LT, maxBytes: operators.GT }

/** `minLength` and `maxLength` of bytes count bytes (OpenAPI 3.1.0, section 4.8.14.2). */
const byteLength: CodeKeywordDefinition = {
  keyword: Object.keys(byteLimits),
  schemaType: 'number',
  error: { message: '', params: ({ schema }) => _`{limit: ${Number(schema)}}` },
  code(cxt) {
    const broken = byteLimits[cxt.keyword as keyof typeof byteLimits]
    cxt.fail(_`${cxt.data} instanceof Uint8Array && ${cxt.data}.length ${broken} ${Number(cxt.schema)}`)
  }
}

/** Reports a union that fails as one error, without the errors of its branches. */
function union(definition: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...definition,
    code(cxt) {
      const result = cxt.result.bind(cxt)
      cxt.result = (condition, succeed, fail) =>
        result(condition, succeed, () => {
          cxt.reset()
          fail?.()
        })
      definition.code(cxt)
    }
  }
}

const definitions: readonly CodeKeywordDefinition[] = [
  ...numberKeywords,
  readOnly,
  binary,
  byteLength,
  union(anyOf.default as CodeKeywordDefinition),
  union(oneOf.default as CodeKeywordDefinition)
]

/** Ajv compiles patterns as the run time does; its code, `new RegExp`, is replaced by a literal (module-code.ts). */
export const patternEngine = Object.assign((source: string) => pattern(source), { code: 'new RegExp' })
