/**
 * The one file that reaches into openapi-typescript; transform.test.ts holds its version. Its entry function is avoided,
 * because it lints the document, with a linter that takes a fifth of a cold generation to load. Its CommonJS modules load
 * TypeScript as CommonJS, too (source/typescript.ts).
 */

import { hash } from 'node:crypto'
import type { Json, JsonObject } from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'
import type { GlobalContext, OpenAPI3 } from 'openapi-typescript'
import { astToString } from 'openapi-typescript/dist/lib/ts.cjs'
import transformDocument from 'openapi-typescript/dist/transform/index.cjs'
import type {
  InterfaceDeclaration,
  PropertySignature,
  Statement,
  TypeElement,
  TypeLiteralNode,
  TypeNode
} from 'typescript'
import { ts } from '../../source/typescript.ts'

const { factory } = ts

/** Returns a schema with the text as its type: openapi-typescript writes a reference to `#/bigint` as `bigint`. */
export const typeNamed = (text: string): JsonObject => ({ $ref: `#/${escapePointer(text)}` })

/** Names among the items of a printed tuple: the items behind them are optional, or the type of all further ones. */
const optional = 'OptionalItems'
const rest = 'RestItems'

/** @param further schema of the items after the listed ones; undefined if there are none */
export function tupleOf(required: readonly Json[], others: readonly Json[], further?: Json): JsonObject {
  const either = others.length === 0 ? [] : [typeNamed(optional), ...others]
  return {
    prefixItems: [...required, ...either, ...(further === undefined ? [] : [typeNamed(rest), further])]
  }
}

/** Writes optional and further items of a tuple, for which JSON Schema has no keyword that openapi-typescript knows. */
function tupleType(type: TypeNode): TypeNode | undefined {
  if (!ts.isTupleTypeNode(type)) return undefined
  const elements: TypeNode[] = []
  let mark = ''
  for (const element of type.elements as readonly TypeNode[]) {
    const name =
      ts.isTypeReferenceNode(element) && ts.isIdentifier(element.typeName) ? element.typeName.text : ''
    if (name === optional || name === rest) mark = name
    else if (mark === rest) elements.push(factory.createRestTypeNode(factory.createArrayTypeNode(element)))
    else elements.push(mark === optional ? factory.createOptionalTypeNode(element) : element)
  }
  return mark === '' ? undefined : factory.createTupleTypeNode(elements)
}

/** A path item, a component, or the schema of an alias. */
export interface Entry {
  readonly section: Section
  readonly name: string
  /** Printed as JSON. */
  readonly text: string
}

/** Sections of `components`, in the order of openapi-typescript. */
const componentSections = [
  ...(['schemas', 'responses', 'parameters'] as const),
  ...(['requestBodies', 'headers', 'pathItems'] as const)
]

export type Section = 'paths' | 'webhooks' | 'aliases' | (typeof componentSections)[number]

/**
 * Returns the types of a document: `paths`, `webhooks`, `components`, `operations`, and those that these need.
 * openapi-typescript writes one entry at a time, because the syntax trees of all take more memory than the contract.
 * @param postTransform called once for each schema
 */
export function documentTypes(entries: Iterable<Entry>, postTransform = tupleType): string {
  const written = new EntryWriter([...entries], postTransform).written()
  const members = (section: Section) =>
    written.map((each) => (each.section === section ? each.own : '')).join('')
  const components = componentSections.map((section) => {
    const own = members(section)
    return `  ${section}: ${own === '' ? 'never' : `{\n${own}  }`};\n`
  })
  return [
    declaration('paths', members('paths')),
    declaration('webhooks', members('webhooks')),
    declaration('components', components.join('')),
    declaration('$defs', ''),
    declaration('operations', written.map(({ operations }) => operations).join('')),
    members('aliases')
  ].join('')
}

const declaration = (name: string, members: string): string =>
  members === ''
    ? `export type ${name} = Record<string, never>;\n`
    : `export interface ${name} {\n${members}}\n`

/** Types of an entry. */
interface Written extends Pick<Entry, 'section'> {
  /** Its member of an interface, or the declaration of an alias. */
  readonly own: string
  /** Members of `operations`, which openapi-typescript injects behind the others. */
  readonly operations: string
  /** Texts of the components to which it refers, as far as openapi-typescript asked for them. */
  readonly resolved: ReadonlyMap<string, string | undefined>
}

