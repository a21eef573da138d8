/** Parameters as the compiler describes them to the server, and the values of their texts (OpenAPI 3.1, 4.8.12). */

export type PrimitiveType = 'string' | 'number' | 'integer' | 'int64' | 'boolean' | 'null'

/** Values that a text may hold. A shape without types and members leaves the text as it is. */
export interface TextShape {
  readonly types: readonly PrimitiveType[]
  /** Shape of the items; set where the text may be an array. */
  readonly items?: TextShape
  readonly prefixItems?: readonly TextShape[]
  /** Shapes of the properties; set where the text may be an object. */
  readonly properties?: Readonly<Record<string, TextShape>>
  readonly additional?: TextShape
}

export interface ParameterSpec {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  /** Name of the property in the result; that of a header is in lower case. */
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
  /** True when declared by `content: application/json`. */
  readonly json?: true
  readonly shape: TextShape
  readonly default?: unknown
}

const unknownShape: TextShape = { types: [] }

export function mayBeArray({ items, prefixItems }: TextShape): boolean {
  return items !== undefined || prefixItems !== undefined
}

export function mayBeObject({ properties, additional }: TextShape): boolean {
  return properties !== undefined || additional !== undefined
}

export function mayBePrimitive(shape: TextShape): boolean {
  return shape.types.length > 0 || !(mayBeArray(shape) || mayBeObject(shape))
}

export function itemShape({ prefixItems, items }: TextShape, index: number): TextShape {
  return prefixItems?.[index] ?? items ?? unknownShape
}

export function propertyShape({ properties, additional }: TextShape, name: string): TextShape {
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  return own ?? additional ?? unknownShape
}
