/** Completes discriminators when all schemas are known: their heirs, and the values that select an alternative. */
import { fragmentSegments } from '../document/reference.ts'
import type { Json } from '../model/json.ts'
import type { Discriminator, Schema } from '../model/schema.ts'
import { besideNull, endOf, isNull, partsOf } from '../views/parts.ts'
import type { Mutable } from './document.ts'

/**
 * @param discriminated schemas with discriminators, in the order in which they were reached
 * @param components all component schemas
 */
export function completeDiscriminators(
  discriminated: readonly Mutable<Schema>[],
  components: Iterable<Schema>
): void {
  if (discriminated.length === 0) return
  const tags = new Tags()
  const children = childrenByParent(components)
  for (const schema of discriminated) {
    if (schema.discriminator === undefined) continue
    const discriminator: Mutable<Discriminator> = { ...schema.discriminator }
    if (discriminator.of === 'heirs') discriminator.heirs = heirsOf(schema, children)
    const found = tags.of(schema)
    if (found !== undefined) discriminator.tags = found
    schema.discriminator = discriminator
  }
}

/** Returns the component schemas that include another one in their `allOf`, themselves beside null or not. */
function childrenByParent(components: Iterable<Schema>): Map<Schema, Schema[]> {
  const children = new Map<Schema, Schema[]>()
  for (const component of components) {
    const child = besideNull(component) ?? component
    for (const part of child.allOf ?? []) {
      const end = endOf(part)
      const parent = besideNull(end) ?? end
      children.set(parent, [...(children.get(parent) ?? []), child])
    }
  }
  return children
}

/** Values are not validated against heirs (OpenAPI 3.1.1, section 4.8.25.2), but their properties count as declared. */
function heirsOf(schema: Schema, children: ReadonlyMap<Schema, readonly Schema[]>): Schema[] {
  const found = new Set([schema])
  for (const parent of found) for (const child of children.get(parent) ?? []) found.add(child)
  found.delete(schema)
  return [...found]
}

/** Values that an alternative would take. */
interface Claim {
  readonly branch: Schema
  readonly values: readonly Json[]
  readonly mapped: readonly string[]
  readonly name: string | undefined
}

interface Selected {
  readonly branch: Schema
  readonly values: readonly Json[]
}

/** Returns lists of values that a part of a schema allows; the value is in each of them. */
type Lists = (part: Schema) => readonly (readonly Json[])[]

class Tags {
  /** Discriminators being read: an alternative may be the base that lists it. */
  readonly #open = new Set<Schema>()

  /**
   * Returns the alternatives by the values that select them. A value that several allow, such as one that they inherit,
   * selects the one to which it is mapped, whose name it is, or which allows nothing else.
   * @returns undefined where the union has to decide: an alternative without a name or a value, a value of two of them
   */
  of(schema: Schema): Map<string, Schema> | undefined {
    const { discriminator } = schema
    if (discriminator === undefined || discriminator.of === 'heirs') return undefined
    const selected = this.#selected(schema, discriminator).filter(({ branch }) => !isNull(branch))
    const { otherwise } = discriminator
    const isKnown = otherwise === undefined || selected.some(({ branch }) => branch.ref === otherwise)
    const isNamed = selected.every(({ branch, values }) => branch.ref !== undefined && values.length > 0)
    const pairs = selected.flatMap(({ branch, values }) =>
      values.flatMap((value) => (typeof value === 'string' ? [[value, branch] as const] : []))
    )
    const count = selected.reduce((sum, { values }) => sum + values.length, 0)
    const tags = new Map(pairs)
    return isKnown && isNamed && tags.size === count ? tags : undefined
  }

  #selected(schema: Schema, { property, of, mapping }: Discriminator): Selected[] {
    const union = of === 'heirs' ? [] : (schema[of] ?? [])
    const claims = union.map((branch): Claim => {
      const mapped = [...mapping].filter(([, to]) => to === branch.ref).map(([value]) => value)
      const name = branch.ref && (branch.ref.name ?? fragmentSegments(branch.ref.origin.pointer).at(-1))
      const implied = name === undefined || mapped.length > 0 ? mapped : [name]
      const values = listed(branch, (part) => this.#lists(part, property)) ?? implied
      return { branch, values, mapped, name }
    })
    return claims.map((claim) => ({
      branch: claim.branch,
      values: claim.values.filter((value) => ownerOf(value, claims) === claim)
    }))
  }

  /** Returns the values that a part allows the property, and those of a discriminator by the same property. */
  #lists(part: Schema, property: string): readonly (readonly Json[])[] {
    const tag = part.properties?.get(property)
    const values = tag === undefined ? undefined : listed(tag, valueLists)
    const { discriminator } = part
    const isSame = discriminator?.property === property && discriminator.of !== 'heirs'
    if (!isSame || this.#open.has(part)) return values === undefined ? [] : [values]
    this.#open.add(part)
    const inner = this.#selected(part, discriminator)
    this.#open.delete(part)
    const isSelected = inner.length > 0 && inner.every((branch) => branch.values.length > 0)
    return [...(values ? [values] : []), ...(isSelected ? [inner.flatMap((branch) => branch.values)] : [])]
  }
}

/** @returns undefined for a value that selects no alternative */
function ownerOf(value: Json, claims: readonly Claim[]): Claim | undefined {
  const claimants = claims.filter(({ values }) => values.includes(value))
  if (claimants.length === 1) return claimants[0]
  const [narrow, ...others] = claimants.filter(({ values }) => values.length === 1)
  return (
    claims.find(({ mapped }) => typeof value === 'string' && mapped.includes(value)) ??
    claims.find(({ name }) => name === value) ??
    (others.length === 0 ? narrow : undefined)
  )
}

const valueLists: Lists = ({ const: constant, enum: values }) => [
  ...(constant === undefined ? [] : [[constant]]),
  ...(values === undefined ? [] : [values])
]

/**
 * Returns the values that are in every list of the parts of a schema. A union has a list if all its branches have one.
 * @returns undefined without any list
 */
function listed(
  schema: Schema,
  listsOf: Lists,
  known = new Map<Schema, Json[] | undefined>()
): Json[] | undefined {
  if (known.has(schema)) return known.get(schema)
  // A schema that holds itself lists nothing by that.
  known.set(schema, undefined)
  const lists = partsOf(schema).flatMap((part) => {
    const unions = [part.oneOf, part.anyOf].flatMap((branches = []) => {
      const found = branches
        .filter((branch) => !isNull(branch))
        .map((branch) => listed(branch, listsOf, known))
      const isListed = found.length > 0 && found.every((values) => values !== undefined)
      return isListed ? [found.flatMap((values) => values ?? [])] : []
    })
    return [...listsOf(part), ...unions]
  })
  const [first, ...others] = lists
  const isShared = (value: Json) => others.every((values) => values.includes(value))
  const found = first?.filter((value, index) => first.indexOf(value) === index && isShared(value))
  known.set(schema, found)
  return found
}
