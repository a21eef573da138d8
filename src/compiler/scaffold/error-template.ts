/** The body of a failure as a template: a value in which expressions of the failure stand. */
import type { Failure } from '@contract-first/engine/errors'

export interface Table {
  /** Name of the constant in the source. */
  readonly name: string
  readonly values: ReadonlyMap<string, unknown>
}

/** A value that depends on the failure: its source code, and the same as a function. */
export class Expression {
  /** TypeScript source code; it reads the members of a failure by their names. */
  readonly source: string
  /** Members of a failure that the source code reads. */
  readonly reads: readonly (keyof Failure)[]
  readonly of: (failure: Failure) => unknown
  /** Table in which the source code looks up the code of the failure. */
  readonly table: Table | undefined

  constructor(source: string, reads: Expression['reads'], of: Expression['of'], table?: Table) {
    this.source = source
    this.reads = reads
    this.of = of
    this.table = table
  }
}

/** JSON with expressions as members and items. */
export type Template = unknown

/** Member names and list indices, from the root. */
export type Way = readonly (string | number)[]

const isInner = (template: Template): template is object =>
  typeof template === 'object' &&
  template !== null &&
  !(template instanceof Expression || template instanceof Uint8Array)

/** Returns the template with another value in place of each expression. */
export function evaluated(template: Template, replace: (expression: Expression) => unknown): unknown {
  if (template instanceof Expression) return replace(template)
  if (Array.isArray(template)) return template.map((item) => evaluated(item, replace))
  if (!isInner(template)) return template
  return Object.fromEntries(
    Object.entries(template).map(([name, member]) => [name, evaluated(member, replace)])
  )
}

export const bodyOf = (template: Template, failure: Failure): unknown =>
  evaluated(template, ({ of }) => of(failure))

/** Returns every part with its path, the whole first. */
export function partsOf(template: Template, way: Way = []): (readonly [Way, Template])[] {
  const inner = Array.isArray(template)
    ? [...template.entries()]
    : Object.entries(isInner(template) ? template : {})
  return [[way, template], ...inner.flatMap(([name, part]) => partsOf(part, [...way, name]))]
}

export const expressionsIn = (template: Template): Expression[] =>
  partsOf(template).flatMap(([, part]) => (part instanceof Expression ? [part] : []))
