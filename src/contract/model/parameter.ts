/** What the compiler tells about a parameter, as far as its text is concerned (OpenAPI 3.1, section 4.8.12). */
import type { Problem } from '../server/errors/failure.ts'

export type PrimitiveType = 'string' | 'number' | 'integer' | 'int64' | 'boolean' | 'null'

/** What a value may be. Neither types nor members: nothing is known, and the text stays as it is. */
export interface Shape {
  readonly types: readonly PrimitiveType[]
  /** Present: may be an array. */
  readonly items?: Shape
  readonly prefixItems?: readonly Shape[]
  /** Present: may be an object. */
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additional?: Shape
}

export interface ParameterSpec {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** Property name in the result; for headers the lower-cased name. */
  readonly key: string
  readonly required: boolean
  readonly style:
    | 'matrix'
    | 'label'
    | 'simple'
    | 'form'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'deepObject'
    | 'cookie'
  readonly explode: boolean
  readonly allowReserved?: boolean
  /** Declared by `content: application/json`. */
  readonly json?: true
  readonly shape: Shape
  readonly default?: unknown
}

export interface ParameterSource {
  /** Raw, still percent-encoded texts by `spec.name`. */
  readonly path: Readonly<Record<string, string | undefined>>
  /** Raw, without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly cookie: string | undefined
}

export interface DecodedParameters {
  /** All four without prototype: names are only names. */
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly headers: Record<string, unknown>
  readonly cookies: Record<string, unknown>
  readonly problems: Problem[]
}

/** Why the text of a parameter cannot be decoded at all; the message completes the sentence its place begins. */
export class Refusal extends Error {}

const unknownShape: Shape = { types: [] }

export function mayBeArray({ items, prefixItems }: Shape): boolean {
  return items !== undefined || prefixItems !== undefined
}

export function mayBeObject({ properties, additional }: Shape): boolean {
  return properties !== undefined || additional !== undefined
}

export function mayBePrimitive(shape: Shape): boolean {
  return shape.types.length > 0 || !(mayBeArray(shape) || mayBeObject(shape))
}

export function itemShape({ prefixItems, items }: Shape, index: number): Shape {
  return prefixItems?.[index] ?? items ?? unknownShape
}

export function propertyShape({ properties, additional }: Shape, name: string): Shape {
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  return own ?? additional ?? unknownShape
}

/** An object in which every name is only a name, `__proto__` too. */
export function emptyObject(): Record<string, unknown> {
  return Object.create(null)
}
