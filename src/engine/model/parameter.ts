/** Parameters and path templates as the compiler describes them to the server, and the values of texts (OpenAPI 3.1, 4.8.12). */

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
  /** Location; a parameter in `querystring` is the whole query (OpenAPI 3.2.0, section 4.12.1). */
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
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
  /** Fields of a query that is one form. */
  readonly form?: FormFields
  /** Names of API keys in the query, which are no fields of the form. */
  readonly apiKeys?: readonly string[]
}

/** Fields of a form or a multipart body. */
export interface FormFields {
  readonly fields?: readonly FieldSpec[]
  /** Rule for undeclared fields; absent when the contract has none. */
  readonly additional?: FieldSpec
}

/** Field of a form, decoded from text like a query parameter. */
export interface FieldSpec extends ParameterSpec {
  /** Multipart: its parts are bytes, for any Content-Type that the client sends. */
  readonly bytes?: true
  /** A list of which each part, or pair of a urlencoded form, is a JSON text. */
  readonly jsonItems?: true
  /** Multipart: the media types and ranges that a part may have; absent: any. */
  readonly contentTypes?: readonly string[]
  /** Multipart: the Content-Transfer-Encoding that a part may have; its text stays encoded. */
  readonly transferEncoding?: string
  /** True for a received field that the contract describes by `additional` alone. */
  readonly isUndeclared?: true
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

/** Returns the names of a template: b and c for `/a/{b}-{c}`. */
export const templateNames = (template: string): string[] =>
  [...template.matchAll(/(?<=\{)[^{}]*(?=\})/g)].map(([name]) => name)

/** Returns the texts before, between and after the names, one more than the number of names. */
export const templateLiterals = (template: string): string[] => template.split(/\{[^{}]*\}/)

/** Returns whether a text can be the name of a header (RFC 9110, section 5.1). */
export const isHeaderName = (text: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(text)

/** Encodes the characters with which the path of a URL ends (RFC 3986, section 3.3): in a template they are text. */
export const encodedLiteral = (text: string): string => text.replaceAll(/[?#]/g, encodeURIComponent)