/** Types of the last document by the digests of its entries: an edit changes few. */
let known: ReadonlyMap<string, Written> = new Map()

class EntryWriter {
  readonly #entries: readonly Entry[]
  /** Texts of the components by reference. */
  readonly #components: ReadonlyMap<string, string>
  readonly #percent: string
  readonly #postTransform: typeof tupleType

  constructor(entries: readonly Entry[], postTransform: typeof tupleType) {
    this.#entries = entries
    this.#components = new Map(
      entries.map(({ section, name, text }) => [`#/components/${section}/${escapePointer(name)}`, text])
    )
    this.#percent = percentSignIn(entries)
    this.#postTransform = postTransform
  }

  /** Returns the types of all entries, in their order. */
  written(): readonly Written[] {
    const next = new Map<string, Written>()
    const written = this.#entries.map((entry) => {
      const { section, name, text } = entry
      const digest = hash('sha256', `${section} ${JSON.stringify(name)} ${text}`)
      const before = known.get(digest)
      const found = before !== undefined && this.#holds(before) ? before : this.#write(entry)
      next.set(digest, found)
      return found
    })
    known = next
    return written
  }

  #holds({ resolved }: Written): boolean {
    return [...resolved].every(([reference, text]) => this.#components.get(reference) === text)
  }

  #write({ section, name, text }: Entry): Written {
    const resolved = new Map<string, string | undefined>()
    const operations: Statement[] = []
    // The options that the entry function would set to false are left out.
    const ctx = {
      postTransform: this.#postTransform,
      discriminators: { objects: {}, refsHandled: [] },
      emptyObjectsUnknown: true,
      injectFooter: operations,
      resolve: (masked: string) => {
        const reference = this.#restored(masked)
        const found = this.#components.get(reference)
        resolved.set(reference, found)
        return found === undefined ? undefined : JSON.parse(this.#masked(found))
      }
    } as unknown as GlobalContext
    const entry = { [this.#masked(name)]: JSON.parse(this.#masked(text)) }
    const document = isOfPaths(section)
      ? { [section]: entry }
      : { components: { [section === 'aliases' ? 'schemas' : section]: entry } }
    const [types] = transformDocument(document as unknown as OpenAPI3, ctx).filter(ts.isInterfaceDeclaration)
    return {
      section,
      own: this.#restored(ownTypes(section, name, types as InterfaceDeclaration)),
      operations: this.#restored(operations.map((each) => within(printed([each]))).join('')),
      resolved
    }
  }

  #masked(text: string): string {
    return text.replaceAll('%', this.#percent)
  }

  #restored(text: string): string {
    return text.replaceAll(this.#percent, '%')
  }
}

/** @param types interface `paths`, `webhooks` or `components` with the entry as its only one */
function ownTypes(section: Section, name: string, types: InterfaceDeclaration): string {
  if (isOfPaths(section)) return within(printed([types]))
  const filled = types.members.find(isFilled) as FilledSection
  if (section !== 'aliases')
    return within(within(printed([factory.createInterfaceDeclaration([], 'components', [], [], [filled])])))
  const { type } = filled.type.members[0] as PropertySignature
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  return printed([factory.createTypeAliasDeclaration(modifiers, name, [], type as TypeNode)])
}

interface FilledSection extends PropertySignature {
  readonly type: TypeLiteralNode
}

/** Returns true for the section of a component; the others are `never`. */
const isFilled = (member: TypeElement): member is FilledSection =>
  ts.isPropertySignature(member) && member.type !== undefined && ts.isTypeLiteralNode(member.type)

const isOfPaths = (section: Section): boolean => section === 'paths' || section === 'webhooks'

/** TypeScript's printer indents by four spaces, which are a sixth of the file. */
const printed = (statements: Statement[]): string => halfIndented(astToString(statements))

export const halfIndented = (code: string): string =>
  code.replaceAll(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2))

/** Returns the lines between the first and the last one. */
const within = (code: string): string =>
  code.slice(code.indexOf('\n') + 1, code.lastIndexOf('\n', code.length - 2) + 1)

/**
 * Returns a word that stands for a percent sign in names and texts, which have it nowhere, and that is no identifier:
 * openapi-typescript decodes each name as if it were percent-encoded, and stops at `50%`.
 */
function percentSignIn(entries: readonly Entry[]): string {
  let word = 'percent-sign'
  while (entries.some(({ name, text }) => name.includes(word) || text.includes(word))) word = `${word}-`
  return word
}
