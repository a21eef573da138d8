/**
 * The values that schemas allow, as alternatives of one type each: the meaning of references, `allOf`, `anyOf` and
 * `oneOf`; and of `unevaluated…` (JSON Schema Core 2020-12, section 11), because within one case every applicator is
 * known.
 */
import {
  type Flag,
  type Json,
  make,
  partsOf,
  type Schema,
  target,
  typeOf,
  type Writer
} from '@contract-first/contract'
import { fits, formatCheck, identitiesIn, identity, integerRanges } from '../../samples/fit.ts'
import { prefixLength, requiredOf } from '../../samples/members.ts'
import { isHidden } from './members.ts'

export { identitiesIn, identity }

export const types = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type Type = (typeof types)[number]

/** A `oneOf` on the way to a case: its values match one branch and none of the others. */
interface Choice {
  readonly branches: readonly Schema[]
  /** Position of the branch. */
  readonly chosen: number
}

/** Values of one type that satisfy the own keywords of every schema. */
export interface Case {
  readonly type: Type
  readonly isInteger: boolean
  /** Possible values, if `enum` or `const` list them. */
  readonly values: readonly Json[] | undefined
  /** Schemas whose own keywords hold; their compositions and references have become cases. */
  readonly schemas: readonly Schema[]
  /** The branches of unions that lead here, the outermost first. */
  readonly branches: readonly Schema[]
  readonly choices: readonly Choice[]
  /** True when the case allows more than its schema, because a union was too large, or a condition declares more. */
  readonly isApproximate: boolean
}

const plain = { isInteger: false, schemas: [], branches: [], choices: [], isApproximate: false } as const

const anything: readonly Case[] = types.map((type) => ({
  ...plain,
  type,
  values: type === 'null' ? [null] : type === 'boolean' ? [true, false] : undefined
}))

/** Most cases of one schema; a larger product of unions is not expanded. */
const maxCases = 200

const whole = new WeakMap<Schema, readonly Case[]>()

export function casesOf(schemas: readonly Schema[]): readonly Case[] {
  const [only, ...others] = schemas
  const expansion = new Expansion()
  if (only !== undefined && others.length === 0) return expansion.cases(only)
  return product(schemas.map((schema) => expansion.cases(schema)))
}

class Expansion {
  readonly #known = new Map<Schema, readonly Case[]>()
  readonly #open = new Set<Schema>()
  #cuts = 0

  cases(written: Schema): readonly Case[] {
    const schema = target(written)
    const known = whole.get(schema) ?? this.#known.get(schema)
    if (known !== undefined) return known
    if (this.#open.has(schema)) {
      this.#cuts++
      return anything
    }
    const cuts = this.#cuts
    this.#open.add(schema)
    const cases = this.#expanded(schema)
    this.#open.delete(schema)
    // Cases of a schema that holds itself depend on where the cycle was entered.
    const found = this.#cuts === cuts ? whole : this.#known
    found.set(schema, cases)
    return cases
  }

  #expanded(schema: Schema): readonly Case[] {
    if (schema.never === true) return []
    const lists = [ownCases(schema)]
    if (schema.ref !== undefined) lists.push(this.cases(schema.ref))
    for (const part of schema.allOf ?? []) lists.push(this.cases(part))
    if (schema.anyOf !== undefined) lists.push(this.#union(schema.anyOf, false))
    if (schema.oneOf !== undefined) lists.push(this.#union(schema.oneOf, !isSelected(schema, schema.oneOf)))
    return product(lists).map((each) => closed(each, schema))
  }

  #union(branches: readonly Schema[], isExclusive: boolean): Case[] {
    return branches.flatMap((branch, chosen) =>
      this.cases(branch).map((each) => ({
        ...each,
        branches: [target(branch), ...each.branches],
        choices: isExclusive && branches.length > 1 ? [{ branches, chosen }, ...each.choices] : each.choices
      }))
    )
  }
}

/** Returns true when a discriminator chooses one alternative, so that no value is refused for another. */
const isSelected = ({ discriminator }: Schema, branches: readonly Schema[]): boolean =>
  discriminator?.tags !== undefined &&
  branches.every((branch) => {
    const parts = partsOf(branch)
    const isHere = (flag: Flag) => !isHidden(parts, discriminator.property, flag)
    return requiredOf(parts).has(discriminator.property) && isHere('readOnly') && isHere('writeOnly')
  })

