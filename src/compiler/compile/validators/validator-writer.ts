/**
 * Writes the code of validators: one function for each definition, which collects errors or only decides (JSON Schema
 * draft 2020-12, and the keywords of dialect.ts). A part of a schema that is a branch, or large, has a function of its own.
 *
 * Names in the code: `v` value, `p` its path, `h` and `k` its holder and key, `r` run, `s` evaluated members, `$` the
 * functions of runtime/validators.ts, `f` those of runtime/formats.ts.
 */
import { pattern } from '@contract-first/engine/model'
import { sourceOf } from '../../source/values.ts'
import { isObject, type Json, type JsonObject, own, stringify } from '../document/json-value.ts'
import { formatInCode } from '../vocabulary/formats.ts'
import type { Schema } from '../vocabulary/keywords.ts'
import type { OwnFormats } from '../vocabulary/own-formats.ts'
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
import { keywordCount, targetOf } from './schema-graph.ts'

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
  readonly formats: OwnFormats
}

/** Code of one definition. */
interface WrittenDefinition {
  readonly code: string
  /** Names of the definitions that it calls. */
  readonly called: ReadonlySet<string>
}

export class ValidatorWriter {
  readonly #options: WriterOptions
  /** Names of constants by their code, and of functions by the schema and whether evaluated members are collected. */
  readonly #constants = new Map<string, string>()
  readonly #functions = new Map<string, string>()
  readonly #formats = new Set<string>()
  /** Constants, functions and definitions that the current definition uses. */
  #declarations: string[] = []
  #called = new Set<string>()
  /** Statement that ends the function with a refusal. */
  #refused = ''

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Names of the own formats that the code calls. */
  get formats(): ReadonlySet<string> {
    return this.#formats
  }

  nameOf(definition: string): string {
    return `${this.#options.prefix}_${definition}$`
  }

  definition(name: string, schema: Schema): WrittenDefinition {
    this.#declarations = []
    this.#called = new Set()
    const { memoised, tracked } = this.#options
    const code = this.#function(this.nameOf(name), schema, tracked.has(name), memoised.has(name))
    return { code: [...this.#declarations, code].join(''), called: this.#called }
  }

  #function(name: string, schema: Schema, isTracked: boolean, isMemoised: boolean): string {
    const outer = this.#refused
    const place = { ...ownPlace, seen: isTracked ? 's' : '' }
    const code = isMemoised ? this.#memoised(name, schema, place) : this.#plain(schema, place)
    this.#refused = outer
    return `function ${name}(v,p,h,k,r${isTracked ? ',s' : ''}){const n=r.failures;${code}}\n`
  }

  #plain(schema: Schema, place: Place): string {
    this.#refused = 'return!1;'
    return `${this.#schema(schema, place)}return r.failures===n`
  }

  /** Writes the cache into the function, because a wrapper would halve the depth at which the stack overflows. */
  #memoised(name: string, schema: Schema, place: Place): string {
    const isTracked = place.seen !== ''
    const remember = (isValid: string, seen: string) =>
      `return $.remember(r,${name},v,h,k,${isValid}${isTracked ? `,${seen}` : ''});`
    this.#refused = remember('!1', 'm')
    const known = `const o=$.recall(r,${name},v,h,k${tracking(place)});if(o!==undefined)return o;`
    if (!isTracked) return `${known}${this.#schema(schema, place)}${remember('r.failures===n', '')}`
    const code = this.#schema(schema, { ...place, seen: 'm' })
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

