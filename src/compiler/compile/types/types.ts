/** TypeScript types of a contract: openapi-typescript's, with int64 as `bigint`, and the types of its handlers. */
import type { Operation } from '@contract-first/engine/model'
import { digestOf, Memo } from '../../source/memo.ts'
import { keyOf, quoted } from '../../source/values.ts'
import { define, type Json, type JsonObject, objectOf, own, stringify } from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'
import type { ImportedFormats } from '../validators/ajv/own-formats.ts'
import { TypesView } from './document-view.ts'
import { handlerTypes } from './handler-types.ts'
import { RecursiveTypes } from './recursive-types.ts'
import { formatType, formatTypes, schemaType } from './schema-type.ts'
import type { SentTypes } from './sender-types.ts'
import { sharedTypes } from './shared-types.ts'
import { type Hooks, maskPercentSigns, type PartTypes, partTypes } from './transform.ts'

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
  const text = stringify(document)
  const { document: written, received } = new TypesView(document).of(nameOf, sender.sent)
  const { view, word, restore } = maskPercentSigns(written, text)
  const recursive = new RecursiveTypes(view)
  const hooks: Hooks = {
    transform: (schema, options) => formatType(schema, formats?.formats) ?? schemaType(schema, options),
    postTransform: (type, { path }) => recursive.replace(type, path),
    declarations: () => recursive.declarations(),
    rewrite: (printed) => restore(halfIndented(printed))
  }
  const types = typesOf(view, hooks, stringify([formatTypes(formats), word, ...recursive.names]))
  const typed = Object.keys(objectOf(own(objectOf(own(written, 'components')), 'schemas')))
  const handlers = handlerTypes(operations, security, nameOf, sender)
  const others = `\n${schemaTypes(received)}${codecTypes(components, typed)}${handlers}`
  // client.d.ts names one more.
  const shared = sharedTypes(`${types}${others}ClientOperation`)
  return halfIndented(formatTypes(formats)) + types + halfIndented(others + shared)
}

const kept = new Memo<PartTypes>(20_000)
const sections = ['schemas', 'responses', 'parameters', 'requestBodies', 'headers', 'pathItems']

/**
 * Returns the types of a document. Parts that no edit has changed since the last document keep their types.
 * @param dependsOn what the results of the hooks depend on beside their arguments
 */
function typesOf(view: JsonObject, hooks: Hooks, dependsOn: string): string {
  const components = objectOf(own(view, 'components'))
  const documents = [
    ...split(view, 'paths'),
    ...split(view, 'webhooks'),
    ...sections.flatMap((name) => split(components, name).map((part) => ({ components: part })))
  ]
  const partKey = keysIn(view)
  const parts = documents.map((part) =>
    kept.get(`${dependsOn}\n${partKey(part)}`, () => partTypes(part, view, hooks))
  )
  const membersOf = (name: string) => parts.map(({ members }) => members.get(name) ?? '').join('')
  const declared = (name: string, members: string) =>
    members === ''
      ? `export type ${name} = Record<string, never>;\n`
      : `export interface ${name} {\n${members}}\n`
  const named = (name: string) => declared(name, membersOf(name))
  const inSection = (name: string, members = membersOf(`components ${name}`)) =>
    members === '' ? `  ${name}: never;\n` : `  ${name}: {\n${members}  };\n`
  return [
    ...['paths', 'webhooks'].map(named),
    declared('components', sections.map((name) => inSection(name)).join('')),
    ...['$defs', 'operations'].map(named),
    ...new Set(parts.flatMap(({ declarations }) => declarations))
  ].join('')
}

/** Returns a document for each member of a section. */
const split = (node: JsonObject, section: string): JsonObject[] =>
  Object.entries(objectOf(own(node, section))).map(([name, value]) => {
    const member: JsonObject = {}
    define(member, name, value)
    return { [section]: member }
  })

/** Returns a function for the text of a part, with digests of its references: openapi-typescript follows each once. */
function keysIn(view: JsonObject): (part: JsonObject) => string {
  const digests = new Memo<string>(Infinity)
  const digestAt = (reference: string) =>
    digestOf(stringify({ target: atPointer(view, JSON.parse(`{${reference}}`).$ref) as Json }))
  return (part) => {
    const text = stringify(part)
    const references = [...new Set(text.match(/"\$ref":"(?:[^"\\]|\\.)*"/g))]
    return [text, ...references.map((each) => digests.get(each, () => digestAt(each)))].join('\n')
  }
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
