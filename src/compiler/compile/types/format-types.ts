/** Types of the formats of a project's own: what their `parse` returns. */
import ts from 'typescript'
import { keyOf } from '../../source/values.ts'
import type { JsonObject } from '../document/json-value.ts'
import { typesOf } from '../document/schema-object.ts'
import { type ImportedFormats, type OwnFormats, parsedFormat } from '../validators/ajv/own-formats.ts'
import { plainType } from './schema-type.ts'

const { factory } = ts

/** @returns the type of a schema of such a format: `Formats["money"]`; undefined for any other */
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