  #pattern(source: string): string {
    return this.#constant(String(pattern(source)), 'pattern')
  }

  /** Returns the name of the function of a schema: of its target, if the schema is only a reference. */
  #check(schema: Json, isTracked: boolean): string {
    const target = isObject(schema) && Object.keys(schema).length === 1 ? targetOf(schema) : undefined
    if (target !== undefined) return this.#target(target)
    const id = `${isTracked} ${stringify(schema)}`
    const known = this.#functions.get(id)
    if (known !== undefined) return known
    const name = `${this.#options.prefix}$${this.#functions.size}`
    this.#functions.set(id, name)
    this.#declarations.push(this.#function(name, schema as Schema, isTracked, false))
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
  #passes(schema: Json, place: Place): string {
    const condition = place.seen === '' ? this.#condition(schema, place) : undefined
    if (condition !== undefined) return condition
    return `$.passes(${this.#check(schema, place.seen !== '')},${placeArguments(place)})`
  }

  /** Returns the condition of a schema that needs no function, such as that of a discriminator. */
  #condition(schema: Json, place: Place): string | undefined {
    if (typeof schema === 'boolean') return String(schema)
    if (!isObject(schema) || !Object.keys(schema).every((key) => simple.has(key))) return undefined
    const { value } = place
    const conditions: string[] = []
    const type = own(schema, 'type')
    if (type !== undefined) conditions.push(typeTest(String(type), place))
    const values = own(schema, 'enum') ?? (own(schema, 'const') === undefined ? undefined : [schema['const']])
    if (values !== undefined) {
      if (!isPlain(values as Json[])) return undefined
      conditions.push(this.#isOneOf(values as Json[], place))
    }
    const members: string[] = []
    for (const name of (own(schema, 'required') ?? []) as string[]) members.push(hasMember(value, name))
    for (const [name, member] of Object.entries((own(schema, 'properties') ?? {}) as JsonObject)) {
      const condition = this.#condition(member, memberOf({ ...place, depth: 0 }, name, at(value, name)))
      if (condition === undefined) return undefined
      if (condition !== 'true') members.push(`(!${hasMember(value, name)}||${condition})`)
    }
    if (members.length > 0)
      conditions.push(
        type === 'object' ? members.join('&&') : `(!$.isObject(${value})||${members.join('&&')})`
      )
    return conditions.length === 0 ? 'true' : `(${conditions.join('&&')})`
  }

  #schema(schema: Schema, place: Place): string {
    if (schema === true) return ''
    if (schema === false) return this.#fails('true', place, 'false schema')
    const collects = ['unevaluatedProperties', 'unevaluatedItems'].some((key) => Object.hasOwn(schema, key))
    if (!collects) return this.#keywords(schema, place)
    const seen = `s${place.depth}${place.seen}`
    const inner = { ...place, seen }
    const merged = place.seen === '' ? '' : `${place.seen}?.add(${seen});`
    return `{const ${seen}=new $.Seen();${this.#keywords(schema, inner)}${this.#unevaluated(schema, inner)}${merged}}`
  }

  #keywords(schema: JsonObject, place: Place): string {
    return [
      this.#types(schema, place),
      this.#numbers(schema, place),
      this.#group(schema, 'string', place, this.#text(schema, place)),
      ...['boolean', 'null'].map((type) => this.#group(schema, type, place, '')),
      this.#otherValues(schema, place),
      this.#branches(schema, place),
      this.#group(schema, 'array', place, this.#list(schema, place)),
      this.#group(schema, 'object', place, this.#object(schema, place))
    ].join('')
  }

  /** Writes what concerns values of one type; where that is the only type, all others are refused. */
  #group(schema: JsonObject, type: string, place: Place, code: string): string {
    const test = typeTest(type, place)
    if (own(schema, 'type') !== type) return code === '' ? '' : `if(${test}){${code}}`
    const refused = this.#fails(`!(${test})`, place, 'type', `{type:"${type}"}`)
    return code === ''
      ? refused
      : `if(${test}){${code}}else ${this.#fails('true', place, 'type', `{type:"${type}"}`)}`
  }

  #types(schema: JsonObject, place: Place): string {
    return ['numericType', 'types']
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => {
        const types = schema[keyword] as string[]
        const tests = types.map((type) => typeTest(type, place))
        const named = types.map((type) => (type === 'int64' ? 'integer' : type))
        return this.#fails(`!(${tests.join('||')})`, place, keyword, `{type:${JSON.stringify(named)}}`)
      })
      .join('')
  }

  #numbers(schema: JsonObject, place: Place): string {
    const number = `$.numberOf(${numberArguments(place)})`
    let code = ''
    for (const [keyword, { broken, wanted }] of Object.entries(bounds)) {
      const limit = own(schema, keyword)
      if (limit === undefined) continue
      const params = `{comparison:"${wanted}",limit:${sourceOf(limit)}}`
      code += this.#fails(`${number}${broken}${sourceOf(limit)}`, place, keyword, params)
    }
    const divisor = own(schema, 'multipleOf')
    if (divisor !== undefined) {
      const text = sourceOf(divisor)
      code += this.#fails(`!$.isMultipleOf(${number},${text})`, place, 'multipleOf', `{multipleOf:${text}}`)
    }
    for (const [keyword, test] of Object.entries(ranges))
      if (schema[keyword] === true)
        code += this.#fails(`!$.${test}(${numberArguments(place)})`, place, keyword)
    return code
  }

  #text(schema: JsonObject, place: Place): string {
    const { value } = place
    const [least, most] = [own(schema, 'minLength'), own(schema, 'maxLength')]
    // A character is one or two code units (JSON Schema Validation, section 6.3).
    const isLong = `${value}.length>${most}&&$.lengthOf(${value})>${most}`
    let code = ''
    if (most !== undefined) code += this.#fails(isLong, place, 'maxLength', `{limit:${most}}`)
    if (least !== undefined) {
      const isShort = `${value}.length<${2 * Number(least)}&&$.lengthOf(${value})<${least}`
      code += this.#fails(isShort, place, 'minLength', `{limit:${least}}`)
    }
    const source = own(schema, 'pattern')
    if (typeof source === 'string') {
      // The time of a pattern may grow with the square of the length.
      const bound = most === undefined ? '' : `!(${isLong})&&`
      const params = `{pattern:${JSON.stringify(source)}}`
      code += this.#fails(`${bound}!${this.#pattern(source)}.test(${value})`, place, 'pattern', params)
    }
    const format = own(schema, 'format')
    if (typeof format === 'string') {
      const params = `{format:${JSON.stringify(format)}}`
      code += this.#fails(`!${this.#format(format)}(${value})`, place, 'format', params)
    }
    return code
  }

  #format(name: string): string {
    const format = this.#options.formats.get(name)
    if (format === undefined) return `f.${formatInCode(name)}`
    this.#formats.add(name)
    return `format_${format.exported}.check`
  }

  /** Writes `min…` and `max…` of a size, such as a number of items. */
  #limits(schema: JsonObject, unit: string, size: string, place: Place): string {
    let code = ''
    for (const [bound, broken] of [
      ['min', '<'],
      ['max', '>']
    ] as const) {
      const keyword = `${bound}${unit}`
      const limit = own(schema, keyword)
      if (limit !== undefined)
        code += this.#fails(`${size}${broken}${limit}`, place, keyword, `{limit:${limit}}`)
    }
    return code
  }

  /** Writes keywords that concern values of every type. */
  #otherValues(schema: JsonObject, place: Place): string {
    const { value } = place
    let code = ''
    for (const keyword of ['readOnly', 'writeOnly'])
      if (schema[keyword] === true) code += this.#fails('true', place, keyword)
    if (schema['binary'] === true) {
      const isBytes = `$.byteLength(${value})!==undefined`
      code += this.#fails(`!(typeof ${value}=="string"||${isBytes})`, place, 'binary', '{type:["string"]}')
    }
    // The length of a text is undefined.
    code += this.#limits(schema, 'Bytes', `$.byteLength(${value})`, place)
    const target = targetOf(schema)
    if (target !== undefined) code += this.#call(this.#target(target), place)
    for (const keyword of ['enum', 'const']) {
      const written = own(schema, keyword)
      if (written === undefined) continue
      const values = keyword === 'const' ? [written] : (written as Json[])
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

  #branches(schema: JsonObject, place: Place): string {
    let code = ''
    const excluded = own(schema, 'not')
    if (excluded !== undefined)
      code += this.#fails(this.#passes(excluded, { ...place, seen: '' }), place, 'not')
    const union = own(schema, 'anyOf')
    if (Array.isArray(union)) {
      const passes = place.seen === '' ? this.#anyPasses(union, place) : this.#union('anyOf', union, place)
      code += this.#fails(`!(${passes})`, place, 'anyOf')
    }
    const choice = own(schema, 'oneOf')
    if (Array.isArray(choice)) {
      const found = `o${place.depth}`
      const failure = this.#fails(`${found}!==undefined`, place, 'oneOf', found)
      code += `{const ${found}=${this.#union('oneOf', choice, place)};${failure}}`
    }
    const all = own(schema, 'allOf')
    if (Array.isArray(all)) for (const each of all) code += this.#schema(each as Schema, place)
    const condition = own(schema, 'if')
    if (condition !== undefined) {
      const [then = '', otherwise = ''] = ['then', 'else'].map((key) =>
        this.#schema((own(schema, key) ?? true) as Schema, place)
      )
      if (then !== '' || otherwise !== '' || place.seen !== '')
        code += `if(${this.#passes(condition, place)}){${then}}${otherwise === '' ? '' : `else{${otherwise}}`}`
    }
    return code
  }

  #anyPasses(union: readonly Json[], place: Place): string {
    return union.map((each) => this.#passes(each, place)).join('||') || 'false'
  }

  #union(keyword: 'anyOf' | 'oneOf', union: readonly Json[], place: Place): string {
    const checks = union.map((each) => this.#check(each, place.seen !== ''))
    return `$.${keyword}(${this.#constant(`[${checks.join()}]`, 'checks')},${placeArguments(place)})`
  }

  /** Writes what concerns the value of a member. */
  #member(schema: Json, place: Place): string {
    const isOwn = keywordCount(schema) >= leastKeywords
    return isOwn ? this.#call(this.#check(schema, false), place) : this.#schema(schema as Schema, place)
  }

  #list(schema: JsonObject, place: Place): string {
    const { value, depth, seen } = place
    let code = this.#limits(schema, 'Items', `${value}.length`, place)
    if (own(schema, 'uniqueItems') === true) {
      const found = `q${depth}`
      const failure = this.#fails(`${found}!==undefined`, place, 'uniqueItems', found)
      code += `{const ${found}=$.equalItems(${value},r);${failure}}`
    }
    const prefix = (own(schema, 'prefixItems') ?? []) as Json[]
    for (const [index, each] of prefix.entries()) {
      const item = memberOf(place, index)
      const inner = this.#member(each, item)
      if (inner !== '')
        code += `if(${value}.length>${index}){const ${item.value}=${value}[${index}];${inner}}`
    }
    const items = own(schema, 'items')
    if (items === false && prefix.length > 0)
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

  #contains(schema: JsonObject, place: Place): string {
    const contained = own(schema, 'contains')
    if (contained === undefined) return ''
    const { depth, seen } = place
    const [min, max] = [own(schema, 'minContains') ?? 1, own(schema, 'maxContains')]
    const count = `c${depth}`
    const counted = `${count}++${seen === '' ? '' : `;${seen}?.indexes.add(i${depth})`}`
    const loop = this.#eachItem(
      place,
      '0',
      (item) => `if(${this.#passes(contained, { ...item, seen: '' })}){${counted}}`
    )
    const isFew = [`${count}<${min}`, ...(max === undefined ? [] : [`${count}>${max}`])].join('||')
    const params = `{minContains:${min}${max === undefined ? '' : `,maxContains:${max}`}}`
    return `{let ${count}=0;${loop}${this.#fails(`(${isFew})`, place, 'contains', params)}}`
  }

  #object(schema: JsonObject, place: Place): string {
    const { value } = place
    let code = this.#required((own(schema, 'required') ?? []) as string[], place)
    code += this.#limits(schema, 'Properties', `Object.keys(${value}).length`, place)
    code += this.#dependent(schema, place)
    code += this.#properties((own(schema, 'properties') ?? {}) as JsonObject, place)
    return code + this.#names(schema, place)
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

  #dependent(schema: JsonObject, place: Place): string {
    const { value } = place
    let code = ''
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'])
      for (const [name, dependent] of Object.entries((own(schema, keyword) ?? {}) as JsonObject)) {
        const params = `{property:${JSON.stringify(name)},missingProperty:x}`
        const inner = Array.isArray(dependent)
          ? this.#eachMissing(dependent as string[], place, keyword, params)
          : this.#schema(dependent as Schema, place)
        if (inner !== '') code += `if(${hasMember(value, name)}){${inner}}`
      }
    return code
  }

  #properties(properties: JsonObject, place: Place): string {
    const { value, seen } = place
    const groups = Map.groupBy(byDifference(properties), ([, schema]) => stringify(schema))
    let code = ''
    for (const members of groups.values()) {
      const [, schema] = members[0] as [string, Json]
      if (members.length >= leastLooped) {
        const names = this.#constant(JSON.stringify(members.map(([name]) => name)), 'names')
        code += this.#eachName(names, place, schema)
      } else
        for (const [name] of members) {
          const member = memberOf(place, name)
          const inner = this.#member(schema, member)
          if (inner !== '')
            code += `{const ${member.value}=${at(value, name)};if(${member.value}!==undefined&&$.hasOwn(${value},${JSON.stringify(name)})){${inner}}}`
        }
    }
    const names = Object.keys(properties)
    if (seen !== '' && names.length > 0) {
      const listed = this.#constant(JSON.stringify(names), 'names')
      code += `if(${seen})for(const x of ${listed})if($.hasOwn(${value},x))${seen}.names.add(x);`
    }
    return code
  }

  /** Writes a loop over declared names whose schemas are equal. */
  #eachName(names: string, place: Place, schema: Json): string {
    const { value } = place
    const member = namedMember(place)
    const name = member.key
    const inner = this.#member(schema, member)
    if (inner === '') return ''
    return `for(const ${name} of ${names}){const ${member.value}=${value}[${name}];if(${member.value}!==undefined&&$.hasOwn(${value},${name})){${inner}}}`
  }

  /** Writes a loop over the names of the value, for the keywords that concern names which are not declared. */
  #names(schema: JsonObject, place: Place): string {
    const { value, seen } = place
    const member = namedMember(place)
    const name = member.key
    const isSeen = seen === '' ? '' : `${seen}?.names.add(${name});`
    const valued = (code: string) => (code === '' ? '' : `const ${member.value}=${value}[${name}];${code}`)
    let code = ''
    const allowed = own(schema, 'propertyNames')
    if (allowed !== undefined && allowed !== true) {
      const named = { ...ownPlace, value: name, holder: 'undefined', key: 'undefined' }
      const params = `{propertyName:${name}}`
      code += this.#fails(`!${this.#passes(allowed, named)}`, place, 'propertyNames', params)
    }
    const patterns = Object.entries((own(schema, 'patternProperties') ?? {}) as JsonObject)
    const tests = patterns.map(([source]) => `${this.#pattern(source)}.test(${name})`)
    for (const [index, [, each]] of patterns.entries()) {
      const inner = isSeen + valued(this.#member(each, member))
      if (inner !== '') code += `if(${tests[index]}){${inner}}`
    }
    const additional = own(schema, 'additionalProperties')
    if (additional !== undefined) {
      const inner =
        additional === false
          ? this.#fails('true', place, 'additionalProperties', `{additionalProperty:${name}}`)
          : isSeen + valued(this.#member(additional, member))
      const declared = this.#isDeclared(Object.keys((own(schema, 'properties') ?? {}) as JsonObject), name)
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
  #unevaluated(schema: JsonObject, place: Place): string {
    const { value, depth, seen } = place
    const [members, items] = [own(schema, 'unevaluatedProperties'), own(schema, 'unevaluatedItems')]
    let code = ''
    if (members !== undefined) {
      const member = namedMember(place)
      const name = member.key
      const inner =
        members === false
          ? this.#fails('true', place, 'unevaluatedProperties', `{unevaluatedProperty:${name}}`)
          : `const ${member.value}=${value}[${name}];${this.#member(members, member)}`
      code += `if($.isObject(${value}))for(const ${name} of Object.keys(${value}))if(!${seen}.names.has(${name})){${seen}.names.add(${name});${inner}}`
    }
    if (items === undefined) return code
    const evaluated = `if(${seen}.indexes.has(i${depth}))continue;`
    const loop =
      items === false
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

const simple: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'required', 'properties'])

const bounds = {
  minimum: { wanted: '>=', broken: '<' },
  maximum: { wanted: '<=', broken: '>' },
  exclusiveMinimum: { wanted: '>', broken: '<=' },
  exclusiveMaximum: { wanted: '<', broken: '>=' }
} as const

/** Ranges of the formats int32 and int64 (OpenAPI format registry). */
const ranges = { int32: 'isInt32', int64: 'isInt64' } as const

const isPlain = (values: readonly Json[]): boolean =>
  values.every((value) => ['string', 'boolean'].includes(typeof value) || value === null)

/** Returns those properties first by which branches differ: most branches then fail early. */
const byDifference = (properties: JsonObject): [string, Json][] => {
  const rank = ([, schema]: [string, Json]) =>
    Number(!['const', 'enum'].some((key) => Object.hasOwn(Object(schema), key)))
  return Object.entries(properties).sort((a, b) => rank(a) - rank(b))
}
