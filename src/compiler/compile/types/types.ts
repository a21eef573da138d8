/**
 * TypeScript types of a contract: openapi-typescript's, with int64 as `bigint`, and the types of its handlers. Types of the
 * engine are imported in a project that depends on it, and copied elsewhere, so that generated code is complete wherever it
 * lies.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Content, Schema } from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import type { Operation } from '@contract-first/engine/model'
import type { ImportedFormats } from '../../source/own-formats.ts'
import { ts } from '../../source/typescript.ts'
import { keyOf, quoted } from '../../source/values.ts'
import { anyItem, sequenceOf } from '../operations/sequence.ts'
import type { SentTypes } from './client-types.ts'
import { DocumentPrinter } from './document-printer.ts'
import { handlerTypes } from './handler-types.ts'
import { SchemaPrinter } from './schema-printer.ts'
import { documentTypes, halfIndented } from './transform.ts'

interface Declared {
  /** Absolute path of the generated code. */
  readonly folder: string
  /** Names of the component schemas that have functions. */
  readonly components: readonly string[]
  readonly hasClient: boolean
  /** Webhooks and callbacks. */
  readonly sender: SentTypes
  /** Formats of the project's own. */
  readonly formats?: ImportedFormats
}

export function compileTypes(
  contract: LoadedContract,
  operations: readonly Operation[],
  { folder, components, hasClient, sender, formats }: Declared
): string {
  const { model } = contract
  const schemas = new SchemaPrinter(model.components.schemas, formats?.formats)
  const received = schemas.received()
  const types = documentTypes(new DocumentPrinter(model, schemas, itemOf).entries())
  const handlers = handlerTypes(operations, model.components.securitySchemes, { hasClient, sender })
  const others = `\n${schemaTypes(received)}${codecTypes(components, schemas.size)}${handlers}`
  // client.d.ts names one more.
  const named = [others, ...schemas.named, hasClient ? 'ClientOperation' : ''].join(' ')
  const [imports, copies] = dependsOnEngine(folder) ? [importedTypes(named), ''] : ['', sharedTypes(named)]
  return imports + halfIndented(formatTypes(formats)) + types + halfIndented(others + copies)
}

/** Returns the schema of an item as handlers have it: the data of an event may be a value that its text holds. */
function itemOf(content: Content): Schema | undefined {
  const sequence = sequenceOf(content)
  return sequence && anyItem(sequence)
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
 * @param typed number of schemas that have a type; further ones are made for the types of handlers
 */
function codecTypes(names: readonly string[], typed: number): string {
  if (names.length === 0) return ''
  const keys = names.length === typed ? 'keyof Schemas' : names.map(quoted).join(' | ')
  return `type CodecNames = ${keys};
/** Functions for what handlers send; \`received\` for what they receive. */
export type SchemaCodecs = { readonly [Name in CodecNames]: SchemaCodec<Schemas[Name]> & { readonly received: SchemaCodec<Requests[Name]> } };
`
}

/** Returns the declaration of `Formats`; an empty text where no format has values of its own. */
function formatTypes(module: ImportedFormats | undefined): string {
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

const engine = '@contract-first/engine'
const specifier = `${engine}/contract-types`
const file = fileURLToPath(import.meta.resolve(specifier)).replace(/\.js$/, '.d.ts')

const module = readFileSync(file, 'utf8')

/** Names of the declarations. Most projects import the types: only those that copy them need a parser. */
const names = [...module.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)

/** Returns the declarations by name. Sources and the declaration files of a package are printed alike. */
function declarations(): ReadonlyMap<string, string> {
  const [, withoutHeader = ''] = /^\/\*\*.*?\*\/(.*)$/s.exec(module) ?? []
  const source = ts.createSourceFile(file, withoutHeader, ts.ScriptTarget.Latest)
  const printer = ts.createPrinter()
  const named = source.statements.filter(
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  )
  return new Map(
    named.map((node) => [node.name.text, printer.printNode(ts.EmitHint.Unspecified, node, source)])
  )
}

/** Returns true for a text that has the name as a word. */
const isNamedIn = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`\\b${name}\\b`).test(text)

/**
 * Returns true for a folder whose package.json, or one above it, names the engine. Reads manifests instead of looking for
 * the package, because a new project is compiled before npm installs it.
 */
export function dependsOnEngine(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(`"${engine}"`)) return true
  return dirname(folder) !== folder && dependsOnEngine(dirname(folder))
}

/**
 * Exports the types, and imports those that a text names. A name may stand for something else, such as a property: the
 * import is exported, because a type checker reports one that nothing uses.
 */
export function importedTypes(text: string): string {
  const used = names.filter((name) => isNamedIn(text, name)).join(', ')
  const imports =
    used === '' ? '' : `import type { ${used} } from '${specifier}';\nexport type { ${used} };\n`
  return `${imports}export type * from '${specifier}';\n`
}

/** Returns the declarations that a text names, be it in a comment, and those that these name. */
export function sharedTypes(text: string): string {
  const declared = declarations()
  const used = new Set<string>()
  const add = (user: string): void => {
    for (const [name, declaration] of declared) {
      if (used.has(name) || !isNamedIn(user, name)) continue
      used.add(name)
      add(declaration)
    }
  }
  add(text)
  return [...declared].flatMap(([name, declaration]) => (used.has(name) ? `${declaration}\n` : [])).join('')
}
