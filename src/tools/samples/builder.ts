/** Builds the instances of schemas that apply together: alternatives apart, constants, then each type. */
import { anyValue, idOf, isNull, type Json, make, type Schema, type Type } from '@contract-first/contract'
import fc from 'fast-check'
import { Budget, kept } from './budget.ts'
import { valuesOf } from './members.ts'
import { numberInstances } from './number-instances.ts'
import { arrayInstances, objectInstances } from './object-instances.ts'
import {
  allowedTypes,
  constantsOf,
  type InstancesOf,
  likelyTypes,
  type Schemas,
  type Style,
  types
} from './schemas.ts'
import { textInstances } from './text-instances.ts'

type Instances = fc.Arbitrary<unknown> | undefined

interface Place {
  /** Name of the property; empty if the value is not a property. */
  readonly name: string
  /** Levels of lists and objects that may follow. */
  readonly depth: number
  readonly isLean: boolean
}

/** Levels of a value with only required parts; a schema that needs more has no instance here. */
const maxLeanDepth = 64

/** Most values of an enumeration, or examples, to choose from. */
const maxListed = 1_000

export class Builder {
  readonly #schemas: Schemas
  readonly #style: Style
  readonly #known = new Map<string, Instances>()
  readonly #depth: number
  readonly #budget: Budget

  /** @param depth levels in which optional parts are made, too */
  constructor(schemas: Schemas, style: Style, depth: number) {
    this.#schemas = schemas
    this.#style = style
    this.#depth = depth
    this.#budget = new Budget(depth > 0)
  }

  /** Is called within `withinBudget`, and so are the instances. */
  build(schema: Schema): Instances {
    return this.#budget.build(() => this.#build([schema], { name: '', depth: this.#depth, isLean: false }))
  }

