/**
 * Writes the code of validators: one function for each definition, which collects errors or only decides (JSON Schema
 * draft 2020-12). A part of a schema that is a branch, or large, has a function of its own.
 *
 * Names in the code: `v` value, `p` its path, `h` and `k` its holder and key, `r` run, `s` evaluated members, `$` the
 * functions of runtime/validators.ts, `f` those of runtime/formats.ts.
 */
import type { Json, Pattern, Schema, Type } from '@contract-first/contract'
import { sourceOf } from '../../source/values.ts'
import { formatInCode } from '../vocabulary/formats.ts'
import type { Definitions } from './definitions.ts'
import { type Hidden, none } from './hidden-names.ts'
import {
  at,
  hasMember,
  memberOf,
  namedMember,
  numberArguments,
  ownPlace,
  type Place,
  pathOf,
  placeArguments,
  tracking,
  typeTest
} from './place.ts'
import type { Reading } from './reading.ts'

/** Least keywords of a member's schema that has a function of its own, which equal schemas share. */
const leastKeywords = 32

/** Least number of members with equal schemas, or of required names, that are checked in a loop. */
const leastLooped = 4

/** Most values of an `enum` that are compared one by one. */
const maxCompared = 3

type Names = Pick<ReadonlySet<string>, 'has'>

export interface WriterOptions {
  /** Prefix of the names of functions. */
  readonly prefix: string
  /** Names of the definitions that cache their verdicts. */
  readonly memoised: Names
  /** Names of the definitions whose evaluated members others read. */
  readonly tracked: Names
}

/** Code of one definition. */
interface WrittenDefinition {
  readonly code: string
  /** Names of the definitions that it calls. */
  readonly called: ReadonlySet<string>
}

export class ValidatorWriter {
  readonly #definitions: Definitions
  readonly #reading: Reading
  readonly #options: WriterOptions
  /** Names of constants by their code, and of functions by schema and whether evaluated members are collected. */
  readonly #constants = new Map<string, string>()
  readonly #functions = new Map<string, string>()
  readonly #formats = new Set<string>()
  /** Constants, functions and definitions that the current definition uses. */
  #declarations: string[] = []
  #called = new Set<string>()
  /** Statement that ends the function with a refusal. */
  #refused = ''

  constructor(definitions: Definitions, options: WriterOptions) {
    this.#definitions = definitions
    this.#reading = definitions.reading
    this.#options = options
  }

  /** Names of the own formats that the code calls. */
  get formats(): ReadonlySet<string> {
    return this.#formats
  }

  nameOf(definition: string): string {
    return `${this.#options.prefix}_${definition}$`
  }

  definition(name: string): WrittenDefinition {
    this.#declarations = []
    this.#called = new Set()
    const { memoised, tracked } = this.#options
    const { schema, hidden = none } = this.#definitions.all.get(name) ?? {}
    const code =
      schema === undefined
        ? ''
        : this.#function(
            this.nameOf(name),
            (place) => this.#body(schema, place, hidden),
            tracked.has(name),
            memoised.has(name)
          )
    return { code: [...this.#declarations, code].join(''), called: this.#called }
  }

  #function(name: string, write: (place: Place) => string, isTracked: boolean, isMemoised: boolean): string {
    const outer = this.#refused
    const place = { ...ownPlace, seen: isTracked ? 's' : '' }
    const code = isMemoised ? this.#memoised(name, write, place) : this.#plain(write, place)
    this.#refused = outer
    return `function ${name}(v,p,h,k,r${isTracked ? ',s' : ''}){const n=r.failures;${code}}\n`
  }

