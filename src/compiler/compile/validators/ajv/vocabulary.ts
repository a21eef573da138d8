/**
 * Keywords that Ajv does not have or reads differently. They replace Ajv's numeric keywords, which know only doubles, and
 * implement those of the normaliser: `numericType`, `int32`, `int64`, `readOnly`, `writeOnly`, `binary`. All are code keywords,
 * because Ajv's standalone code can hold no others.
 */

import { pattern } from '@contract-first/engine/runtime/validators'
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, type Name, operators, str, stringify } from 'ajv/dist/compile/codegen/index.js'
import anyOf from 'ajv/dist/vocabularies/applicator/anyOf.js'
import oneOf from 'ajv/dist/vocabularies/applicator/oneOf.js'
import { usePattern } from 'ajv/dist/vocabularies/code.js'
import type { Json } from '../../document/json-value.ts'
import { imported } from './runtime-imports.ts'
import { numberKeywords } from './vocabulary-numbers.ts'
import { typeError, typeKeywords } from './vocabulary-types.ts'

export interface InstanceOptions {
  /** True to collect every error of a value, not only the first one. */
  readonly allErrors: boolean
  /** True to track evaluated properties and items, which slows down every validator. */
  readonly unevaluated: boolean
}

export function createAjv({ allErrors, unevaluated }: InstanceOptions): Ajv2020 {
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

/** Replaces and adds keywords. The instance can then only compile schemas that normalise.ts has normalised. */
function addVocabulary(ajv: Ajv): void {
  for (const definition of definitions) {
    const names = [definition.keyword].flat()
    for (const name of names) ajv.removeKeyword(name)
    ajv.addKeyword(definition)
  }
  failEarly(ajv.getKeyword('properties') as CodeKeywordDefinition)
  loopNames(ajv.getKeyword('required') as CodeKeywordDefinition)
  for (const keyword of ['additionalProperties', 'patternProperties', 'unevaluatedProperties'])
    boundNames(ajv.getKeyword(keyword) as CodeKeywordDefinition)
}

/** Checks those properties first by which branches differ: most branches then fail early. */
function failEarly(definition: CodeKeywordDefinition): void {
  const { code } = definition
  const rank = (schema: Json) => Number(!['const', 'enum'].some((key) => Object.hasOwn(Object(schema), key)))
  definition.code = (cxt) => {
    const members = Object.entries<Json>(cxt.schema)
    if (cxt.it.createErrors === false) members.sort(([, a], [, b]) => rank(a) - rank(b))
    cxt.schema = Object.fromEntries(members)
    code(cxt)
  }
}

/** Bounds the names in the paths of errors, because a client chooses them. Ajv writes them in full. */
function boundNames(definition: CodeKeywordDefinition): void {
  const { code } = definition
  definition.code = (cxt) => {
    const { gen, it, data, subschema } = cxt
    cxt.subschema = ({ dataProp, ...application }, valid) => {
      const name = dataProp as Name
      const errorPath = str`${it.errorPath}/${_`${imported(gen, 'func', 'pointerSegment')}(${name})`}`
      const member = { it: { ...it, errorPath, parentDataProperty: name } } as KeywordCxt
      return subschema.call(member, { ...application, data: _`${data}[${name}]` }, valid)
    }
    code(cxt)
  }
}

const hidden: CodeKeywordDefinition = {
  keyword: ['readOnly', 'writeOnly'],
  schemaType: 'boolean',
  error: { message: '', params: () => _`{}` },
  code: (cxt) => cxt.fail(_`true`)
}

/** Accepts the bytes of a multipart part as well as a text. */
const binary: CodeKeywordDefinition = {
  keyword: 'binary',
  schemaType: 'boolean',
  error: typeError('string'),
  code: (cxt) => cxt.fail(_`typeof ${cxt.data} != "string" && ${lengthOfBytes(cxt)} === undefined`)
}

const lengthOfBytes = ({ gen, data }: KeywordCxt) => _`${imported(gen, 'func', 'byteLength')}(${data})`

const byteLimits = { minBytes: operators.LT, maxBytes: operators.GT }

/** `minLength` and `maxLength` of bytes count bytes (OpenAPI 3.1.0, section 4.8.14.2). */
const byteLength: CodeKeywordDefinition = {
  keyword: Object.keys(byteLimits),
  schemaType: 'number',
  error: { message: '', params: ({ schema }) => _`{limit: ${Number(schema)}}` },
  code(cxt) {
    const broken = byteLimits[cxt.keyword as keyof typeof byteLimits]
    // Of a text, the length is undefined.
    cxt.fail(_`${lengthOfBytes(cxt)} ${broken} ${Number(cxt.schema)}`)
  }
}

/** Options that stop at the first error and create none, as `if` and `not` do. */
const withoutErrors = { createErrors: false, allErrors: false } as const

/** Tests for a length in characters (JSON Schema Validation, section 6.3), of which each is one or two code units. */
const lengthTests = {
  maxLength: ({ gen, data }: KeywordCxt, limit: number) =>
    _`${data}.length > ${limit} && ${imported(gen, 'func', 'lengthOf')}(${data}) > ${limit}`,
  minLength: ({ gen, data }: KeywordCxt, limit: number) =>
    _`${data}.length < ${2 * limit} && ${imported(gen, 'func', 'lengthOf')}(${data}) < ${limit}`
}

const textLength: CodeKeywordDefinition = {
  keyword: Object.keys(lengthTests),
  type: 'string',
  schemaType: 'number',
  error: { message: '', params: ({ schema }) => _`{limit: ${Number(schema)}}` },
  code: (cxt) => cxt.fail(lengthTests[cxt.keyword as keyof typeof lengthTests](cxt, Number(cxt.schema)))
}

/** Skips a pattern on a text that is longer than allowed: its time may grow with the square of the length. */
const boundedPattern: CodeKeywordDefinition = {
  keyword: 'pattern',
  type: 'string',
  schemaType: 'string',
  error: { message: '', params: ({ schemaCode }) => _`{pattern: ${schemaCode}}` },
  code(cxt) {
    const limit: unknown = cxt.parentSchema['maxLength']
    const fails = _`!${usePattern(cxt, cxt.schema)}.test(${cxt.data})`
    cxt.fail(limit === undefined ? fails : _`!(${lengthTests.maxLength(cxt, Number(limit))}) && ${fails}`)
  }
}

/** Reports a union that fails as one error, without the errors of its branches. */
function union(definition: CodeKeywordDefinition): CodeKeywordDefinition {
  return {
    ...definition,
    code(cxt) {
      const [result, subschema] = [cxt.result.bind(cxt), cxt.subschema.bind(cxt)]
      cxt.subschema = (application, valid) => subschema({ ...application, ...withoutErrors }, valid)
      cxt.result = (condition, succeed, fail) =>
        result(condition, succeed, () => {
          cxt.reset()
          fail?.()
        })
      definition.code(cxt)
    }
  }
}

/** Most names of `required` that are checked one after the other; the code of more would be longer than their loop. */
const maxInlineNames = 8

/** Checks a long list of required names in a loop, which is much less code. */
function loopNames(definition: CodeKeywordDefinition): void {
  const { code: inline } = definition
  definition.code = (cxt) => {
    const { gen, data, it } = cxt
    const names: readonly string[] = cxt.schema
    if (names.length <= maxInlineNames) return inline(cxt)
    const code = stringify(names)
    const list = gen.scopeValue('obj', { ref: names, key: String(code), code })
    const missing = gen.const('missing', _`${imported(gen, 'func', 'missingNames')}(${data}, ${list})`)
    if (it.allErrors !== true) return cxt.fail(_`${missing}.length > 0`)
    gen.forOf('name', missing, (missingProperty) => {
      cxt.setParams({ missingProperty })
      cxt.error()
    })
  }
}

const definitions: readonly CodeKeywordDefinition[] = [
  ...numberKeywords,
  ...typeKeywords,
  hidden,
  binary,
  byteLength,
  textLength,
  boundedPattern,
  union(anyOf.default as CodeKeywordDefinition),
  union(oneOf.default as CodeKeywordDefinition)
]

/** Compiles patterns as the run time does. Ajv asks for code as well, in whose place a literal is written. */
const patternEngine = Object.assign((source: string) => pattern(source), { code: 'new RegExp' })
