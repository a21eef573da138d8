/** Bundles the files of a contract into its root document. */
import { createRequire } from 'node:module'
import type { NodeType, Document as RedoclyDocument } from '@redocly/openapi-core'
import { type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import type { SourceFile } from '../diagnostics/source-file.ts'
import {
  atPath,
  componentsOf,
  escapePointer,
  fragmentOf,
  fragmentSegments,
  resolved,
  rewriteReferences
} from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { define, type JsonObject, objectOf, own } from '../model/json.ts'
import type { FileResolver } from './file-resolver.ts'

/** Loads Redocly, a quarter of a second of CPU, where several files become one document. */
const require = createRequire(import.meta.url)
const redocly = (): typeof import('@redocly/openapi-core') => require('@redocly/openapi-core')

/** Corrects what the bundler knows of OpenAPI 3.2: a shared media type (section 4.7), and the scopes of a device flow. */
const corrected = {
  id: 'corrected',
  typeExtension: {
    oas3: (types: Record<string, NodeType>, version: string) =>
      version !== 'oas3_2'
        ? types
        : {
            ...types,
            DeviceAuthorization: { properties: {} },
            NamedMediaTypes: { properties: {}, additionalProperties: () => 'MediaType' }
          }
  }
}

/** Bundles the files. The references must not be a cycle (structure.ts): Redocly rejects promises that nobody awaits. */
export async function bundleInPlace(root: SourceFile, resolver: FileResolver): Promise<ContractProblem[]> {
  const { BaseResolver, bundle, createConfig, Source } = redocly()
  const known = new Map<SourceFile, RedoclyDocument>()
  const given = (file: SourceFile): RedoclyDocument => {
    const found = known.get(file) ?? { source: new Source(file.path, file.text), parsed: file.value }
    known.set(file, found)
    return found
  }
  /** Reads what the contract's own resolver has read. */
  class Adapter extends BaseResolver {
    override resolveExternalRef(base: string | null, reference: string): string {
      return resolver.resolveExternalRef(base, reference)
    }

    override async resolveDocument<T>(base: string | null, reference: string): Promise<RedoclyDocument<T>> {
      return given(await resolver.resolveDocument(base, reference)) as RedoclyDocument<T>
    }
  }
  const parsed = objectOf(root.value)
  const restoreMappings = takeLocalMappings(parsed)
  const reserved = reserveNames(parsed)
  try {
    const config = await createConfig({ plugins: [corrected] })
    await bundle({ doc: given(root), config, externalRefResolver: new Adapter() })
    return []
  } catch (error) {
    const message = `the references of this contract cannot be followed: ${reasonOf(error)}`
    return [{ severity: 'error', rule: 'reference', file: root.path, line: 1, column: 1, message }]
  } finally {
    nameByReference(parsed, reserved)
    restoreMappings()
  }
}

/** Replaces a reference by the members of its target, as the bundler does. */
export function replaceByTarget(document: JsonObject, path: readonly string[]): void {
  const node = objectOf(atPath(document, path))
  const target = resolved(document, node)
  Reflect.deleteProperty(node, '$ref')
  Object.assign(node, { ...target, ...node })
}

/** @returns a function that restores the mappings, in their order, beside those that the bundler has changed */
function takeLocalMappings(document: JsonObject): () => void {
  const taken = [...contractNodes(document)].map(({ node }) => {
    const mapping = objectOf(own(objectOf(own(node, 'discriminator')), 'mapping'))
    const entries = Object.entries(mapping)
    for (const [value, target] of entries)
      if (String(target).startsWith('#/')) Reflect.deleteProperty(mapping, value)
    return { mapping, entries }
  })
  return () => {
    for (const { mapping, entries } of taken)
      for (const [value, target] of entries) {
        const bundled = own(mapping, value) ?? target
        Reflect.deleteProperty(mapping, value)
        define(mapping, value, bundled)
      }
  }
}

/** Component of the contract by its section and name. */
type Named = readonly [section: string, name: string]

const namesOf = (document: JsonObject): Named[] =>
  Object.keys(objectOf(own(document, 'components'))).flatMap((section) =>
    Object.keys(componentsOf(document, section)).map((name): Named => [section, name])
  )

interface Reserved {
  /** Components of the author, as `section/name`. */
  readonly authors: ReadonlySet<string>
  /** Escaped names of these, which no other component may get. */
  readonly escaped: readonly Named[]
}

/**
 * Keeps the bundler from naming a component like a reference to another one of the author: `a~1b` beside `a/b`.
 * @returns what `nameByReference` takes after the bundler
 */
function reserveNames(document: JsonObject): Reserved {
  const names = namesOf(document)
  const escaped = names
    .map(([section, name]): Named => [section, escapePointer(name)])
    .filter(([section, name]) => !Object.hasOwn(componentsOf(document, section), name))
  for (const [section, name] of escaped) define(componentsOf(document, section), name, 1)
  return { authors: new Set(names.map((each) => each.join('/'))), escaped }
}

/**
 * Gives the components that the bundler has added the names that references to them say: it names each by the last segment
 * of its pointer, which stays escaped, so that `#/components/schemas/a~1b` would lead to no component `a~1b`.
 */
function nameByReference(document: JsonObject, { authors, escaped }: Reserved): void {
  for (const [section, name] of escaped) Reflect.deleteProperty(componentsOf(document, section), name)
  const moved = new Map<string, string>()
  for (const [section, name] of namesOf(document)) {
    const reference = `#/components/${section}/${name}`
    const meant = String(fragmentSegments(reference).at(-1))
    if (meant === name || authors.has(`${section}/${name}`)) continue
    const members = componentsOf(document, section)
    const free = freeName(members, meant)
    define(members, free, members[name] ?? {})
    Reflect.deleteProperty(members, name)
    if (free !== meant) moved.set(reference, fragmentOf(['components', section, free]))
  }
  if (moved.size === 0) return
  for (const { node } of contractNodes(document))
    rewriteReferences(node, (reference) => moved.get(reference) ?? reference)
}

function freeName(members: JsonObject, name: string): string {
  let free = name
  for (let serial = 2; Object.hasOwn(members, free); serial++) free = `${name}-${serial}`
  return free
}
