/**
 * Writes the keywords that judge a value by itself: types, bounds, patterns, formats and listed values; with the parts of code
 * that all keywords have: constants, failures, and the statement that follows a failure.
 */
import type { Json, Pattern, Schema, Type } from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'
import { nameInCode } from '../../source/own-formats.ts'
import { sourceOf } from '../../source/values.ts'
import { formatInCode, type Reading } from './reading.ts'

/** Most values of an `enum` that are compared one by one. */
export const maxCompared = 3

export class ValueKeywords {
  /** Names of the own formats that the code calls. */
  readonly formats = new Set<string>()
  readonly #reading: Reading
  readonly #code: Code

  constructor(reading: Reading, code: Code) {
    this.#reading = reading
    this.#code = code
  }

  /**
   * Writes the test of several types, or of numbers: a number or bigint may stand for an integer, and its text decides
   * in a request.
   */
  types(schema: Schema, place: Place): string {
    const { types, format } = schema
    if (
      (types === undefined && format !== 'int64') ||
      onlyType(schema) !== undefined ||
      this.#reading.isBytes(schema)
    )
      return ''
    // An integer is a number.
    const named = [...(types ?? allTypes)].filter(
      (type) => type !== 'integer' || types?.has('number') !== true
    )
    const tests = named.map((type) => typeTest(isNumeric(type) && format === 'int64' ? 'int64' : type, place))
    const keyword = named.some(isNumeric) ? 'numericType' : 'types'
    const params = format === 'int64' ? named.map((type) => (isNumeric(type) ? 'integer' : type)) : named
    return this.#code.fails(`!(${tests.join('||')})`, place, keyword, `{type:${JSON.stringify(params)}}`)
  }

  numbers(schema: Schema, place: Place): string {
    const number = `$.numberOf(${place.value})`
    let code = ''
    for (const [keyword, { broken, wanted }] of bounds) {
      const limit = schema[keyword]
      if (limit === undefined) continue
      const params = `{comparison:"${wanted}",limit:${sourceOf(limit)}}`
      code += this.#code.fails(`${number}${broken}${sourceOf(limit)}`, place, keyword, params)
    }
    if (schema.multipleOf !== undefined) {
      const text = sourceOf(schema.multipleOf)
      code += this.#code.fails(
        `!$.isMultipleOf(${number},${text})`,
        place,
        'multipleOf',
        `{multipleOf:${text}}`
      )
    }
    const format = this.#reading.formatOf(schema)
    if (format === 'int32' || format === 'int64')
      code += this.#code.fails(`!$.${ranges[format]}(${place.value})`, place, format)
    return code
  }

  text(schema: Schema, place: Place): string {
    const { minLength, maxLength, pattern } = schema
    const { value } = place
    // A character is one or two code units (JSON Schema Validation, section 6.3).
    const isLong = `${value}.length>${maxLength}&&$.lengthOf(${value})>${maxLength}`
    let code = ''
    if (maxLength !== undefined) code += this.#code.fails(isLong, place, 'maxLength', `{limit:${maxLength}}`)
    if (minLength !== undefined) {
      const isShort = `${value}.length<${2 * minLength}&&$.lengthOf(${value})<${minLength}`
      code += this.#code.fails(isShort, place, 'minLength', `{limit:${minLength}}`)
    }
    if (pattern !== undefined) {
      // The time of a pattern may grow with the square of the length.
      const bound = maxLength === undefined ? '' : `!(${isLong})&&`
      const params = `{pattern:${JSON.stringify(pattern.source)}}`
      code += this.#code.fails(
        `${bound}!${this.#code.pattern(pattern)}.test(${value})`,
        place,
        'pattern',
        params
      )
    }
    const format = this.#reading.formatOf(schema)
    if (format !== undefined && !Object.hasOwn(ranges, format)) {
      const params = `{format:${JSON.stringify(format)}}`
      code += this.#code.fails(`!${this.#format(format)}(${value})`, place, 'format', params)
    }
    return code
  }

  #format(name: string): string {
    const format = this.#reading.formats.get(name)
    if (format === undefined) return `f.${formatInCode(name)}`
    this.formats.add(name)
    return `${nameInCode(format)}.check`
  }

  /** Writes what concerns bytes, for which a text may stand. */
  bytes(schema: Schema, place: Place): string {
    if (!this.#reading.isBytes(schema)) return ''
    const length = `$.byteLength(${place.value})`
    const tests = [...(schema.types ?? [])].map((type) => typeTest(type, place))
    const params = `{type:${JSON.stringify([...(schema.types ?? [])])}}`
    // The length of a text is undefined.
    return (
      this.#code.fails(`!(${tests.join('||')}||${length}!==undefined)`, place, 'binary', params) +
      this.#code.limits('Bytes', schema.minLength, schema.maxLength, length, place)
    )
  }

  /** Writes the values that `enum` lists, or `const` has. */
  values(schema: Schema, place: Place): string {
    let code = ''
    for (const keyword of ['enum', 'const'] as const) {
      const written = schema[keyword]
      if (written === undefined) continue
      const values = keyword === 'const' ? [written] : (written as readonly Json[])
      const listed = this.#code.constant(sourceOf(values), 'values')
      const isAllowed = isPlain(values)
        ? this.isOneOf(values, place)
        : `$.isAllowed(${place.value},${listed})`
      code += `if(!${isAllowed}&&$.notAllowed(r,${pathOf(place)},"${keyword}",${listed}))${this.#code.refused}`
    }
    return code
  }

  /** Returns the condition of a value that is one of several texts, booleans or null. */
  isOneOf(values: readonly Json[], { value }: Place): string {
    if (values.length > maxCompared)
      return `${this.#code.constant(sourceOf(values), 'values')}.includes(${value})`
    const tests = values.map((each) => `${value}===${JSON.stringify(each)}`)
    return tests.length === 0 ? 'false' : `(${tests.join('||')})`
  }
}

