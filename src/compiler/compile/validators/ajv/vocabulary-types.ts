/** Keywords for types of numbers: a number of a request is what its text says, a bigint of a handler is an integer. */
import type { CodeKeywordDefinition, KeywordCxt, KeywordErrorDefinition } from 'ajv'
import { _, type Code, stringify } from 'ajv/dist/compile/codegen/index.js'
import { call } from './vocabulary-numbers.ts'

export const typeError = (...types: readonly string[]): KeywordErrorDefinition => ({
  message: '',
  params: () => _`{type: ${stringify(types)}}`
})

/** Tests for types other than numbers. */
export const javascriptTypes = {
  string: (data: Code) => _`typeof ${data} == "string"`,
  boolean: (data: Code) => _`typeof ${data} == "boolean"`,
  null: (data: Code) => _`${data} === null`,
  array: (data: Code) => _`Array.isArray(${data})`,
  object: (data: Code) => _`typeof ${data} == "object" && ${data} !== null && !Array.isArray(${data})`
}

/** The quick test of a double, and the function for every other value, by the kind of number. */
const kinds = {
  // The range refuses a number beyond all doubles.
  int64: {
    quick: (data: Code) => _`(Number.isInteger(${data}) || Math.abs(${data}) === Infinity)`,
    whole: 'isInteger'
  },
  integer: { quick: (data: Code) => _`Number.isInteger(${data})`, whole: 'isPlainInteger' },
  number: { quick: (data: Code) => _`Number.isFinite(${data})`, whole: 'isNumber' }
} as const

/** The type of a number or bigint; the value of the keyword lists all types that are valid. */
const numericType: CodeKeywordDefinition = {
  keyword: 'numericType',
  schemaType: 'array',
  error: {
    message: '',
    params: ({ schema }) =>
      _`{type: ${stringify((schema as string[]).map((type) => (type === 'int64' ? 'integer' : type)))}}`
  },
  code(cxt) {
    const tests = (cxt.schema as (Kind | keyof typeof javascriptTypes)[]).map((type) =>
      isKind(type) ? numericTest(cxt, kinds[type]) : javascriptTypes[type](cxt.data)
    )
    cxt.fail(_`!(${tests.map((test) => _`(${test})`).reduce((a, b) => _`${a} || ${b}`)})`)
  }
}

/** A list of other types, checked as early as Ajv checks `type`. */
const types: CodeKeywordDefinition = { ...numericType, keyword: 'types', before: 'const' }

type Kind = keyof typeof kinds
const isKind = (type: string): type is Kind => Object.hasOwn(kinds, type)

const numericTest = (cxt: KeywordCxt, { quick, whole }: (typeof kinds)[Kind]): Code =>
  _`!this && typeof ${cxt.data} == "number" ? ${quick(cxt.data)} : ${call(cxt, whole)}`

/** The range of an int32 or int64 (OpenAPI format registry); most numbers are in that of every double. */
const ranges = { int32: 'isInt32', int64: 'isInt64' } as const

const range: CodeKeywordDefinition = {
  keyword: Object.keys(ranges),
  schemaType: 'boolean',
  error: { message: '', params: () => _`{}` },
  code(cxt) {
    const name = ranges[cxt.keyword as keyof typeof ranges]
    const isExact = name === 'isInt64' ? _`!(!this && Number.isSafeInteger(${cxt.data})) && ` : _``
    cxt.fail(_`${isExact}!${call(cxt, name)}`)
  }
}

export const typeKeywords: readonly CodeKeywordDefinition[] = [numericType, types, range]
