/** Lints a contract. OpenAPI's own meta-schema decides which findings are errors, and which are matters of taste. */
import {
  type BaseResolver,
  type Config,
  createConfig,
  type Document,
  lintDocument,
  type NormalizedProblem
} from '@redocly/openapi-core'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { positionOf, type SourcePosition } from '../diagnostics/source-position.ts'
import { identifiersOf, isIdentified } from '../document/identifiers.ts'
import { isObject, type JsonObject, own, unescapePointer } from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'
import { isNearMiss } from './near-miss.ts'

/**
 * Returns the findings of the linter as problems.
 * @param document read, not bundled yet
 */
export async function lintContract(
  document: Document,
  parsed: JsonObject,
  resolver: BaseResolver
): Promise<ContractProblem[]> {
  const linted = await lint(document, resolver)
  const valid = linted.some(isStructural) && (await isValidOpenApi(parsed))
  const identifiers = identifiersOf(parsed)
  return linted
    .filter((problem) => !isResolvedLater(problem, parsed, identifiers))
    .flatMap((problem) => contractProblem(problem, valid))
}

/** Rules whose violation is an error even where the meta-schema allows it. */
const fatalRules = new Set(['no-unresolved-refs', 'operation-parameters-unique'])

/** Rules that are off: the compiler checks them itself (checks/), or OpenAPI allows what they forbid. */
const unwanted = [
  'operation-operationId',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
  'path-parameters-defined',
  'no-identical-paths',
  'security-defined',
  'nullable-type-sibling'
]

export function lintConfig(): Promise<Config> {
  return createConfig({
    extends: ['recommended'],
    rules: Object.fromEntries(unwanted.map((rule) => [rule, 'off' as const]))
  })
}

/** Lints again with the decisive rules alone when a rule of taste throws: on a property `hasOwnProperty`, on a broken pattern. */
async function lint(document: Document, resolver: BaseResolver): Promise<NormalizedProblem[]> {
  const decisive = createConfig({
    rules: Object.fromEntries(['struct', ...fatalRules].map((rule) => [rule, 'error' as const]))
  })
  for (const config of [lintConfig(), decisive]) {
    try {
      return await lintDocument({ document, config: await config, externalRefResolver: resolver })
    } catch {
      // The next configuration is tried; after the last, the checks of the compiler find the problem.
    }
  }
  return []
}

const isStructural = ({ ruleId }: NormalizedProblem): boolean => ruleId === 'struct'

/** Validates against the meta-schema; takes longer than compiling a small contract, so that only linter findings lead here. */
async function isValidOpenApi(document: JsonObject): Promise<boolean> {
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const copy = JSON.parse(JSON.stringify(document)) as JsonObject
  const { valid, errors } = await new Validator().validate(copy)
  // A string instead of a list is about references; the validator does not follow all kinds.
  return valid || typeof errors === 'string'
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
    const node = atPointer(document, pointer)
    const reference = isObject(node) ? own(node, '$ref') : node
    return typeof reference === 'string' && isIdentified(reference, identifiers)
  })
}

/** Extensions hold data, not parts of the contract (OpenAPI 3.1.0, section 4.9). */
const isExtension = (pointer: string): boolean => /\/x-/i.test(pointer)

function contractProblem(problem: NormalizedProblem, valid: boolean): ContractProblem[] {
  const [meant] = problem.suggest
  const message = meant === undefined ? problem.message : `${problem.message} Did you mean \`${meant}\`?`
  const severity = severityOf(problem, valid)
  return problem.location.slice(0, 1).map((location) => {
    return { severity, file: location.source.absoluteRef, ...linterPosition(location), message }
  })
}

/** Finds the position anew: the linter follows neither aliases nor merge keys. In a file that is not YAML it knows the line. */
function linterPosition(location: NormalizedProblem['location'][number]): SourcePosition {
  if (location.pointer === undefined) return { line: location.start.line, column: location.start.col }
  const path = location.pointer
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '')
  return positionOf(location.source, path.map(unescapePointer), location.reportOnKey === true)
}

/**
 * Structural findings are errors only if the meta-schema agrees, because the linter reports legal contracts too, or if a name
 * looks misspelt: an ignored `requestbody` would leave the body without validation.
 */
function severityOf(problem: NormalizedProblem, valid: boolean): 'error' | 'warning' {
  if (problem.location.some(({ pointer = '' }) => isExtension(pointer))) return 'warning'
  if (fatalRules.has(problem.ruleId)) return 'error'
  if (!isStructural(problem)) return 'warning'
  const [, unexpected] = /^Property `(.*)` is not expected here/s.exec(problem.message) ?? []
  if (unexpected !== undefined)
    return problem.suggest.some((name) => isNearMiss(unexpected, name)) ? 'error' : 'warning'
  return valid ? 'warning' : 'error'
}
