/** Lints a contract. OpenAPI's own meta-schema decides which findings are errors, and which are about style. */
import {
  type Config,
  createConfig,
  type Document,
  lintDocument,
  type NodeType,
  type NormalizedProblem,
  type RawUniversalConfig
} from '@redocly/openapi-core'
import { type ContractProblem, reasonOf } from '../diagnostics/problem.ts'
import { positionOf } from '../diagnostics/source-position.ts'
import { identifiersOf, isIdentified } from '../document/identifiers.ts'
import { isObject, type JsonObject, own } from '../document/json-value.ts'
import { isMisplaced } from '../document/object-kinds.ts'
import { stylesIn } from '../document/parameter-objects.ts'
import { atPath } from '../document/reference.ts'
import { dataKeywordOf } from '../document/walk.ts'
import { isUnbundled, unbundled, unbundledRule } from './bundle.ts'
import { type DoubledSchema, doubledSchema, maxApplied, rulesThatFollow } from './doubled-schemas.ts'
import type { FileResolver, Repair } from './file-resolver.ts'
import { contractProblem, fatalRules, isExtension, isStructural, segmentsOf } from './finding.ts'
import { isValidOpenApi } from './meta-schema.ts'
import type { Taste } from './taste.ts'

interface LintOptions {
  readonly resolver: FileResolver
  /** Configuration that includes the rules of style. */
  readonly config: Config
  /** True to leave out the rules of style. */
  readonly isBrief: boolean
  readonly taste: Taste
}

interface LintedContract {
  readonly problems: ContractProblem[]
  /** Findings of the rule `unbundled`; undefined when the linter has not visited every part. */
  readonly unbundled: readonly NormalizedProblem[] | undefined
}

/**
 * Returns the findings of the linter as problems.
 * @param document the document as read, not bundled yet
 */
export async function lintContract(
  document: Document,
  parsed: JsonObject,
  options: LintOptions
): Promise<LintedContract> {
  const { resolver, isBrief } = options
  const doubled = isBrief ? undefined : await doubledSchema(document, resolver)
  if (doubled !== undefined) options.config.skipRules(rulesThatFollow)
  const { findings, failure } = await lint(document, options)
  const toBundle = findings.filter(isUnbundled)
  const others = findings.filter((problem) => !isUnbundled(problem))
  const linted = others.filter(
    (problem) => !isRepaired(problem, resolver.repairs) && !isUnderWrongHeading(problem, parsed)
  )
  const isComplete = failure === undefined && !others.some(isStructural)
  const valid = linted.some(isStructural) && (await isValidOpenApi(parsed, linted, resolver.repairs))
  const identifiers = linted.some(isUnresolved) ? identifiersOf(parsed) : new Map<string, string>()
  const namesIn = (folder: string, file: string) => resolver.namesIn(folder, file)
  const isOpen = !resolver.is30
  const found = withUncheckedOnce(linted)
    .filter(
      (problem) => !(isData(problem) || isResolvedLater(problem, parsed, identifiers) || isNoSchema(problem))
    )
    .flatMap((problem) =>
      contractProblem(problem, { valid, isOpen, namesIn, houseErrors: options.taste.errors })
    )
  const unfollowed = doubled === undefined ? [] : [unfollowedProblem(doubled)]
  const unchecked = failure === undefined ? [] : uncheckedProblem(options.taste, failure)
  const repaired = resolver.repairs.map(({ problem }) => problem)
  return {
    problems: [...resolver.notes, ...repaired, ...unfollowed, ...unchecked, ...found],
    unbundled: isComplete ? toBundle : undefined
  }
}

function unfollowedProblem({ source, pointer }: DoubledSchema): ContractProblem {
  const message = `examples and required properties of this contract are not checked: this schema names others more than ${maxApplied} times`
  return {
    severity: 'warning',
    file: source.absoluteRef,
    message,
    ...positionOf(source, segmentsOf(pointer))
  }
}

/** Reports rules of the house that throw; without a file of the house, a rule of style that throws says nothing. */
function uncheckedProblem({ file, errors }: Taste, failure: unknown): ContractProblem[] {
  if (file === undefined) return []
  const message = `the rules of this file cannot be checked: ${reasonOf(failure)}`
  const severity = errors.size > 0 ? 'error' : 'warning'
  return [{ severity, file, line: 1, column: 1, message, hidesLine: true }]
}

function isRepaired({ location }: NormalizedProblem, repairs: readonly Repair[]): boolean {
  return location.some(({ pointer = '', source }) =>
    repairs.some(
      (repair) => repair.problem.file === source.absoluteRef && `${pointer}/`.startsWith(`${repair.pointer}/`)
    )
  )
}

const encodingList = { name: 'EncodingList', properties: {}, items: 'Encoding' }

/**
 * Corrects what the linter knows of OpenAPI 3.2: it crashes at the scopes of a device flow, wants a description of every
 * response (section 4.17), takes a shared media type for a map of media types (section 4.7), and misses style `cookie`
 * (section 4.12.3) and the encodings in an encoding (section 4.15). checks/descriptions.ts judges types of XML nodes.
 */
