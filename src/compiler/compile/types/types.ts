/** TypeScript types of a contract: openapi-typescript's, with int64 as `bigint`, and the types of its handlers. */
import type { Operation } from '@contract-first/engine/model'
import { keyOf, quoted } from '../../source/values.ts'
import { type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { ImportedFormats } from '../vocabulary/own-formats.ts'
import type { SentTypes } from './client-types.ts'
import { TypesView } from './document-view.ts'
import { handlerTypes } from './handler-types.ts'
import { RecursiveTypes } from './recursive-types.ts'
import { formatType, formatTypes, schemaType } from './schema-type.ts'
import { sharedTypes } from './shared-types.ts'
import { astToString, documentTypes, maskPercentSigns } from './transform.ts'

interface Declared {
  readonly security: JsonObject
  /** Names of the component schemas that have functions. */
  readonly components: readonly string[]
  /** Webhooks and callbacks. */
  readonly sender: SentTypes
  /** Formats of the project's own. */
  readonly formats?: ImportedFormats
}

export function compileTypes(
  document: JsonObject,
  operations: readonly Operation[],
  { security, components, sender, formats }: Declared
): string {
  const names = typeNames(operations.map(({ operationId }) => operationId))
  const nameOf = (operationId: string) => names.get(operationId) ?? operationId
  const { document: written, received } = new TypesView(document).of(nameOf, sender.sent)
  const { view, restore } = maskPercentSigns(written)
  const recursive = new RecursiveTypes(view)
  const nodes = documentTypes(view, {
    transform: (schema, options) => formatType(schema, formats?.formats) ?? schemaType(schema, options),
    postTransform: (type, { path }) => recursive.replace(type, path)
  })
  const types = restore(halfIndented(astToString([...nodes, ...recursive.declarations()])))
  const typed = Object.keys(objectOf(own(objectOf(own(written, 'components')), 'schemas')))
  const handlers = handlerTypes(operations, security, nameOf, sender)
  const others = `\n${schemaTypes(received)}${codecTypes(components, typed)}${handlers}`
  // client.d.ts names one more.
  const shared = sharedTypes(`${types}${others}ClientOperation`)
  return halfIndented(formatTypes(formats)) + types + halfIndented(others + shared)
}

/** @param received names of the types that handlers receive, by the names of schemas that differ from what they send */
function schemaTypes(received: ReadonlyMap<string, string>): string {
  const names = [...received.keys()].map((name) => quoted(name)).join(' | ')
  const members = [...received].map(([name, type]) => `    ${keyOf(name)}: Schemas[${quoted(type)}];\n`)
  const requests =
    received.size === 0
      ? 'export type Requests = Schemas;'
      : `export interface Requests extends Omit<Schemas, ${names}> {\n${members.join('')}}`
  return `/** Types that handlers send, by the names of schemas. */
export type Schemas = components["schemas"];
/** Types that handlers receive. */
${requests}
`
}

/**
 * Returns the types of the functions of component schemas (generated/schemas.js).
 * @param names schemas that have functions
 * @param typed schemas that have a type; further ones are made for the types of handlers
 */
function codecTypes(names: readonly string[], typed: readonly string[]): string {
  if (names.length === 0) return ''
  const keys = names.length === typed.length ? 'keyof Schemas' : names.map(quoted).join(' | ')
  return `type CodecNames = ${keys};
/** Functions for what handlers send; \`received\` for what they receive. */
export type SchemaCodecs = { readonly [Name in CodecNames]: SchemaCodec<Schemas[Name]> & { readonly received: SchemaCodec<Requests[Name]> } };
`
}

/** TypeScript's printer indents by four spaces, which are a sixth of the file. */
const halfIndented = (code: string): string =>
  code.replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))

/** @returns a replacement for each name that openapi-typescript cannot write into a reference */
function typeNames(operationIds: readonly string[]): Map<string, string> {
  const unwritable = operationIds.filter((id) => !/^[\w$.: -]+$/.test(id) || id === '__proto__')
  return new Map(unwritable.map((id) => [id, `operation/${operationIds.indexOf(id)}`]))
}
