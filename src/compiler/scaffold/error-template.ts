/** The body of a failure as a tree: fixed values, and expressions of the failure. */
import type { Failure } from '@contract-first/engine/errors'

/** A value that depends on the failure: its source code, and the same as a function. */
export interface Expression {
  readonly kind: 'expression'
  /** TypeScript source code; it reads the members of a failure by their names. */
  readonly source: string
  /** Members of a failure that the source code reads. */
  readonly reads: readonly (keyof Failure)[]
  readonly of: (failure: Failure) => unknown
  /** Table in which the source code looks up the code of the failure. */
  readonly table?: Table
}

export interface Table {
  /** Name of the constant in the source. */
  readonly name: string
  readonly values: ReadonlyMap<string, unknown>
}

export type Template =
  | Expression
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Template> }

/** Member names and list indices, from the root. */
export type Way = readonly (string | number)[]

export function templateOf(value: unknown): Template {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(templateOf) }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array)
    return { kind: 'value', value }
  return {
    kind: 'object',
    members: new Map(Object.entries(value).map(([name, member]) => [name, templateOf(member)]))
  }
}

export function bodyOf(template: Template, failure: Failure): unknown {
  if (template.kind === 'value') return template.value
  if (template.kind === 'expression') return template.of(failure)
  if (template.kind === 'list') return template.items.map((item) => bodyOf(item, failure))
  return Object.fromEntries([...template.members].map(([name, member]) => [name, bodyOf(member, failure)]))
}

/** Returns every part with its path, the whole first. */
export function partsOf(template: Template, way: Way = []): (readonly [Way, Template])[] {
  const inner =
    template.kind === 'object'
      ? [...template.members]
      : template.kind === 'list'
        ? [...template.items.entries()]
        : []
  return [[way, template], ...inner.flatMap(([name, part]) => partsOf(part, [...way, name]))]
}

/** @param part undefined leaves the part out, unless it is the whole */
export function withPart(template: Template, way: Way, part: Template | undefined): Template {
  const [whole = template] = replaced(template, way, part)
  return whole
}

/** @returns one template; an empty list for the part that is left out */
function replaced(template: Template, [first, ...rest]: Way, part: Template | undefined): Template[] {
  if (first !== undefined && template.kind === 'list') {
    const items = template.items.flatMap((item, index) =>
      index === first ? replaced(item, rest, part) : [item]
    )
    return [{ kind: 'list', items }]
  }
  if (first !== undefined && template.kind === 'object') {
    const members = [...template.members].flatMap(([name, member]) =>
      (name === first ? replaced(member, rest, part) : [member]).map((each) => [name, each] as const)
    )
    return [{ kind: 'object', members: new Map(members) }]
  }
  return part === undefined ? [] : [part]
}

export const expressionsIn = (template: Template): Expression[] =>
  partsOf(template).flatMap(([, part]) => (part.kind === 'expression' ? [part] : []))
