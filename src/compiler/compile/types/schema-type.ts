/**
 * Types for schemas that openapi-typescript does not type, or types differently from the validators: hooks that it
 * calls. The formats of a project's own have the types of what their `parse` returns.
 */
import ts from 'typescript'
import { keyOf } from '../../source/values.ts'
import { arrayOf, type Json, type JsonObject, own } from '../document/json-value.ts'
import { typesOf } from '../document/schema-object.ts'
import { type ImportedFormats, type OwnFormats, parsedFormat } from '../vocabulary/own-formats.ts'
import { bytesTypeOf, isInt64, requiredNames } from './schema-view.ts'
import { type TransformNodeOptions, typeAt } from './transform.ts'

const { factory, SyntaxKind } = ts

/** @returns the type of the schema, or undefined when that of openapi-typescript is right */
export function schemaType(schema: JsonObject, options: TransformNodeOptions): ts.TypeNode | undefined {
  if (isInt64(schema)) return int64Type(schema)
  const bytes = bytesTypeOf(schema)
  if (bytes !== undefined) return bytesType(schema, bytes)
  const required = requiredNames(schema)
  if (required.length > 0) return requiredType(required)
  return own(schema, 'type') === 'array' ? arrayType(schema, options) : undefined
}

function bytesType(schema: JsonObject, name: string): ts.TypeNode {
  const others = typesOf(schema).filter((type) => type !== 'string')
  const bytes = factory.createTypeReferenceNode(name)
  return factory.createUnionTypeNode([bytes, ...others.map((type) => plainType(type))])
}

function int64Type(schema: JsonObject): ts.TypeNode {
  const listed = arrayOf(own(schema, 'x-values'))
  if (listed.length > 0) return factory.createUnionTypeNode(listed.map(literalType))
  const types = typesOf(schema).map((type) => keywordType(type))
  return factory.createUnionTypeNode(types)
}

/** Returns an object type with required members of any type except `undefined`, which JSON lacks. */
function requiredType(names: readonly string[]): ts.TypeNode {
  const any = factory.createUnionTypeNode([factory.createTypeLiteralNode([]), keywordType('null')])
  return factory.createTypeLiteralNode(
    names.map((name) =>
      factory.createPropertySignature(undefined, factory.createStringLiteral(name), undefined, any)
    )
  )
}

/** Types an array of composed items, which openapi-typescript would flatten when the items are arrays. */
function arrayType(schema: JsonObject, options: TransformNodeOptions): ts.TypeNode {
  const itemType = (item: Json, key: string) => typeAt(item, `${options.path}/${key}`, options)
  const items = own(schema, 'items')
  const rest = items === undefined ? keywordType('unknown') : itemType(items, 'items')
  const listed = arrayOf(own(schema, 'prefixItems'))
  if (listed.length === 0) return factory.createArrayTypeNode(rest)
  const least = Number(own(schema, 'minItems') ?? 0)
  const elements = listed.map((item, index) => {
    const type = itemType(item, `prefixItems/${index}`)
    return index < least ? type : factory.createOptionalTypeNode(type)
  })
  const isClosed = items === false || Number(own(schema, 'maxItems') ?? Infinity) <= listed.length
  const others = isClosed ? [] : [factory.createRestTypeNode(factory.createArrayTypeNode(rest))]
  return factory.createTupleTypeNode([...elements, ...others])
}

function keywordType(type: string): ts.TypeNode {
  if (type === 'null') return factory.createLiteralTypeNode(factory.createNull())
  if (type === 'string') return factory.createKeywordTypeNode(SyntaxKind.StringKeyword)
  if (type === 'boolean') return factory.createKeywordTypeNode(SyntaxKind.BooleanKeyword)
  const isNumber = type === 'integer' || type === 'number'
  return factory.createKeywordTypeNode(isNumber ? SyntaxKind.BigIntKeyword : SyntaxKind.UnknownKeyword)
}

const plainType = (type: string): ts.TypeNode =>
  type === 'integer' || type === 'number'
    ? factory.createKeywordTypeNode(SyntaxKind.NumberKeyword)
    : keywordType(type)

function literalType(value: Json): ts.TypeNode {
  if (value === null) return keywordType('null')
  if (typeof value === 'string') return factory.createLiteralTypeNode(factory.createStringLiteral(value))
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return keywordType(typeof value)
  const integer = BigInt(value as number | bigint)
  const literal = factory.createBigIntLiteral(`${integer < 0n ? -integer : integer}n`)
  return factory.createLiteralTypeNode(
    integer < 0n ? factory.createPrefixUnaryExpression(SyntaxKind.MinusToken, literal) : literal
  )
}

/** @returns the type of a schema of a format of the project's own: `Formats["money"]`; undefined for any other */
export function formatType(schema: JsonObject, formats: OwnFormats | undefined): ts.TypeNode | undefined {
  const name = parsedFormat(schema, formats)
  if (name === undefined) return undefined
  const index = factory.createLiteralTypeNode(factory.createStringLiteral(name))
  const type = factory.createIndexedAccessTypeNode(factory.createTypeReferenceNode('Formats'), index)
  const others = typesOf(schema).filter((each) => each !== 'string')
  return factory.createUnionTypeNode([type, ...others.map(plainType)])
}

/** Returns the declaration of `Formats`; an empty text where no format has values of its own. */
export function formatTypes(module: ImportedFormats | undefined): string {
  const parsed = [...(module?.formats ?? [])].filter(([, { format }]) => format.parse !== undefined)
  if (module === undefined || parsed.length === 0) return ''
  const members = parsed.map(
    ([name, { exported }]) => `    ${keyOf(name)}: ReturnType<NonNullable<typeof own.${exported}.parse>>;\n`
  )
  return `import type * as own from ${JSON.stringify(module.from)};
/** Values of the formats of this project. */
export interface Formats {\n${members.join('')}}
`
}
