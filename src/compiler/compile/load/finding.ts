/** Turns a finding of the linter into a problem: its severity, its message and its place. */
import type { NormalizedProblem } from '@redocly/openapi-core'
import { isNearMiss, nearest, resembles } from '../diagnostics/near-miss.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { namesAt, positionOf, type SourcePosition, spellingAt } from '../diagnostics/source-position.ts'
import { unescapePointer } from '../document/pointer.ts'
import { dataKeywordOf } from '../document/walk.ts'

/** Rules whose violation is an error even if the meta-schema allows it. */
export const fatalRules = new Set(['no-unresolved-refs', 'operation-parameters-unique'])

export const isStructural = ({ ruleId }: NormalizedProblem): boolean => ruleId === 'struct'

/** Rules that find parts without an effect or with an unexpected one; all other rules of the linter are about style. */
const effectiveRules = new Set([
  'struct',
  'no-ambiguous-paths',
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'no-illogical-composition-keywords',
  'no-mixed-number-range-constraints',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'security-scopes-defined',
  ...fatalRules
])

interface FindingContext extends Judgement {
  /** Returns the names in a folder relative to a file, if a reference may lead to them. */
  readonly namesIn: (folder: string, file: string) => string[]
}

/** Returns the finding at its first place; an empty list for a finding without a place. */
export function contractProblem(problem: NormalizedProblem, judgement: FindingContext): ContractProblem[] {
  const severity = severityOf(problem, judgement)
  const isEffective = effectiveRules.has(problem.ruleId) && !isDoubt(problem, judgement)
  return problem.location.slice(0, 1).map((location) => {
    const style = isEffective || severity === 'error' ? {} : ({ isStyle: true } as const)
    const message = messageOf(problem, location, judgement)
    return { severity, ...style, file: location.source.absoluteRef, ...linterPosition(location), message }
  })
}

/** Returns the message of the linter, with the reference or the suggestion that it leaves out. */
function messageOf(problem: NormalizedProblem, location: LintLocation, { namesIn }: FindingContext): string {
  const { ruleId, message, suggest } = problem
  const path = segmentsOf(location.pointer)
  const reference =
    ruleId === 'no-unresolved-refs' ? spellingAt(location.source, [...path, '$ref']) : undefined
  if (typeof reference === 'string')
    return unresolved(message, reference, { source: location.source, namesIn })
  if (isWrongExample(problem)) return undeclared(message) ?? withAllowedValues(problem)
  const named = withMember(withoutPlace(message), path, location)
  const stray = strayField(problem)
  // The linter suggests no nearest method.
  const meant = (stray !== undefined && isPathItem(path) ? nearest(stray, methods) : undefined) ?? suggest[0]
  return meant === undefined || meant.startsWith('$') ? named : `${named} Did you mean \`${meant}\`?`
}