  /** Returns beyond the depth the instances that need the fewest levels. */
  #build(all: readonly Schema[], place: Place): Instances {
    if (place.isLean || place.depth > 0) return this.#cached(all, place)
    for (let depth = 1; depth <= maxLeanDepth; depth++) {
      const found = this.#cached(all, { ...place, depth, isLean: true })
      if (found !== undefined) return found
    }
    return undefined
  }

  #cached(all: readonly Schema[], place: Place): Instances {
    const parts = place.depth > 0 ? this.#schemas.parts(all) : undefined
    if (parts === undefined) return undefined
    const key = `${parts.map(idOf).join()} ${place.depth} ${place.isLean} ${place.name}`
    if (this.#known.has(key)) return this.#known.get(key)
    // A schema that refers only to itself has no instance.
    this.#known.set(key, undefined)
    const made = this.#make(parts, place)
    const counted = made === undefined ? undefined : this.#budget.counted(made)
    this.#known.set(key, counted)
    return counted
  }

  #make(parts: readonly Schema[], place: Place): Instances {
    const examples = this.#examples(parts)
    if (examples.length > 0) return fc.constantFrom(...examples.slice(0, maxListed))
    for (const part of parts) {
      const alternatives = alternativesOf(part)
      if (alternatives === undefined) continue
      const others = parts.filter((other) => other !== part)
      const anyOf = (schemas: readonly Schema[] = []) =>
        this.#checked(
          parts,
          this.#anyOf(
            schemas.map((each) => [...others, each]),
            place
          )
        )
      return anyOf(alternatives) ?? anyOf(apart(part)) ?? this.#simplest(parts)
    }
    const constants = constantsOf(parts)
    if (constants !== undefined) return this.#ofConstants(constants, parts)
    return this.#checked(parts, this.#ofTypes(parts, place)) ?? this.#simplest(parts)
  }

  #examples(parts: readonly Schema[]): unknown[] {
    if (!this.#style.usesExamples) return []
    const listed = parts
      .flatMap(({ examples }) => examples.map(({ value }) => value))
      .filter((value) => value !== undefined)
    const given = listed.length > 0 ? listed : valuesOf(parts, 'default')
    return given.filter((value) => this.#schemas.holds(parts, value))
  }

  /** Makes instances of any of the conjunctions; plain ones are null only when nothing else is possible. */
  #anyOf(conjunctions: readonly (readonly Schema[])[], place: Place): Instances {
    const possible = conjunctions.filter((all) => !this.#isNull(all))
    const found: fc.Arbitrary<unknown>[] = []
    for (const all of possible) {
      this.#budget.combine()
      const made = this.#build(all, place)
      if (made !== undefined) found.push(made)
      if (found.length > 0 && this.#budget.isScarce) break
    }
    if (found.length > 0 && this.#style.isPlain) return fc.oneof(...found)
    const nulls = conjunctions
      .filter((all) => this.#isNull(all))
      .flatMap((all) => this.#build(all, place) ?? [])
    return found.length + nulls.length === 0 ? undefined : fc.oneof(...found, ...nulls)
  }

  #isNull(all: readonly Schema[]): boolean {
    return this.#schemas.parts(all)?.some(isNull) === true
  }

  /** Filters instances by the keywords that no construction guarantees. */
  #checked(parts: readonly Schema[], instances: Instances): Instances {
    return isOpen(parts) ? kept(instances, (value) => this.#schemas.holds(parts, value)) : instances
  }

  /** Returns values for parts that refuse what is made of their types, such as `not` of the likely ones. */
  #simplest(parts: readonly Schema[]): Instances {
    return isOpen(parts) ? this.#ofConstants(simplest, parts) : undefined
  }

  #ofConstants(constants: readonly Json[], parts: readonly Schema[]): Instances {
    const fitting = constants.slice(0, maxListed).filter((value) => this.#schemas.holds(parts, value))
    const shown = this.#style.isPlain ? fitting.filter((value) => value !== null) : fitting
    const chosen = shown.length === 0 ? fitting : shown
    return chosen.length === 0 ? undefined : fc.constantFrom(...chosen)
  }

  #ofTypes(parts: readonly Schema[], place: Place): Instances {
    const allowed = allowedTypes(parts)
    const wanted = likelyTypes(parts, allowed).filter((type) => !this.#style.isPlain || type !== 'null')
    for (const some of [wanted, allowed]) {
      const found = some.flatMap((type) => this.#ofType(type, parts, place) ?? [])
      if (found.length > 0) return fc.oneof(...found)
    }
    return undefined
  }

  #ofType(type: Type, parts: readonly Schema[], place: Place): Instances {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'object') return objectInstances(parts, this.#inner(place))
    if (type === 'array') return arrayInstances(parts, this.#inner(place))
    const isFitting = (value: unknown) => {
      if (typeof value === 'string') this.#budget.write(value)
      return this.#schemas.holds(parts, value)
    }
    if (type !== 'string') return kept(numberInstances(parts, type, this.#style), isFitting)
    return textInstances(parts, this.#style, place.name, isFitting, this.#budget)
  }

  #inner({ name, depth, isLean }: Place): InstancesOf {
    return {
      schemas: this.#schemas,
      style: this.#style,
      budget: this.#budget,
      isLean,
      of: (all, inner = singular(name)) => this.#build(all, { name: inner, depth: depth - 1, isLean })
    }
  }
}

/** Keywords that are checked after the construction of an instance. */
const checkedKeywords: readonly (keyof Schema)[] = [
  'not',
  'oneOf',
  'if',
  'contains',
  'uniqueItems',
  'dependentRequired',
  'dependentSchemas',
  'maxProperties',
  'minProperties'
]

/** Returns true for parts with a keyword that no construction guarantees. */
const isOpen = (parts: readonly Schema[]): boolean =>
  parts.some((part) => checkedKeywords.some((key) => part[key] !== undefined))

const simplest: readonly Json[] = [0.5, 'a', true, {}, [], 0, 1, '', false, ['a'], [0], [null], null]

/** Names an item after its list. */
const singular = (name: string): string => name.replace(/s$/, '')

/** Keeps what is derived of a schema, so that the same alternatives are built once. */
function derived(derive: (schema: Schema) => readonly Schema[] | undefined) {
  const known = new WeakMap<Schema, readonly Schema[] | undefined>()
  return (schema: Schema): readonly Schema[] | undefined => {
    if (!known.has(schema)) known.set(schema, derive(schema))
    return known.get(schema)
  }
}

/**
 * Splits a union, a condition or a negation into alternatives, each without it.
 * @returns schemas of which every instance of the schema has at least one; undefined for a schema without these
 */
const alternativesOf = derived(split)

function split(schema: Schema): readonly Schema[] | undefined {
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return ofUnion(schema)
  if (schema.if !== undefined) return ofCondition(schema)
  const [dependency] = schema.dependentSchemas ?? []
  return dependency === undefined ? negated(schema) : ofDependency(schema, dependency)
}

/** Returns a schema of both: what is left of one, and further parts. */
const beside = (rest: Schema, ...allOf: readonly Schema[]): Schema => ({ ...rest, allOf })

const never = make({ never: true }, anyValue)

/** Returns the schema of an object with values of a property. */
const having = (name: string, value: Schema): Schema =>
  make({ types: new Set(['object'] as const), required: new Set([name]), ...of(name, value) }, value)
const lacking = (name: string): Schema => make(of(name, never), anyValue)
const of = (name: string, value: Schema) => ({ properties: new Map([[name, value]]) })

function ofUnion(schema: Schema): Schema[] {
  const { discriminator, oneOf, ...others } = schema
  const { anyOf, ...rest } = others
  const union = oneOf ?? anyOf ?? []
  const left = oneOf === undefined ? rest : others
  const { property = '', tags, otherwise } = discriminator ?? {}
  return union.flatMap((branch) => {
    const values = [...(tags ?? [])].flatMap(([value, to]) => (to === branch ? [value] : []))
    if (values.length === 0) return [beside(left, branch)]
    const tagged = beside(left, branch, having(property, make({ enum: values }, branch)))
    const isStandard = otherwise !== undefined && branch.ref === otherwise
    return isStandard ? [tagged, beside(left, branch, lacking(property))] : [tagged]
  })
}

/** Returns each branch of a `oneOf` beside the negation of the others: branches that are alike share most of their values. */
const apart = derived(({ oneOf: branches, ...rest }) =>
  branches?.map((branch) => {
    const others = branches.filter((other) => other !== branch)
    return beside(rest, branch, ...others.map((other) => make({ not: other }, other)))
  })
)

function ofCondition({ if: condition = anyValue, then = anyValue, else: other = anyValue, ...rest }: Schema) {
  return [beside(rest, condition, then), beside(rest, make({ not: condition }, condition), other)]
}

function ofDependency(schema: Schema, [name, consequence]: readonly [string, Schema]): Schema[] {
  const { dependentSchemas, ...rest } = schema
  const others = new Map(dependentSchemas)
  others.delete(name)
  const remaining = others.size === 0 ? rest : { ...rest, dependentSchemas: others }
  const present = make({ required: new Set([name]) }, consequence)
  return [beside(remaining, present, consequence), beside(remaining, lacking(name))]
}

/** Splits `not` by De Morgan's laws; keywords that have no opposite are left to the check of the instance. */
function negated({ not: excluded, ...rest }: Schema): readonly Schema[] | undefined {
  if (excluded === undefined || excluded.never) return undefined
  const keywords = Object.keys(excluded).filter((key) => !silent.has(key))
  if (keywords.length === 0) return [never]
  const not = (schema: Schema) => make({ not: schema }, schema)
  const { ref, allOf = [], anyOf, types: ofOthers, required = [], properties = [] } = excluded
  const opposites = [
    ...[...properties].map(([name, value]) => having(name, not(value))),
    ...[...required].map(lacking),
    ...[...(excluded.dependentRequired ?? [])].flatMap(([name, others]) =>
      others.map((other) => make({ allOf: [having(name, anyValue), lacking(other)] }, excluded))
    ),
    ...(excluded.items === undefined ? [] : [listOf(excluded, not(excluded.items))]),
    ...(excluded.additional === undefined ? [] : [having(freshName(excluded), not(excluded.additional))]),
    ...[...(ref === undefined ? [] : [ref]), ...allOf].map(not),
    ...(anyOf === undefined ? [] : [make({ allOf: anyOf.map(not) }, excluded)]),
    ...(excluded.not === undefined ? [] : [excluded.not]),
    ...(ofOthers === undefined ? [] : [make({ types: new Set(types).difference(ofOthers) }, excluded)]),
    ...bounds.flatMap(([bound, type, opposite, step]) => {
      const limit = excluded[bound]
      return limit === undefined
        ? []
        : [make({ types: new Set([type]), [opposite]: Number(limit) + step }, excluded)]
    })
  ].map((each) => beside(rest, each))
  if (opposites.length === 0) return undefined
  return keywords.every((key) => negatable.has(key)) ? opposites : [...opposites, rest]
}

/** Returns the schema of a list whose items behind the prefix, of which there is one, have a schema. */
const listOf = ({ prefix = [], ...schema }: Schema, items: Schema): Schema =>
  make(
    {
      types: new Set(['array'] as const),
      minItems: prefix.length + 1,
      prefix: prefix.map(() => anyValue),
      items
    },
    schema
  )

/** Returns a name that a schema does not declare. */
function freshName({ properties, patterns = [] }: Schema): string {
  const isDeclared = (name: string) =>
    properties?.has(name) === true || patterns.some(({ pattern }) => pattern.regexp.test(name))
  return ['other', 'a', 'b0', '_', 'X-1', '~'].find((name) => !isDeclared(name)) ?? 'undeclared'
}

/** Bounds, the type that they concern, and the bound of the values that they refuse. */
const bounds = [
  ['minimum', 'number', 'exclusiveMaximum', 0],
  ['maximum', 'number', 'exclusiveMinimum', 0],
  ['exclusiveMinimum', 'number', 'maximum', 0],
  ['exclusiveMaximum', 'number', 'minimum', 0],
  ['minLength', 'string', 'maxLength', -1],
  ['maxLength', 'string', 'minLength', 1],
  ['minItems', 'array', 'maxItems', -1],
  ['maxItems', 'array', 'minItems', 1],
  ['minProperties', 'object', 'maxProperties', -1],
  ['maxProperties', 'object', 'minProperties', 1]
] as const satisfies readonly (readonly [keyof Schema, Type, keyof Schema, number])[]

/** Keywords that `negated` replaces. */
const negatable: ReadonlySet<string> = new Set([
  ...['ref', 'allOf', 'anyOf', 'not', 'types', 'required', 'properties', 'dependentRequired'],
  ...bounds.map(([bound]) => bound)
])

/** Members that constrain no value. */
const silent: ReadonlySet<string> = new Set([
  ...['name', 'origin', 'examples', 'extensions', 'title', 'description', 'default', 'deprecated']
])
