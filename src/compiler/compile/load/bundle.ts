/**
 * Bundles the files of a contract into its root document. The linter reports what there is to bundle while it walks the
 * contract, so that a contract of one file is not walked again by the bundler.
 */
import {
  type BaseResolver,
  bundle,
  type Config,
  type Document,
  type NormalizedProblem,
  type Oas3Visitor,
  type UserContext
} from '@redocly/openapi-core'
import { type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import { define, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPath, resolved } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { nameByReference, reserveNames } from './component-names.ts'
import { segmentsOf } from './finding.ts'

export const unbundledRule = 'corrected/unbundled'
export const isUnbundled = ({ ruleId }: NormalizedProblem): boolean => ruleId === unbundledRule

/** Message about a reference to an object in the place of a text, a number or an example. */
const toObject = 'reference to an object'

/** A rule of the linter, which reports every part that the bundler changes. */
export function unbundled(): Oas3Visitor {
  const report = ({ report }: UserContext, message = ''): void => report({ message })
  return {
    Root: (root, context) => (root.components ? undefined : report(context)),
    ref(node, context, { location, node: target, chain }) {
      const isLocal = node.$ref.startsWith('#/') && location?.source === context.location.source
      if (isLocal && context.type.name !== 'scalar') return
      report(context, isLocal && isObject(target) && chain === undefined ? toObject : '')
    },
    Example: (example, context) => ('externalValue' in example ? report(context) : undefined),
    Discriminator: (discriminator, context) =>
      'defaultMapping' in discriminator ? report(context) : undefined,
    DiscriminatorMapping(mapping, context) {
      if (!Object.values(mapping).every((target) => /^#\/|^[\w-]*$/.test(String(target)))) report(context)
    }
  }
}

interface BundleOptions {
  readonly config: Config
  readonly resolver: BaseResolver
}

/**
 * Bundles the files. A cycle of references stops the bundler, and checks/references.ts finds its place.
 * @param findings of the rule above; undefined when some may be missing
 */
export async function bundleInPlace(
  document: Document,
  findings: readonly NormalizedProblem[] | undefined,
  { config, resolver }: BundleOptions
): Promise<ContractProblem[]> {
  const parsed = objectOf(document.parsed as Json)
  if (findings?.every(({ message }) => message === toObject)) {
    for (const { location } of findings) replaceByTarget(parsed, segmentsOf(location[0]?.pointer))
    return []
  }
  const restoreMappings = takeLocalMappings(parsed)
  const reserved = reserveNames(parsed)
  try {
    await bundle({ doc: document, config, externalRefResolver: resolver })
    return []
  } catch (error) {
    const message = `the references of this contract cannot be followed: ${reasonOf(error)}`
    return [{ severity: 'error', file: document.source.absoluteRef, line: 1, column: 1, message }]
  } finally {
    nameByReference(parsed, reserved)
    restoreMappings()
  }
}

/** Replaces a reference by the members of its target, as the bundler does. */
function replaceByTarget(document: JsonObject, path: readonly string[]): void {
  const node = objectOf(atPath(document, path))
  const target = resolved(document, node)
  delete node['$ref']
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