const bounds = [
  ['minimum', { wanted: '>=', broken: '<' }],
  ['maximum', { wanted: '<=', broken: '>' }],
  ['exclusiveMinimum', { wanted: '>', broken: '<=' }],
  ['exclusiveMaximum', { wanted: '<', broken: '>=' }]
] as const

/** Ranges of the formats int32 and int64 (OpenAPI format registry). */
const ranges = { int32: 'isInt32', int64: 'isInt64' } as const

const allTypes: readonly Type[] = ['string', 'boolean', 'null', 'array', 'object', 'integer']

const isNumeric = (type: Type): boolean => type === 'integer' || type === 'number'

/** Returns the type of a schema that has one, unless that is a number. */
export function onlyType({ types }: Schema): Type | undefined {
  const [type] = types?.size === 1 ? types : []
  return type === undefined || isNumeric(type) ? undefined : type
}

export const isPlain = (values: readonly Json[]): boolean =>
  values.every((value) => ['string', 'boolean'].includes(typeof value) || value === null)

export class Code {
  /** Constants and functions that the current definition adds to the module. */
  declarations: string[] = []
  /** Statement that ends the current function with a refusal. */
  refused = ''
  readonly #constants = new Map<string, string>()

  /** Returns the name of a constant of the module. */
  constant(code: string, kind: string): string {
    const name = this.#constants.get(code) ?? `${kind}_${this.#constants.size}`
    if (!this.#constants.has(code)) {
      this.#constants.set(code, name)
      this.declarations.push(`const ${name}=${code};\n`)
    }
    return name
  }

  pattern({ regexp }: Pattern): string {
    return this.constant(String(regexp), 'pattern')
  }

  /** Writes the failure of a keyword where a condition holds. */
  fails(condition: string, place: Place, keyword: string, params = '{}'): string {
    const failure = `$.fail(r,${pathOf(place)},"${keyword}",${params})`
    return `if(${condition === 'true' ? failure : `${condition}&&${failure}`})${this.refused}`
  }

  /** Writes `min…` and `max…` of a size, such as a number of items. */
  limits(unit: string, min: number | undefined, max: number | undefined, size: string, place: Place): string {
    let code = ''
    if (min !== undefined) code += this.fails(`${size}<${min}`, place, `min${unit}`, `{limit:${min}}`)
    if (max !== undefined) code += this.fails(`${size}>${max}`, place, `max${unit}`, `{limit:${max}}`)
    return code
  }
}

/** Place of a value in a function. */
export interface Place {
  /** Expressions of the value, and of its name or index. */
  readonly value: string
  readonly key: string
  /** Expression of what the path has behind that of the function; empty for the function's own value. */
  readonly path: string
  /** Number of values around it that have names in the function. */
  readonly depth: number
  /** Variable that collects the evaluated members; empty where nothing reads them. */
  readonly seen: string
}

/** Place of the function's own value. */
export const ownPlace: Place = { value: 'v', key: '', path: '', depth: 0, seen: '' }

/** Tests for types of JSON, and for the kinds of numbers: those of the format int64, and others. */
const tests: Readonly<Record<string, (place: Place) => string>> = {
  string: ({ value }) => `typeof ${value}=="string"`,
  boolean: ({ value }) => `typeof ${value}=="boolean"`,
  null: ({ value }) => `${value}===null`,
  array: ({ value }) => `Array.isArray(${value})`,
  object: ({ value }) => `$.isObject(${value})`,
  number: ({ value }) => `$.isNumber(${value})`,
  integer: ({ value }) => `$.isPlainInteger(${value})`,
  int64: ({ value }) => `$.isInteger(${value})`
}

export const typeTest = (type: string, place: Place): string => tests[type]?.(place) ?? 'false'

/** Arguments of a function that applies another one to the value. */
export const placeArguments = (place: Place): string => `${place.value},r${tracking(place)}`

/** Argument that collects the evaluated members; empty where nothing reads them. */
export const tracking = ({ seen }: Place): string => (seen === '' ? '' : `,${seen}`)

/** Expression of the path of the value. */
export const pathOf = ({ path }: Place): string => (path === '' ? 'p' : `p+${path}`)

const isName = /^[A-Za-z_$][\w$]*$/

/** Expression of a member of a value. */
export const at = (value: string, name: string): string =>
  isName.test(name) ? `${value}.${name}` : `${value}[${JSON.stringify(name)}]`

/** Condition that holds where a value has an own member. */
export const hasMember = (value: string, name: string): string =>
  `(${at(value, name)}!==undefined&&$.hasOwn(${value},${JSON.stringify(name)}))`

/**
 * Returns the place of a member.
 * @param member its name or index, or expressions of its name and of its segment in the path
 */
export function memberOf(
  place: Place,
  member: string | number | { readonly name: string; readonly path: string },
  value = `v${place.depth + 1}`
): Place {
  const isFixed = typeof member !== 'object'
  const key = isFixed ? JSON.stringify(member) : member.name
  const segment = isFixed ? JSON.stringify(`/${escapePointer(String(member))}`) : `"/"+${member.path}`
  const path = place.path === '' ? segment : `${place.path}+${segment}`.replaceAll('"+"', '')
  return { value, key, path, depth: place.depth + 1, seen: '' }
}

/** Returns the place of a member whose name, the key of the place, is the variable of a loop. */
export function namedMember(place: Place): Place {
  const name = `k${place.depth}`
  return memberOf(place, { name, path: `$.pointerSegment(${name})` })
}