function ownCases(schema: Schema): readonly Case[] {
  const { types: written, const: constant, enum: listed } = schema
  const values = constant === undefined ? listed : [constant]
  return anything
    .filter(({ type }) => written === undefined || written.has(type) || isIntegerType(type, written))
    .map((each): Case => {
      const own = values?.filter((value) => typeOf(value) === each.type)
      const isInteger = written !== undefined && isIntegerType(each.type, written) && !written.has('number')
      const both = constant === undefined ? own : common(own, listed)
      return { ...each, schemas: [schema], isInteger, values: common(each.values, both) }
    })
    .filter(isInhabited)
}

const isIntegerType = (type: Type, written: ReadonlySet<string>): boolean =>
  type === 'number' && written.has('integer')

const isInhabited = ({ values }: Case): boolean => values === undefined || values.length > 0

function product(lists: readonly (readonly Case[])[]): readonly Case[] {
  let cases = anything
  for (const list of lists) {
    const next = cases === anything ? list : cases.flatMap((each) => meet(each, list))
    cases = next.length > maxCases ? cases.map((each) => ({ ...each, isApproximate: true })) : next
  }
  return cases
}

/** Returns the values of a case that are in one of others, too. */
const meet = (a: Case, others: readonly Case[]): Case[] =>
  others.flatMap((b) => {
    if (a.type !== b.type) return []
    const merged: Case = {
      type: a.type,
      isInteger: a.isInteger || b.isInteger,
      values: common(a.values, b.values),
      schemas: [...new Set([...a.schemas, ...b.schemas])],
      branches: [...a.branches, ...b.branches],
      choices: [...a.choices, ...b.choices],
      isApproximate: a.isApproximate || b.isApproximate
    }
    return isInhabited(merged) ? [merged] : []
  })

function common(a: readonly Json[] | undefined, b: readonly Json[] | undefined): readonly Json[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const identities = identitiesIn(b)
  return a.filter((value) => identities.has(identity(value)))
}

/** Formats that every value of their type has. */
const freeFormats: ReadonlySet<string> = new Set(['binary', 'password', 'float', 'double'])

/** `yes` when it is certain, `no` when the opposite is. */
export type Answer = 'yes' | 'no' | 'unknown'

/**
 * Returns whether a value is one of some cases of its type.
 * @param known schemas that the value satisfies
 */
export function accepts(
  value: Json,
  cases: readonly Case[],
  writer: Writer,
  known: readonly Schema[] = []
): Answer {
  const fitting = cases.filter(
    ({ values, schemas }) =>
      (values === undefined || identitiesIn(values).has(identity(value))) && fits(value, schemas, writer)
  )
  if (fitting.length === 0) return 'no'
  const formats = new Set(known.map(({ format }) => format))
  const isOpen = ({ format }: Schema) =>
    format !== undefined &&
    !formats.has(format) &&
    !integerRanges.has(format) &&
    !freeFormats.has(format) &&
    formatCheck(format) === undefined
  return fitting.every(({ schemas }) => schemas.some(isOpen)) ? 'unknown' : 'yes'
}

/** Rewrites `unevaluatedProperties` and `unevaluatedItems` as keywords that do not depend on other schemas. */
function closed(each: Case, schema: Schema): Case {
  const { unevaluatedProperties, unevaluatedItems } = schema
  const further = each.type === 'object' ? unevaluatedProperties : unevaluatedItems
  if (further === undefined || (each.type !== 'object' && each.type !== 'array')) return each
  const { schemas } = each
  if (schemas.some(({ [each.type === 'object' ? 'additional' : 'items']: others }) => others !== undefined))
    return each
  if (schemas.some(isConditional)) return { ...each, isApproximate: true }
  const any = make({}, schema)
  const rest =
    each.type === 'array'
      ? { prefix: Array.from({ length: prefixLength(schemas) }, () => any), items: further }
      : {
          properties: new Map(
            schemas.flatMap(({ properties = [] }) => [...properties].map(([name]) => [name, any]))
          ),
          patterns: schemas.flatMap(({ patterns = [] }) =>
            patterns.map(({ pattern }) => ({ pattern, schema: any }))
          ),
          additional: further
        }
  return { ...each, schemas: [...schemas, make(rest, schema)] }
}

/** Returns true for a schema of which parts apply to some values only, and may declare what the others do not. */
const isConditional = (schema: Schema): boolean =>
  [schema.if, schema.dependentSchemas, schema.contains].some((keyword) => keyword !== undefined)

export type Numeric = number | bigint

export const isInteger = (value: Json): value is Numeric =>
  typeof value === 'bigint' || Number.isInteger(value)

/** Writes a value for a message, shortened. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : identity(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