  #plain(write: (place: Place) => string, place: Place): string {
    this.#refused = 'return!1;'
    return `${write(place)}return r.failures===n`
  }

  /** Writes the cache into the function, because a wrapper would halve the depth at which the stack overflows. */
  #memoised(name: string, write: (place: Place) => string, place: Place): string {
    const isTracked = place.seen !== ''
    const remember = (isValid: string, seen: string) =>
      `return $.remember(r,${name},v,h,k,${isValid}${isTracked ? `,${seen}` : ''});`
    this.#refused = remember('!1', 'm')
    const known = `const o=$.recall(r,${name},v,h,k${tracking(place)});if(o!==undefined)return o;`
    if (!isTracked) return `${known}${write(place)}${remember('r.failures===n', '')}`
    const code = write({ ...place, seen: 'm' })
    return `${known}const m=s&&new $.Seen();${code}s?.add(m);${remember('r.failures===n', 'm')}`
  }

  /** Returns the name of a constant of the module. */
  #constant(code: string, kind: string): string {
    const name = this.#constants.get(code) ?? `${kind}_${this.#constants.size}`
    if (!this.#constants.has(code)) {
      this.#constants.set(code, name)
      this.#declarations.push(`const ${name}=${code};\n`)
    }
    return name
  }

  #pattern({ regexp }: Pattern): string {
    return this.#constant(String(regexp), 'pattern')
  }

  /** Returns the name of the function of a schema: of its target, if the schema is only a reference. */
  #check(schema: Schema, isTracked: boolean): string {
    const target = this.#definitions.nameOf(schema)
    if (target !== undefined) return this.#target(target)
    const id = `${isTracked} ${this.#reading.numberOf(schema)}`
    const known = this.#functions.get(id)
    if (known !== undefined) return known
    const name = `${this.#options.prefix}$${this.#functions.size}`
    this.#functions.set(id, name)
    this.#declarations.push(
      this.#function(name, (place) => this.#body(schema, place, none), isTracked, false)
    )
    return name
  }

  #target(name: string): string {
    this.#called.add(name)
    return this.nameOf(name)
  }

  /** Writes the failure of a keyword where a condition holds. */
  #fails(condition: string, place: Place, keyword: string, params = '{}'): string {
    const failure = `$.fail(r,${pathOf(place)},"${keyword}",${params})`
    return `if(${condition === 'true' ? failure : `${condition}&&${failure}`})${this.#refused}`
  }

  /** Calls the function of a schema for its errors. */
  #call(name: string, place: Place): string {
    const path = place.path === '' ? 'p' : `$.below(r,p,${place.path})`
    return `if(!${name}(${place.value},${path},${place.holder},${place.key},r${tracking(place)})&&r.isBrief)${this.#refused}`
  }

  /** Returns a condition that holds where a value is valid. */
  #passes(schema: Schema, place: Place): string {
    const condition = place.seen === '' ? this.#condition(schema, place) : undefined
    if (condition !== undefined) return condition
    return `$.passes(${this.#check(schema, place.seen !== '')},${placeArguments(place)})`
  }

  /** Returns the condition of a schema that needs no function, such as that of a discriminator. */
  #condition(schema: Schema, place: Place): string | undefined {
    if (schema.never) return 'false'
    const members = this.#reading.membersOf(schema)
    if (this.#reading.isBytes(schema) || !members.every(([key]) => simple.has(key))) return undefined
    const { value } = place
    const conditions: string[] = []
    const type = onlyType(schema)
    if (schema.types !== undefined && type === undefined) return undefined
    if (type !== undefined) conditions.push(typeTest(type, place))
    const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
    if (values !== undefined) {
      if (!isPlain(values)) return undefined
      conditions.push(this.#isOneOf(values, place))
    }
    const hidden = this.#reading.hidden.in(schema)
    const required = [...(schema.required ?? [])].filter((name) => !hidden.has(name))
    const parts = required.map((name) => hasMember(value, name))
    for (const [name, member] of schema.properties ?? []) {
      const isHidden = this.#reading.hidden.has(schema, member)
      if (isHidden && this.#reading.view !== 'response') return undefined
      const inner = memberOf({ ...place, depth: 0 }, name, at(value, name))
      const condition = isHidden ? 'true' : this.#condition(member, inner)
      if (condition === undefined) return undefined
      if (condition !== 'true') parts.push(`(!${hasMember(value, name)}||${condition})`)
    }
    if (parts.length > 0)
      conditions.push(type === 'object' ? parts.join('&&') : `(!$.isObject(${value})||${parts.join('&&')})`)
    return conditions.length === 0 ? 'true' : `(${conditions.join('&&')})`
  }

  /** @param hidden names that the schemas around this one hide */
  #schema(schema: Schema, place: Place, hidden = none): string {
    const shared = this.#definitions.shared(schema)
    return shared === undefined ? this.#body(schema, place, hidden) : this.#call(this.#target(shared), place)
  }

  #body(written: Schema, place: Place, outer: Hidden): string {
    const schema = this.#reading.judged(written)
    if (schema.never) return this.#fails('true', place, 'false schema')
    const hidden = this.#reading.hidden.with(schema, outer)
    if (schema.unevaluatedProperties === undefined && schema.unevaluatedItems === undefined)
      return this.#keywords(schema, place, hidden)
    const seen = `s${place.depth}${place.seen}`
    const inner = { ...place, seen }
    const merged = place.seen === '' ? '' : `${place.seen}?.add(${seen});`
    return `{const ${seen}=new $.Seen();${this.#keywords(schema, inner, hidden)}${this.#unevaluated(schema, inner)}${merged}}`
  }

  #keywords(schema: Schema, place: Place, hidden: Hidden): string {
    return [
      this.#types(schema, place),
      this.#numbers(schema, place),
      this.#group(schema, 'string', place, this.#text(schema, place)),
      ...(['boolean', 'null'] as const).map((type) => this.#group(schema, type, place, '')),
      this.#bytes(schema, place),
      this.#otherValues(schema, place, hidden),
      this.#branches(schema, place, hidden),
      this.#group(schema, 'array', place, this.#list(schema, place)),
      this.#group(schema, 'object', place, this.#object(schema, place, hidden))
    ].join('')
  }

  /** Writes what concerns values of one type; where that is the only type, all others are refused. */
  #group(schema: Schema, type: Type, place: Place, code: string): string {
    const test = typeTest(type, place)
    if (onlyType(schema) !== type || this.#reading.isBytes(schema))
      return code === '' ? '' : `if(${test}){${code}}`
    const refused = this.#fails(`!(${test})`, place, 'type', `{type:"${type}"}`)
    return code === ''
      ? refused
      : `if(${test}){${code}}else ${this.#fails('true', place, 'type', `{type:"${type}"}`)}`
  }

  /**
   * Writes the test of several types, or of numbers: a number or bigint may stand for an integer, and its text decides
   * in a request.
   */
  #types(schema: Schema, place: Place): string {
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
    return this.#fails(`!(${tests.join('||')})`, place, keyword, `{type:${JSON.stringify(params)}}`)
  }

  #numbers(schema: Schema, place: Place): string {
    const number = `$.numberOf(${numberArguments(place)})`
    let code = ''
    for (const [keyword, { broken, wanted }] of bounds) {
      const limit = schema[keyword]
      if (limit === undefined) continue
      const params = `{comparison:"${wanted}",limit:${sourceOf(limit)}}`
      code += this.#fails(`${number}${broken}${sourceOf(limit)}`, place, keyword, params)
    }
    if (schema.multipleOf !== undefined) {
      const text = sourceOf(schema.multipleOf)
      code += this.#fails(`!$.isMultipleOf(${number},${text})`, place, 'multipleOf', `{multipleOf:${text}}`)
    }
    const format = this.#reading.formatOf(schema)
    if (format === 'int32' || format === 'int64')
      code += this.#fails(`!$.${ranges[format]}(${numberArguments(place)})`, place, format)
    return code
  }

  #text(schema: Schema, place: Place): string {
    const { minLength, maxLength, pattern } = schema
    const { value } = place
    // A character is one or two code units (JSON Schema Validation, section 6.3).
    const isLong = `${value}.length>${maxLength}&&$.lengthOf(${value})>${maxLength}`
    let code = ''
    if (maxLength !== undefined) code += this.#fails(isLong, place, 'maxLength', `{limit:${maxLength}}`)
    if (minLength !== undefined) {
      const isShort = `${value}.length<${2 * minLength}&&$.lengthOf(${value})<${minLength}`
      code += this.#fails(isShort, place, 'minLength', `{limit:${minLength}}`)
    }
    if (pattern !== undefined) {
      // The time of a pattern may grow with the square of the length.
      const bound = maxLength === undefined ? '' : `!(${isLong})&&`
      const params = `{pattern:${JSON.stringify(pattern.source)}}`
      code += this.#fails(`${bound}!${this.#pattern(pattern)}.test(${value})`, place, 'pattern', params)
    }
    const format = this.#reading.formatOf(schema)
    if (format !== undefined && !Object.hasOwn(ranges, format)) {
      const params = `{format:${JSON.stringify(format)}}`
      code += this.#fails(`!${this.#format(format)}(${value})`, place, 'format', params)
    }
    return code
  }

  #format(name: string): string {
    const format = this.#reading.formats.get(name)
    if (format === undefined) return `f.${formatInCode(name)}`
    this.#formats.add(name)
    return `format_${format.exported}.check`
  }

  /** Writes `min…` and `max…` of a size, such as a number of items. */
  #limits(
    unit: string,
    min: number | undefined,
    max: number | undefined,
    size: string,
    place: Place
  ): string {
    let code = ''
    if (min !== undefined) code += this.#fails(`${size}<${min}`, place, `min${unit}`, `{limit:${min}}`)
    if (max !== undefined) code += this.#fails(`${size}>${max}`, place, `max${unit}`, `{limit:${max}}`)
    return code
  }

  /** Writes what concerns bytes, for which a text may stand. */
  #bytes(schema: Schema, place: Place): string {
    if (!this.#reading.isBytes(schema)) return ''
    const length = `$.byteLength(${place.value})`
    const tests = [...(schema.types ?? [])].map((type) => typeTest(type, place))
    const params = `{type:${JSON.stringify([...(schema.types ?? [])])}}`
    // The length of a text is undefined.
    return (
      this.#fails(`!(${tests.join('||')}||${length}!==undefined)`, place, 'binary', params) +
      this.#limits('Bytes', schema.minLength, schema.maxLength, length, place)
    )
  }

  /** Writes keywords that concern values of every type. */
  #otherValues(schema: Schema, place: Place, hidden: Hidden): string {
    let code = ''
    if (schema.ref !== undefined)
      code += this.#call(this.#target(this.#definitions.target(schema.ref, hidden)), place)
    for (const keyword of ['enum', 'const'] as const) {
      const written = schema[keyword]
      if (written === undefined) continue
      const values = keyword === 'const' ? [written] : (written as readonly Json[])
      const listed = this.#constant(sourceOf(values), 'values')
      const isAllowed = isPlain(values)
        ? this.#isOneOf(values, place)
        : `$.isAllowed(${numberArguments(place)},${listed})`
      code += `if(!${isAllowed}&&$.notAllowed(r,${pathOf(place)},"${keyword}",${listed}))${this.#refused}`
    }
    return code
  }

  /** Returns the condition of a value that is one of several texts, booleans or null. */
  #isOneOf(values: readonly Json[], { value }: Place): string {
    if (values.length > maxCompared) return `${this.#constant(sourceOf(values), 'values')}.includes(${value})`
    const tests = values.map((each) => `${value}===${JSON.stringify(each)}`)
    return tests.length === 0 ? 'false' : `(${tests.join('||')})`
  }

  #branches(schema: Schema, place: Place, hidden: Hidden): string {
    const { not, anyOf, oneOf, allOf = [] } = schema
    let code = ''
    if (not !== undefined) code += this.#fails(this.#passes(not, { ...place, seen: '' }), place, 'not')
    if (anyOf !== undefined) {
      const passes = place.seen === '' ? this.#anyPasses(anyOf, place) : this.#union('anyOf', anyOf, place)
      code += this.#fails(`!(${passes})`, place, 'anyOf')
    }
    if (oneOf !== undefined) {
      const found = `o${place.depth}`
      const failure = this.#fails(`${found}!==undefined`, place, 'oneOf', found)
      code += `{const ${found}=${this.#union('oneOf', oneOf, place)};${failure}}`
    }
    for (const each of allOf) code += this.#schema(each, place, hidden)
    if (schema.if !== undefined) {
      const [then = '', otherwise = ''] = [schema.then, schema.else].map((each) =>
        each === undefined ? '' : this.#schema(each, place)
      )
      if (then !== '' || otherwise !== '' || place.seen !== '')
        code += `if(${this.#passes(schema.if, place)}){${then}}${otherwise === '' ? '' : `else{${otherwise}}`}`
    }
    return code
  }

  #anyPasses(union: readonly Schema[], place: Place): string {
    return union.map((each) => this.#passes(each, place)).join('||')
  }

  #union(keyword: 'anyOf' | 'oneOf', union: readonly Schema[], place: Place): string {
    const checks = union.map((each) => this.#check(each, place.seen !== ''))
    return `$.${keyword}(${this.#constant(`[${checks.join()}]`, 'checks')},${placeArguments(place)})`
  }

  /** Writes what concerns the value of a member. */
  #member(schema: Schema, place: Place): string {
    const isOwn = this.#reading.sizeOf(schema) >= leastKeywords
    return isOwn ? this.#call(this.#check(schema, false), place) : this.#schema(schema, place)
  }

  #list(schema: Schema, place: Place): string {
    const { value, depth, seen } = place
    const { items, prefix = [] } = schema
    let code = this.#limits('Items', schema.minItems, schema.maxItems, `${value}.length`, place)
    if (schema.uniqueItems) {
      const found = `q${depth}`
      const failure = this.#fails(`${found}!==undefined`, place, 'uniqueItems', found)
      code += `{const ${found}=$.equalItems(${value},r);${failure}}`
    }
    for (const [index, each] of prefix.entries()) {
      const item = memberOf(place, index)
      const inner = this.#member(each, item)
      if (inner !== '')
        code += `if(${value}.length>${index}){const ${item.value}=${value}[${index}];${inner}}`
    }
    if (items?.never && prefix.length > 0)
      code += this.#fails(`${value}.length>${prefix.length}`, place, 'items', `{limit:${prefix.length}}`)
    else if (items !== undefined)
      code += this.#eachItem(place, String(prefix.length), (item) => this.#member(items, item))
    if (seen !== '' && (items !== undefined || prefix.length > 0)) {
      const evaluated = items === undefined ? `Math.max(${seen}.items,${prefix.length})` : `${value}.length`
      code += `if(${seen})${seen}.items=${evaluated};`
    }
    return code + this.#contains(schema, place)
  }

  #eachItem(place: Place, start: string, write: (item: Place) => string, guard = ''): string {
    const { value, depth } = place
    const index = `i${depth}`
    const item = memberOf(place, { name: index, path: index })
    const inner = write(item)
    if (inner === '') return ''
    return `for(let ${index}=${start};${index}<${value}.length;${index}++){${guard}const ${item.value}=${value}[${index}];${inner}}`
  }

  #contains({ contains }: Schema, place: Place): string {
    if (contains === undefined) return ''
    const { depth, seen } = place
    const { schema, min, max } = contains
    const count = `c${depth}`
    const counted = `${count}++${seen === '' ? '' : `;${seen}?.indexes.add(i${depth})`}`
    const loop = this.#eachItem(
      place,
      '0',
      (item) => `if(${this.#passes(schema, { ...item, seen: '' })}){${counted}}`
    )
    const isFew = [`${count}<${min}`, ...(max === undefined ? [] : [`${count}>${max}`])].join('||')
    const params = `{minContains:${min}${max === undefined ? '' : `,maxContains:${max}`}}`
    return `{let ${count}=0;${loop}${this.#fails(`(${isFew})`, place, 'contains', params)}}`
  }

  #object(schema: Schema, place: Place, hidden: Hidden): string {
    const { required = [], minProperties, maxProperties } = schema
    const names = [...required].filter((name) => !hidden.has(name))
    return [
      this.#required(names, place),
      this.#limits('Properties', minProperties, maxProperties, `Object.keys(${place.value}).length`, place),
      this.#dependent(schema, place),
      this.#properties(schema, place),
      this.#names(schema, place)
    ].join('')
  }

  #required(names: readonly string[], place: Place): string {
    const missing = (name: string) => `{missingProperty:${name}}`
    if (names.length < leastLooped)
      return names
        .map((name) =>
          this.#fails(`!${hasMember(place.value, name)}`, place, 'required', missing(JSON.stringify(name)))
        )
        .join('')
    return this.#eachMissing(names, place, 'required', missing('x'))
  }

  /** Writes a loop that reports each name, `x`, which the value does not have. */
  #eachMissing(names: readonly string[], place: Place, keyword: string, params: string): string {
    const listed = this.#constant(JSON.stringify(names), 'names')
    const isAbsent = `(${place.value}[x]===undefined||!$.hasOwn(${place.value},x))`
    return `for(const x of ${listed})${this.#fails(isAbsent, place, keyword, params)}`
  }

  #dependent({ dependentRequired, dependentSchemas }: Schema, place: Place): string {
    let code = ''
    const add = (name: string, inner: string) => {
      if (inner !== '') code += `if(${hasMember(place.value, name)}){${inner}}`
    }
    for (const [name, names] of dependentRequired ?? []) {
      const params = `{property:${JSON.stringify(name)},missingProperty:x}`
      add(name, this.#eachMissing(names, place, 'dependentRequired', params))
    }
    for (const [name, schema] of dependentSchemas ?? []) add(name, this.#schema(schema, place))
    return code
  }

  #properties(schema: Schema, place: Place): string {
    const { value, seen } = place
    const { hidden } = this.#reading
    const properties = [...(schema.properties ?? [])].map(([name, property]): Property => {
      if (hidden.has(schema, property)) return { name, schema: property, kind: 'hidden', isListed: false }
      const isListed = property.const !== undefined || property.enum !== undefined
      const kind = this.#definitions.shared(property) ?? this.#reading.numberOf(property)
      return { name, schema: property, kind, isListed: isListed && typeof kind === 'number' }
    })
    let code = ''
    for (const members of Map.groupBy(byDifference(properties), ({ kind }) => kind).values()) {
      const [first] = members
      if (first !== undefined && members.length >= leastLooped) {
        const names = this.#constant(JSON.stringify(members.map(({ name }) => name)), 'names')
        code += this.#eachName(names, place, first)
      } else
        for (const property of members) {
          const { name } = property
          const member = memberOf(place, name)
          const inner = this.#property(property, member)
          if (inner !== '')
            code += `{const ${member.value}=${at(value, name)};if(${member.value}!==undefined&&$.hasOwn(${value},${JSON.stringify(name)})){${inner}}}`
        }
    }
    if (seen !== '' && properties.length > 0) {
      const listed = this.#constant(JSON.stringify([...(schema.properties?.keys() ?? [])]), 'names')
      code += `if(${seen})for(const x of ${listed})if($.hasOwn(${value},x))${seen}.names.add(x);`
    }
    return code
  }

  /** Refuses a hidden property in a request. One in a response is valid, but a server does not serialize it. */
  #property({ schema, kind }: Property, member: Place): string {
    if (kind !== 'hidden') return this.#member(schema, member)
    const { view, hidden } = this.#reading
    return view === 'response' ? '' : this.#fails('true', member, hidden.flag)
  }

  /** Writes a loop over declared names whose schemas are equal. */
  #eachName(names: string, place: Place, property: Property): string {
    const { value } = place
    const member = namedMember(place)
    const name = member.key
    const inner = this.#property(property, member)
    if (inner === '') return ''
    return `for(const ${name} of ${names}){const ${member.value}=${value}[${name}];if(${member.value}!==undefined&&$.hasOwn(${value},${name})){${inner}}}`
  }

  /** Writes a loop over the names of the value, for the keywords that concern names which are not declared. */
  #names(schema: Schema, place: Place): string {
    const { value, seen } = place
    const { names, patterns = [], additional, properties } = schema
    const member = namedMember(place)
    const name = member.key
    const isSeen = seen === '' ? '' : `${seen}?.names.add(${name});`
    const valued = (code: string) => (code === '' ? '' : `const ${member.value}=${value}[${name}];${code}`)
    let code = ''
    if (names !== undefined) {
      const named = { ...ownPlace, value: name, holder: 'undefined', key: 'undefined' }
      const passes = this.#passes(names, named)
      if (passes !== 'true')
        code += this.#fails(`!${passes}`, place, 'propertyNames', `{propertyName:${name}}`)
    }
    const tests = patterns.map(({ pattern }) => `${this.#pattern(pattern)}.test(${name})`)
    for (const [index, each] of patterns.entries()) {
      const inner = isSeen + valued(this.#member(each.schema, member))
      if (inner !== '') code += `if(${tests[index]}){${inner}}`
    }
    if (additional !== undefined) {
      const inner = additional.never
        ? this.#fails('true', place, 'additionalProperties', `{additionalProperty:${name}}`)
        : isSeen + valued(this.#member(additional, member))
      const declared = this.#isDeclared([...(properties?.keys() ?? [])], name)
      const known = [...declared, ...tests].join('||')
      if (inner !== '') code += known === '' ? `{${inner}}` : `if(!(${known})){${inner}}`
    }
    return code === '' ? '' : `for(const ${name} of Object.keys(${value})){${code}}`
  }

  #isDeclared(names: readonly string[], name: string): string[] {
    if (names.length <= maxCompared) return names.map((each) => `${name}===${JSON.stringify(each)}`)
    return [`${this.#constant(`/* @__PURE__ */new Set(${JSON.stringify(names)})`, 'declared')}.has(${name})`]
  }

  /** Writes the keywords that concern what no other keyword has evaluated (JSON Schema Core, sections 11.2 and 11.3). */
  #unevaluated(schema: Schema, place: Place): string {
    const { value, depth, seen } = place
    const { unevaluatedProperties: members, unevaluatedItems: items } = schema
    let code = ''
    if (members !== undefined) {
      const member = namedMember(place)
      const name = member.key
      const inner = members.never
        ? this.#fails('true', place, 'unevaluatedProperties', `{unevaluatedProperty:${name}}`)
        : `const ${member.value}=${value}[${name}];${this.#member(members, member)}`
      code += `if($.isObject(${value}))for(const ${name} of Object.keys(${value}))if(!${seen}.names.has(${name})){${seen}.names.add(${name});${inner}}`
    }
    if (items === undefined) return code
    const evaluated = `if(${seen}.indexes.has(i${depth}))continue;`
    const loop = items.never
      ? this.#eachItem(
          place,
          `${seen}.items`,
          () => `${this.#fails('true', place, 'unevaluatedItems', `{limit:${seen}.items}`)}break;`,
          evaluated
        )
      : this.#eachItem(place, `${seen}.items`, (item) => this.#member(items, item), evaluated)
    return `${code}if(Array.isArray(${value})){${loop}${seen}.items=${value}.length}`
  }
}

/** A declared property. */
interface Property {
  readonly name: string
  readonly schema: Schema
  /** Same for properties with equal code. */
  readonly kind: number | string
  /** True for one that has listed values, of its own. */
  readonly isListed: boolean
}

const simple: ReadonlySet<string> = new Set(['types', 'enum', 'const', 'required', 'properties'])

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
function onlyType({ types }: Schema): Type | undefined {
  const [type] = types?.size === 1 ? types : []
  return type === undefined || isNumeric(type) ? undefined : type
}

const isPlain = (values: readonly Json[]): boolean =>
  values.every((value) => ['string', 'boolean'].includes(typeof value) || value === null)

/** Returns those properties first by which branches differ: most branches then fail early. */
const byDifference = (properties: readonly Property[]): Property[] =>
  [...properties].sort((a, b) => Number(b.isListed) - Number(a.isListed))
