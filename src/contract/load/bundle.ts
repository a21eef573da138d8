/** Bundles the files of a contract into its root document. */
import { type BaseResolver, bundle, createConfig, type Document, type NodeType } from '@redocly/openapi-core'
import { type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import { atPath, resolved } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { define, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import { nameByReference, reserveNames } from './component-names.ts'

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

/** Bundles the files. A cycle of references stops the bundler, and checks/references.ts finds its place. */
export async function bundleInPlace(document: Document, resolver: BaseResolver): Promise<ContractProblem[]> {
  const parsed = objectOf(document.parsed as Json)
  const restoreMappings = takeLocalMappings(parsed)
  const reserved = reserveNames(parsed)
  try {
    const config = await createConfig({ plugins: [corrected] })
    await bundle({ doc: document, config, externalRefResolver: resolver })
    return []
  } catch (error) {
    const message = `the references of this contract cannot be followed: ${reasonOf(error)}`
    return [
      { severity: 'error', rule: 'reference', file: document.source.absoluteRef, line: 1, column: 1, message }
    ]
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
