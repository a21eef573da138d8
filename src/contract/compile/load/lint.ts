/**
 * What the linter says of a contract. What makes a contract wrong and what is a matter of taste are told apart here
 * (OpenAPI's own meta-schema decides).
 */
import {
  type BaseResolver,
  type Config,
  createConfig,
  type Document,
  lintDocument,
  type NormalizedProblem
} from '@redocly/openapi-core'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type Place, placeOf } from '../diagnostics/source-position.ts'
import { identifiersOf, isIdentified } from '../document/identifiers.ts'
import { isObject, type JsonObject, own, unescapePointer } from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'
import { isMisspelt } from './near-miss.ts'

/** @param document read, not bundled yet */
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

/** Rules whose breach makes a contract wrong whatever the meta-schema says. */
const fatalRules = new Set(['no-unresolved-refs', 'operation-parameters-unique'])

/** Checked by the compiler itself, which knows more, or by nobody: legal in OpenAPI. */
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

/** Rules about taste crash on a property named hasOwnProperty, on a broken pattern; then only those that decide are asked. */
async function lint(document: Document, resolver: BaseResolver): Promise<NormalizedProblem[]> {
  const decisive = createConfig({
    rules: Object.fromEntries(['struct', ...fatalRules].map((rule) => [rule, 'error' as const]))
  })
  for (const config of [lintConfig(), decisive]) {
    try {
      return await lintDocument({ document, config: await config, externalRefResolver: resolver })
    } catch {
      // Asked once more, or not at all: the compiler's own checks find what it was.
    }
  }
  return []
}

const isStructural = ({ ruleId }: NormalizedProblem): boolean => ruleId === 'struct'

/** Compiling the meta-schema takes longer than compiling a small contract: only where the linter doubts its structure. */
async function isValidOpenApi(document: JsonObject): Promise<boolean> {
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  const copy = JSON.parse(JSON.stringify(document)) as JsonObject
  const { valid, errors } = await new Validator().validate(copy)
  // A sentence instead of a list is about references, of which it follows fewer than there are.
  return valid || typeof errors === 'string'
}

/** OpenAPI lets a mapping name a schema without a path, and JSON Schema a reference name a schema by its `$id`. */
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

/** What is inside `x-*` is nobody's business (OpenAPI 3.1.0, section 4.9). */
const isExtension = (pointer: string): boolean => /\/x-/i.test(pointer)

function contractProblem(problem: NormalizedProblem, valid: boolean): ContractProblem[] {
  const [meant] = problem.suggest
  const message = meant === undefined ? problem.message : `${problem.message} Did you mean \`${meant}\`?`
  const severity = severityOf(problem, valid)
  return problem.location.slice(0, 1).map((location) => {
    return { severity, file: location.source.absoluteRef, ...linterPlace(location), message }
  })
}

/** The linter follows neither aliases nor merge keys; of a file that is no YAML it knows the line. */
function linterPlace(location: NormalizedProblem['location'][number]): Place {
  if (location.pointer === undefined) return { line: location.start.line, column: location.start.col }
  const path = location.pointer
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '')
  return placeOf(location.source, path.map(unescapePointer), location.reportOnKey === true)
}

/**
 * The linter frowns at legal contracts too. Its structural findings are errors only where the meta-schema agrees,
 * or where a name looks mistyped: a `requestbody` that is not read would drop a body's validation.
 */
function severityOf(problem: NormalizedProblem, valid: boolean): 'error' | 'warning' {
  if (problem.location.some(({ pointer = '' }) => isExtension(pointer))) return 'warning'
  if (fatalRules.has(problem.ruleId)) return 'error'
  if (!isStructural(problem)) return 'warning'
  const [, unexpected] = /^Property `(.*)` is not expected here/s.exec(problem.message) ?? []
  if (unexpected !== undefined)
    return problem.suggest.some((name) => isMisspelt(unexpected, name)) ? 'error' : 'warning'
  return valid ? 'warning' : 'error'
}