/** Removes the file and the place from a message of the parser of YAML, and names the usual cause of its commonest one. */
export const withoutPlace = (message: string): string =>
  message
    .replace(/( in "[^"]*")?( \(\d+:\d+\))?(?=\.?$)/, '')
    // The parser reads on to the next line when a quote is open.
    .replace(/deficient indentation(?=\.?$)/, 'deficient indentation, or a quote is open above')

const isWrongExample = ({ message }: NormalizedProblem): boolean => message.startsWith('Example value ')

/** Names a property that the schema of an example does not declare; a schema that is open allows it all the same. */
function undeclared(message: string): string | undefined {
  const [, holder, keyword, name] =
    /(?:: `(.*)` property|:) must NOT have (\w+) properties `(.*)`\.?$/s.exec(message) ?? []
  const place = holder === undefined ? '' : ` in \`${holder}\``
  const verb = keyword === 'additional' ? 'allow' : 'declare'
  return name === undefined
    ? undefined
    : `the example has \`${name}\`${place}, which its schema does not ${verb}`
}

/** Most values of an `enum` that a message lists. */
const maxAllowed = 10

/** Lists the values of an `enum` as JSON. They may be of any type; the linter writes each as a text in quotes. */
function withAllowedValues({ message, suggest }: NormalizedProblem): string {
  const allowed: readonly unknown[] = suggest
  const listed = allowed.slice(0, maxAllowed).map((value) => JSON.stringify(value))
  const rest = allowed.length > maxAllowed ? [`and ${allowed.length - maxAllowed} more`] : []
  return message.replace(/(?<=one of the allowed values ).*/s, () => `${[...listed, ...rest].join(', ')}.`)
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const isPathItem = ([first, , , ...others]: readonly string[]): boolean =>
  first === 'paths' && others.length === 0

/** Explains why a reference leads nowhere, and suggests a similar name. */
function unresolved(
  message: string,
  reference: string,
  { source, namesIn }: Pick<LintLocation, 'source'> & Pick<FindingContext, 'namesIn'>
): string {
  const reason = withoutPlace(message).replace("Can't resolve $ref", `Can't resolve $ref ${reference}`)
  const at = reference.lastIndexOf('/')
  const [parent, name] = [reference.slice(0, at), reference.slice(at + 1)]
  const known = parent.startsWith('#')
    ? namesAt(source, segmentsOf(parent))
    : namesIn(parent, source.absoluteRef)
  const meant = nearest(name, known)
  const prefix = at < 0 ? '' : `${parent}/`
  return meant === undefined || meant === name
    ? reason
    : `${reason.replace(/\.$/, '')}. Did you mean \`${prefix}${meant}\`?`
}

/** Adds the name of the member or the value, when the linter only says what it should be. */
function withMember(message: string, path: readonly string[], { source }: LintLocation): string {
  const member = path.findLast((segment) => !/^\d+$/.test(segment)) ?? 'the document'
  const value = spellingAt(source, path)
  if (message.startsWith('Expected type')) return `${message.replace(/\.$/, '')} at \`${member}\``
  if (/^`.*` can be one of the following only/.test(message) && typeof value === 'string')
    return `${message.replace(/\.$/, '')}; it is ${value}.`
  const [, required] = /^Required property '(.*)' is not defined/s.exec(message) ?? []
  const declared = namesAt(source, [...path.slice(0, -2), 'properties'])
  const meant = declared.find((name) => required !== undefined && resembles(required, name))
  return meant === undefined ? message : `${message} Did you mean \`${meant}\`?`
}

type LintLocation = NormalizedProblem['location'][number]

/**
 * Computes the position: the linter follows neither aliases nor merge keys. A file that is not YAML has only the
 * linter's line.
 */
function linterPosition(location: LintLocation): SourcePosition {
  if (location.pointer === undefined) return { line: location.start.line, column: location.start.col }
  return positionOf(location.source, segmentsOf(location.pointer), location.reportOnKey === true)
}

/** Recognises extensions, which hold data, not parts of the contract (OpenAPI 3.1.0, section 4.9). */
export const isExtension = (pointer: string): boolean => /\/x-/i.test(pointer)

interface Judgement {
  /** Rules that the house calls errors. */
  readonly houseErrors: ReadonlySet<string>
  /** True when the meta-schema allows the contract. */
  readonly valid: boolean
  /** True when schemas may have further keywords (JSON Schema Core 2020-12, section 6.5), which OpenAPI 3.0 forbids. */
  readonly isOpen: boolean
}

/**
 * Decides that structural findings are errors only if the meta-schema agrees, because the linter reports legal
 * contracts too, or if a name looks misspelt: an ignored `requestbody` would leave the body without validation.
 */
function severityOf(
  problem: NormalizedProblem,
  { valid, isOpen, houseErrors }: Judgement
): 'error' | 'warning' {
  if (houseErrors.has(problem.ruleId)) return 'error'
  const pointers = problem.location.map(({ pointer = '' }) => pointer)
  if (pointers.some((pointer) => isExtension(pointer) || dataKeywordOf(segmentsOf(pointer)) !== undefined))
    return 'warning'
  if (fatalRules.has(problem.ruleId)) return 'error'
  if (!isStructural(problem)) return 'warning'
  const missing = missingField(problem)
  if (missing !== undefined)
    return pointers.some((pointer) => isDecisive(missing, pointer)) ? 'error' : 'warning'
  const stray = strayField(problem)
  if (stray !== undefined) return isMisspelt(stray, problem, isOpen) ? 'error' : 'warning'
  return valid ? 'warning' : 'error'
}

/** Returns true when the linter reports something that OpenAPI allows: boolean schemas, keywords of earlier drafts. */
function isDoubt(problem: NormalizedProblem, { valid, isOpen }: Judgement): boolean {
  if (!isStructural(problem) || !valid) return false
  const stray = strayField(problem)
  return stray === undefined ? missingField(problem) === undefined : isOpen && earlierKeywords.has(stray)
}

/** Keywords of earlier drafts, which the compiler enforces. */
const earlierKeywords: ReadonlySet<string> = new Set(['dependencies', 'definitions'])

function isMisspelt(name: string, { suggest, location }: NormalizedProblem, isOpen: boolean): boolean {
  if (isOpen && location.some(({ pointer = '' }) => isInSchema(pointer))) return false
  return suggest.some((meant) => isNearMiss(name, meant))
}

export function missingField({ message }: NormalizedProblem): string | undefined {
  return /^The field `(.*)` must be present on this level/s.exec(message)?.[1]
}

/** Returns the field that stands in the wrong place. */
export function strayField({ message }: NormalizedProblem): string | undefined {
  return /^(?:Property|The field) `(.*)` is not (?:expected|allowed) here/s.exec(message)?.[1]
}

/** Fields without which a part of the contract cannot be served; all others are documentation. */
const decisive: ReadonlySet<string> = new Set(['in', 'scheme', 'type', 'content', 'propertyName'])

function isDecisive(field: string, pointer: string): boolean {
  if (field === 'name') return !/^#\/(info|tags)(\/|$)/.test(pointer)
  // Webhooks and callbacks are not served.
  if (field === 'responses') return /^#\/(paths\/[^/]+\/[^/]+)?$/.test(pointer)
  return decisive.has(field)
}

/** Recognises places inside schemas, which may have unknown keywords since OpenAPI 3.1. */
const isInSchema = (pointer: string): boolean =>
  /\/(schema|schemas\/[^/]+|properties|items|allOf|anyOf|oneOf|not|additionalProperties|\$defs)(\/|$)/.test(
    pointer
  )

/** Reads the segments of a pointer as the linter writes it. */
export const segmentsOf = (pointer = ''): string[] =>
  pointer
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '')
    .map(unescapePointer)
