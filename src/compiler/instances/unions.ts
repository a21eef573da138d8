/** Splits unions and conditions of a schema into alternatives, each without them. */
import { anyValue, make, type Schema } from '@contract-first/contract'

const known = new WeakMap<Schema, readonly Schema[]>()

/** @returns schemas of which every instance of the schema has at least one; undefined for a schema without a union */
export function alternativesOf(schema: Schema): readonly Schema[] | undefined {
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
