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
  type Style
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
      return this.#checked(
        parts,
        this.#anyOf(
          alternatives.map((each) => [...others, each]),
          place
        )
      )
    }
    const constants = constantsOf(parts)
    return this.#checked(
      parts,
      constants === undefined ? this.#ofTypes(parts, place) : this.#ofConstants(constants, parts)
    )
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
    const isOpen = parts.some((part) => checkedKeywords.some((key) => part[key] !== undefined))
    return isOpen ? kept(instances, (value) => this.#schemas.holds(parts, value)) : instances
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
  'dependentSchemas',
  'maxProperties',
  'minProperties'
]

/** Names an item after its list. */
const singular = (name: string): string => name.replace(/s$/, '')

const known = new WeakMap<Schema, readonly Schema[]>()

/**
 * Splits a union or a condition into alternatives, each without it.
 * @returns schemas of which every instance of the schema has at least one; undefined for a schema without a union
 */
function alternativesOf(schema: Schema): readonly Schema[] | undefined {
  const found = known.get(schema) ?? split(schema)
  if (found !== undefined) known.set(schema, found)
  return found
}

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

/** Replaces `not` of a few simple schemas by its meaning; any other is left to the check of the instance. */
function negated({ not: excluded, ...rest }: Schema): readonly Schema[] | undefined {
  if (excluded === undefined || excluded.never) return undefined
  const keywords = Object.keys(excluded).filter((key) => !silent.has(key))
  if (keywords.length === 0) return [never]
  const { required = new Set<string>(), properties = new Map<string, Schema>() } = excluded
  if (!keywords.every((key) => key === 'required' || key === 'properties')) return undefined
  if (properties.size === 0) return [...required].map((name) => beside(rest, lacking(name)))
  const others = [...properties].map(([name, value]) =>
    beside(rest, make({ required: new Set([name]), ...of(name, make({ not: value }, value)) }, value))
  )
  const [name] = required
  return name === undefined ? others : [...others, beside(rest, lacking(name))]
}

/** Members that constrain no value. */
const silent: ReadonlySet<string> = new Set([
  ...['name', 'origin', 'examples', 'extensions', 'title', 'description', 'default', 'deprecated']
])