const corrected = {
  id: 'corrected',
  rules: { oas3: { unbundled } },
  typeExtension: {
    oas3: (types: Record<string, NodeType>, version: string) =>
      version !== 'oas3_2'
        ? types
        : {
            ...types,
            DeviceAuthorization: withProperties(types['DeviceAuthorization'], {
              scopes: types['ClientCredentials']?.properties['scopes']
            }),
            Parameter: withProperties(types['Parameter'], {
              style: { enum: Object.values(stylesIn).flat() }
            }),
            Response: { ...withProperties(types['Response'], {}), required: [] },
            NamedMediaTypes: { properties: {}, additionalProperties: () => 'MediaType' },
            Xml: withProperties(types['Xml'], { nodeType: {} }),
            Encoding: withProperties(types['Encoding'], {
              encoding: 'EncodingMap',
              itemEncoding: 'Encoding',
              prefixEncoding: encodingList
            })
          }
  }
}

const withProperties = (type: NodeType | undefined, further: NodeType['properties']): NodeType => ({
  ...type,
  properties: { ...type?.properties, ...further }
})

export function lintConfig({ rules }: Pick<Taste, 'rules'>): Promise<Config> {
  return createConfig({
    plugins: [corrected],
    extends: ['recommended'],
    rules: { ...rules, [unbundledRule]: 'error' } as NonNullable<RawUniversalConfig['rules']>
  })
}

/**
 * Lints again with only the decisive rules when a rule of style throws: on a property `hasOwnProperty`, on a broken
 * pattern.
 */
async function lint(document: Document, { resolver, config, isBrief }: LintOptions): Promise<Linted> {
  const decisive = createConfig({
    plugins: [corrected],
    rules: Object.fromEntries(
      ['struct', ...fatalRules, unbundledRule].map((rule) => [rule, 'error' as const])
    )
  })
  let failure: unknown
  for (const rules of isBrief ? [decisive] : [config, decisive]) {
    try {
      return {
        findings: await lintDocument({ document, config: await rules, externalRefResolver: resolver }),
        failure
      }
    } catch (error) {
      // The next configuration is tried; after the last, the checks of the compiler find the problem.
      failure ??= error
    }
  }
  return { findings: [], failure }
}

interface Linted {
  readonly findings: readonly NormalizedProblem[]
  /** Why the first configuration could not be used. */
  readonly failure: unknown
}

/** Returns whether a reference in an example or a default is reported: it is data there, not a reference. */
function isData({ ruleId, location: [location] }: NormalizedProblem): boolean {
  const keyword = dataKeywordOf(segmentsOf(location?.pointer))
  return ruleId === 'no-unresolved-refs' && keyword !== undefined && keyword !== 'examples'
}

/** Returns whether no schema stands where one is expected: checks/schema-places.ts reports it everywhere. */
const isNoSchema = ({ message }: NormalizedProblem): boolean => message.startsWith('Expected type `Schema` ')

const uncheckedExample = /^Example validation errored: (.*?)\.?$/s

/** Replaces the findings of one reason for which examples are not checked by one, which counts them. */
function withUncheckedOnce(findings: readonly NormalizedProblem[]): NormalizedProblem[] {
  const reasonOf = ({ message }: NormalizedProblem) => uncheckedExample.exec(message)?.[1]
  const unchecked = Map.groupBy(findings, reasonOf)
  const others = unchecked.get(undefined) ?? []
  unchecked.delete(undefined)
  const named = [...unchecked].flatMap(([reason, all]) => {
    const message = `${all.length} of the examples cannot be checked against a schema: ${reason}`
    return all.slice(0, 1).map((problem) => ({ ...problem, message }))
  })
  return [...others, ...named]
}

/** Returns whether the reference is a schema name in a mapping or an `$id`, which the compiler resolves itself. */
function isResolvedLater(
  { ruleId, location }: NormalizedProblem,
  document: JsonObject,
  identifiers: ReadonlyMap<string, string>
): boolean {
  if (ruleId !== 'no-unresolved-refs') return false
  return location.some(({ pointer = '' }) => {
    if (pointer.includes('/discriminator/mapping/') || isExtension(pointer)) return true
    const node = atPath(document, segmentsOf(pointer))
    const reference = isObject(node) ? own(node, '$ref') : node
    return typeof reference === 'string' && isIdentified(reference, identifiers)
  })
}

/** Returns whether a component has another shape than its heading says: checks/reference-kinds.ts judges its uses. */
function isUnderWrongHeading(problem: NormalizedProblem, document: JsonObject): boolean {
  return problem.location.some(({ pointer }) => {
    const [root, section = '', name = ''] = segmentsOf(pointer)
    const target =
      root === 'components' && isStructural(problem) ? atPath(document, [root, section, name]) : undefined
    return isObject(target) && isMisplaced(section, target)
  })
}

const isUnresolved = ({ ruleId }: NormalizedProblem): boolean => ruleId === 'no-unresolved-refs'
