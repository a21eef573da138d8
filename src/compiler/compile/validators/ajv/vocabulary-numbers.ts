/** Keywords that compare numbers as written, of any size. Ajv's own keywords know only doubles. */
import { canonical } from '@contract-first/engine/runtime/validators'
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { _, type Code, operators, stringify } from 'ajv/dist/compile/codegen/index.js'
import { imported } from './runtime-imports.ts'

/** Functions that read a number as written. */
type Comparison = 'exactNumber' | 'isInt32' | 'isInt64' | 'isInteger' | 'isNumber' | 'isPlainInteger'

/** Calls a function with the value and the place for the look-up of its exact number. */
export function call(cxt: KeywordCxt, name: Comparison): Code {
  const { parentData, parentDataProperty } = cxt.it
  return _`${imported(cxt.gen, 'func', name)}(${cxt.data}, this, ${parentData}, ${parentDataProperty})`
}

/** Returns the number to compare: the double if every number of the request is exact, which costs one test. */
const exact = (cxt: KeywordCxt): Code => _`(this ? ${call(cxt, 'exactNumber')} : ${cxt.data})`

const literal = (value: unknown): Code =>
  typeof value === 'bigint' ? _`BigInt(${String(value)})` : _`${Number(value)}`

const bounds = {
  minimum: { wanted: '>=', broken: operators.LT },
  maximum: { wanted: '<=', broken: operators.GT },
  exclusiveMinimum: { wanted: '>', broken: operators.LTE },
  exclusiveMaximum: { wanted: '<', broken: operators.GTE }
}

const boundOf = (keyword: string) => bounds[keyword as keyof typeof bounds]

const limit: CodeKeywordDefinition = {
  keyword: Object.keys(bounds),
  error: {
    message: '',
    params: ({ keyword, schema }) => _`{comparison: ${boundOf(keyword).wanted}, limit: ${literal(schema)}}`
  },
  code(cxt) {
    const numeric = _`(typeof ${cxt.data} == "number" || typeof ${cxt.data} == "bigint")`
    cxt.fail(_`${numeric} && ${exact(cxt)} ${boundOf(cxt.keyword).broken} ${literal(cxt.schema)}`)
  }
}

const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  error: { message: '', params: ({ schema }) => _`{multipleOf: ${literal(schema)}}` },
  code(cxt) {
    cxt.fail(_`!${imported(cxt.gen, 'func', 'isMultipleOf')}(${exact(cxt)}, ${literal(cxt.schema)})`)
  }
}

const texts = (values: readonly unknown[]): Code =>
  stringify(values.map((value) => canonical(value, undefined, undefined, undefined)))

/** Writes a value of the contract as JavaScript: computed names, so that none sets a prototype, and exact bigints. */
function written(value: unknown): Code {
  if (typeof value === 'bigint') return _`BigInt(${String(value)})`
  if (typeof value !== 'object' || value === null) return stringify(value)
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(([name, member]) => {
    return isList ? written(member) : _`[${name}]: ${written(member)}`
  })
  const list = members.reduce((all, member, index) => (index === 0 ? member : _`${all}, ${member}`), _``)
  return isList ? _`[${list}]` : _`{${list}}`
}

/** Most values that are compared one by one; Ajv takes seconds to write a condition of hundreds. */
const maxCompared = 16

/** Equality: by the numbers as written if a value holds one, otherwise by `===`. */
const equality: CodeKeywordDefinition = {
  keyword: ['enum', 'const'],
  error: {
    message: '',
    params: ({ keyword, schema }) => {
      return _`{allowed: ${texts((keyword === 'const' ? [schema] : schema) as unknown[])}}`
    }
  },
  code(cxt) {
    const values = (cxt.keyword === 'const' ? [cxt.schema] : cxt.schema) as unknown[]
    const isPlain = values.every((value) => ['string', 'boolean'].includes(typeof value) || value === null)
    if (isPlain && values.length <= maxCompared) {
      const tests = values.map((value) => _`${cxt.data} === ${value as string | boolean | null}`)
      cxt.fail(_`!(${tests.length === 0 ? _`false` : tests.reduce((a, b) => _`${a} || ${b}`)})`)
    } else if (isPlain) {
      const listed = cxt.gen.scopeValue('obj', { key: values, ref: values, code: stringify(values) })
      cxt.fail(_`!${listed}.includes(${cxt.data})`)
    } else {
      const allowed = cxt.gen.scopeValue('obj', { key: values, ref: values, code: written(values) })
      const { parentData, parentDataProperty } = cxt.it
      const place = _`this, ${parentData}, ${parentDataProperty}`
      cxt.fail(_`!${imported(cxt.gen, 'func', 'isAllowed')}(${cxt.data}, ${allowed}, ${place})`)
    }
  }
}

const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: '',
    params: ({ params }) => _`{i: ${params['equal']}[0], j: ${params['equal']}[1]}`
  },
  code(cxt) {
    if (cxt.schema !== true) return
    const equal = cxt.gen.const(
      'equal',
      _`${imported(cxt.gen, 'func', 'equalItems')}(${cxt.data}, this, rootData)`
    )
    cxt.setParams({ equal })
    cxt.fail(_`${equal} !== undefined`)
  }
}

export const numberKeywords: readonly CodeKeywordDefinition[] = [limit, multipleOf, equality, uniqueItems]
