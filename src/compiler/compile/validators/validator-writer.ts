/**
 * Writes the code of validators: one function for each definition, which collects errors or only decides (JSON Schema
 * draft 2020-12). A part of a schema that is a branch, or large, has a function of its own.
 *
 * Names in the code: `v` value, `p` its path, `r` run, `s` evaluated members, `$` the
 * functions of runtime/validators.ts, `f` those of runtime/formats.ts.
 */
import type { Schema, Type } from '@contract-first/contract'
import type { Definition, Definitions } from './definitions.ts'
import { type Hidden, nothingHidden, type Reading } from './reading.ts'
import {
  at,
  Code,
  hasMember,
  isPlain,
  maxCompared,
  memberOf,
  namedMember,
  onlyType,
  ownPlace,
  type Place,
  placeArguments,
  tracking,
  typeTest,
  ValueKeywords
} from './value-keywords.ts'

/** Least keywords of a member's schema that has a function of its own, which equal schemas share. */
const leastKeywords = 32

/** Least number of members with equal schemas, or of required names, that are checked in a loop. */
const leastLooped = 4

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
  /** Names of functions by schema and whether evaluated members are collected. */
  readonly #functions = new Map<string, string>()
  readonly #code = new Code()
  readonly #values: ValueKeywords
  /** Definitions that the current one calls. */
  #called = new Set<string>()

  constructor(definitions: Definitions, options: WriterOptions) {
    this.#definitions = definitions
    this.#reading = definitions.reading
    this.#options = options
    this.#values = new ValueKeywords(this.#reading, this.#code)
  }

  /** Names of the own formats that the code calls. */
  get formats(): ReadonlySet<string> {
    return this.#values.formats
  }

  functionName(definition: string): string {
    return `${this.#options.prefix}_${definition}$`
  }

  definition(name: string): WrittenDefinition {
    this.#code.declarations = []
    this.#called = new Set()
    const { memoised, tracked } = this.#options
    const { schema, hidden } = this.#definitions.all.get(name) as Definition
    const write = (place: Place) => this.#body(schema, place, hidden)
    const code = this.#function(this.functionName(name), write, tracked.has(name), memoised.has(name))
    return { code: [...this.#code.declarations, code].join(''), called: this.#called }
  }

  #function(name: string, write: (place: Place) => string, isTracked: boolean, isMemoised = false): string {
    const outer = this.#code.refused
    const place = { ...ownPlace, seen: isTracked ? 's' : '' }
    this.#code.refused = 'return!1;'
    const code = isMemoised ? this.#memoised(name, write, place) : `${write(place)}return r.failures===n`
    this.#code.refused = outer
    return `function ${name}(v,p,r${isTracked ? ',s' : ''}){const n=r.failures;${code}}\n`
  }

  /** Writes the cache into the function, because a wrapper would halve the depth at which the stack overflows. */
  #memoised(name: string, write: (place: Place) => string, place: Place): string {
    const isTracked = place.seen !== ''
    const remember = (isValid: string, seen: string) =>
      `return $.remember(r,${name},v,p,${isValid}${isTracked ? `,${seen}` : ''});`
    this.#code.refused = remember('!1', 'm')
    const known = `const o=$.recall(r,${name},v,p${tracking(place)});if(o!==undefined)return o;`
    if (!isTracked) return `${known}${write(place)}${remember('r.failures===n', '')}`
    const code = write({ ...place, seen: 'm' })
    return `${known}const m=s&&new $.Seen();${code}s?.add(m);${remember('r.failures===n', 'm')}`
  }

  /** Returns the name of the function of a schema: of its target, if the schema is only a reference. */
  #check(schema: Schema, isTracked: boolean): string {
    const target = this.#definitions.definitionName(schema)
    if (target !== undefined) return this.#target(target)
    const id = `${isTracked} ${this.#reading.numberOf(schema)}`
    const known = this.#functions.get(id)
    if (known !== undefined) return known
    const name = `${this.#options.prefix}$${this.#functions.size}`
    this.#functions.set(id, name)
    const code = this.#function(name, (place) => this.#body(schema, place, nothingHidden), isTracked)
    this.#code.declarations.push(code)
    return name
  }

  #target(name: string): string {
    this.#called.add(name)
    return this.functionName(name)
  }

  /** Calls the function of a schema for its errors. */
  #call(name: string, place: Place): string {
    const path = place.path === '' ? 'p' : `$.below(r,p,${place.path})`
    return `if(!${name}(${place.value},${path},r${tracking(place)})&&r.isBrief)${this.#code.refused}`
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
      conditions.push(this.#values.isOneOf(values, place))
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
  #schema(schema: Schema, place: Place, hidden = nothingHidden): string {
    const shared = this.#definitions.shared(schema)
    return shared === undefined ? this.#body(schema, place, hidden) : this.#call(this.#target(shared), place)
  }

  #body(written: Schema, place: Place, outer: Hidden): string {
    const schema = this.#reading.judged(written)
    if (schema.never) return this.#code.fails('true', place, 'false schema')
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
      this.#values.types(schema, place),
      this.#values.numbers(schema, place),
      this.#group(schema, 'string', place, this.#values.text(schema, place)),
      ...(['boolean', 'null'] as const).map((type) => this.#group(schema, type, place, '')),
      this.#values.bytes(schema, place),
      this.#reference(schema, place, hidden),
      this.#values.values(schema, place),
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
    const refused = this.#code.fails(`!(${test})`, place, 'type', `{type:"${type}"}`)
    return code === ''
      ? refused
      : `if(${test}){${code}}else ${this.#code.fails('true', place, 'type', `{type:"${type}"}`)}`
  }

  #reference({ ref }: Schema, place: Place, hidden: Hidden): string {
    return ref === undefined ? '' : this.#call(this.#target(this.#definitions.target(ref, hidden)), place)
  }

  #branches(schema: Schema, place: Place, hidden: Hidden): string {
    const { not, anyOf, oneOf, allOf = [] } = schema
    let code = ''
    if (not !== undefined) code += this.#code.fails(this.#passes(not, { ...place, seen: '' }), place, 'not')
    if (anyOf !== undefined) {
      const passes =
        place.seen === ''
          ? anyOf.map((each) => this.#passes(each, place)).join('||')
          : this.#union('anyOf', anyOf, place)
      code += this.#code.fails(`!(${passes})`, place, 'anyOf')
    }
    if (oneOf !== undefined) {
      const found = `o${place.depth}`
      const failure = this.#code.fails(`${found}!==undefined`, place, 'oneOf', found)
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

  #union(keyword: 'anyOf' | 'oneOf', union: readonly Schema[], place: Place): string {
    const checks = union.map((each) => this.#check(each, place.seen !== ''))
    return `$.${keyword}(${this.#code.constant(`[${checks.join()}]`, 'checks')},${placeArguments(place)})`
  }

  /** Writes what concerns the value of a member. */
  #member(schema: Schema, place: Place): string {
    const isOwn = this.#reading.sizeOf(schema) >= leastKeywords
    return isOwn ? this.#call(this.#check(schema, false), place) : this.#schema(schema, place)
  }

  #list(schema: Schema, place: Place): string {
    const { value, depth, seen } = place
    const { items, prefix = [] } = schema
    let code = this.#code.limits('Items', schema.minItems, schema.maxItems, `${value}.length`, place)
    if (schema.uniqueItems) {
      const found = `q${depth}`
      const failure = this.#code.fails(`${found}!==undefined`, place, 'uniqueItems', found)
      code += `{const ${found}=$.equalItems(${value},r);${failure}}`
    }
    for (const [index, each] of prefix.entries()) {
      const item = memberOf(place, index)
      const inner = this.#member(each, item)
      if (inner !== '')
        code += `if(${value}.length>${index}){const ${item.value}=${value}[${index}];${inner}}`
    }
    if (items?.never && prefix.length > 0)
      code += this.#code.fails(`${value}.length>${prefix.length}`, place, 'items', `{limit:${prefix.length}}`)
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
    return `{let ${count}=0;${loop}${this.#code.fails(`(${isFew})`, place, 'contains', params)}}`
  }

  #object(schema: Schema, place: Place, hidden: Hidden): string {
    const { required = [], minProperties, maxProperties } = schema
    const names = [...required].filter((name) => !hidden.has(name))
    return [
      this.#required(names, place),
      this.#code.limits(
        'Properties',
        minProperties,
        maxProperties,
        `Object.keys(${place.value}).length`,
        place
      ),
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
          this.#code.fails(
            `!${hasMember(place.value, name)}`,
            place,
            'required',
            missing(JSON.stringify(name))
          )
        )
        .join('')
    return this.#eachMissing(names, place, 'required', missing('x'))
  }

  /** Writes a loop that reports each name, `x`, which the value does not have. */
  #eachMissing(names: readonly string[], place: Place, keyword: string, params: string): string {
    const listed = this.#code.constant(JSON.stringify(names), 'names')
    const isAbsent = `(${place.value}[x]===undefined||!$.hasOwn(${place.value},x))`
    return `for(const x of ${listed})${this.#code.fails(isAbsent, place, keyword, params)}`
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
    const properties = [...(schema.properties ?? [])]
    const kindOf = (property: Schema) => this.#kindOf(schema, property)
    const isListed = ([, property]: readonly [string, Schema]) =>
      typeof kindOf(property) === 'number' && (property.const !== undefined || property.enum !== undefined)
    // Those by which branches differ come first: most branches then fail early.
    const ordered = properties.toSorted((a, b) => Number(isListed(b)) - Number(isListed(a)))
    let code = ''
    for (const [kind, members] of Map.groupBy(ordered, ([, property]) => kindOf(property))) {
      const names = members.map(([name]) => name)
      const [[, property] = ['', schema]] = members
      const write = (member: Place) =>
        kind === 'hidden' ? this.#hidden(member) : this.#member(property, member)
      code += names.length < leastLooped ? this.#each(names, place, write) : this.#loop(names, place, write)
    }
    if (seen !== '' && properties.length > 0) {
      const listed = this.#code.constant(JSON.stringify(properties.map(([name]) => name)), 'names')
      code += `if(${seen})for(const x of ${listed})if($.hasOwn(${value},x))${seen}.names.add(x);`
    }
    return code
  }

  /** Returns the same for properties with equal code: a number for a schema that is written in place. */
  #kindOf(schema: Schema, property: Schema): number | string {
    if (this.#reading.hidden.has(schema, property)) return 'hidden'
    return this.#definitions.shared(property) ?? this.#reading.numberOf(property)
  }

  /** Refuses a hidden property in a request. One in a response is valid, but a server does not serialize it. */
  #hidden(member: Place): string {
    const { view, hidden } = this.#reading
    return view === 'response' ? '' : this.#code.fails('true', member, hidden.flag)
  }

  /** Writes what concerns declared names, one after the other. */
  #each(names: readonly string[], place: Place, write: (member: Place) => string): string {
    const { value } = place
    const written = names.map((name) => {
      const member = memberOf(place, name)
      const inner = write(member)
      return inner === ''
        ? ''
        : `{const ${member.value}=${at(value, name)};if(${member.value}!==undefined&&$.hasOwn(${value},${JSON.stringify(name)})){${inner}}}`
    })
    return written.join('')
  }

  /** Writes what concerns declared names as a loop. */
  #loop(names: readonly string[], place: Place, write: (member: Place) => string): string {
    const { value } = place
    const member = namedMember(place)
    const name = member.key
    const listed = this.#code.constant(JSON.stringify(names), 'names')
    const inner = write(member)
    if (inner === '') return ''
    return `for(const ${name} of ${listed}){const ${member.value}=${value}[${name}];if(${member.value}!==undefined&&$.hasOwn(${value},${name})){${inner}}}`
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
      const named = { ...ownPlace, value: name }
      const passes = this.#passes(names, named)
      if (passes !== 'true')
        code += this.#code.fails(`!${passes}`, place, 'propertyNames', `{propertyName:${name}}`)
    }
    const tests = patterns.map(({ pattern }) => `${this.#code.pattern(pattern)}.test(${name})`)
    for (const [index, each] of patterns.entries()) {
      const inner = isSeen + valued(this.#member(each.schema, member))
      if (inner !== '') code += `if(${tests[index]}){${inner}}`
    }
    if (additional !== undefined) {
      const inner = additional.never
        ? this.#code.fails('true', place, 'additionalProperties', `{additionalProperty:${name}}`)
        : isSeen + valued(this.#member(additional, member))
      const declared = this.#isDeclared([...(properties?.keys() ?? [])], name)
      const known = [...declared, ...tests].join('||')
      if (inner !== '') code += known === '' ? `{${inner}}` : `if(!(${known})){${inner}}`
    }
    return code === '' ? '' : `for(const ${name} of Object.keys(${value})){${code}}`
  }

  #isDeclared(names: readonly string[], name: string): string[] {
    if (names.length <= maxCompared) return names.map((each) => `${name}===${JSON.stringify(each)}`)
    return [
      `${this.#code.constant(`/* @__PURE__ */new Set(${JSON.stringify(names)})`, 'declared')}.has(${name})`
    ]
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
        ? this.#code.fails('true', place, 'unevaluatedProperties', `{unevaluatedProperty:${name}}`)
        : `const ${member.value}=${value}[${name}];${this.#member(members, member)}`
      code += `if($.isObject(${value}))for(const ${name} of Object.keys(${value}))if(!${seen}.names.has(${name})){${seen}.names.add(${name});${inner}}`
    }
    if (items === undefined) return code
    const evaluated = `if(${seen}.indexes.has(i${depth}))continue;`
    const loop = items.never
      ? this.#eachItem(
          place,
          `${seen}.items`,
          () => `${this.#code.fails('true', place, 'unevaluatedItems', `{limit:${seen}.items}`)}break;`,
          evaluated
        )
      : this.#eachItem(place, `${seen}.items`, (item) => this.#member(items, item), evaluated)
    return `${code}if(Array.isArray(${value})){${loop}${seen}.items=${value}.length}`
  }
}

const simple: ReadonlySet<string> = new Set(['types', 'enum', 'const', 'required', 'properties'])
