/**
 * Reads a contract: every file of it, linted, bundled into one document.
 * What makes a contract wrong and what is a matter of taste are told apart here (OpenAPI's own meta-schema decides).
 */
import { createHash } from 'node:crypto'
import { resolve as resolvePath } from 'node:path'
import {
  BaseResolver,
  bundle,
  type Config,
  createConfig,
  type Document,
  lintDocument,
  type NormalizedProblem,
  ResolveError,
  YamlParseError
} from '@redocly/openapi-core'
import { bindDynamicReferences } from './dynamic-references.ts'
import { identifiersOf, isIdentified, resolveIdentifiers } from './identifiers.ts'
import { isObject, type Json, type JsonObject, objectOf, own, unescapePointer } from './json.ts'
import { type ContractFile, Locator } from './locate.ts'
import { ContractError, type ContractProblem, reasonOf } from './problem.ts'
import { atPointer } from './reference.ts'
import { type Place, placeOf } from './source-place.ts'

export interface LoadedContract {
  /** The root file first. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
  /** One document; every `$ref` begins with `#/`, or names an `$id` or `$anchor`. */
  readonly document: JsonObject
  /** `3.0` speaks its own dialect of JSON Schema, the later ones draft 2020-12. */
  readonly version: '3.0' | '3.1' | '3.2'
  readonly locator: Locator
  readonly problems: readonly ContractProblem[]
}

/**
 * @param onFile told each file before it is read, so that one that is missing can be waited for
 * @throws {ContractError} when a file can not be read or is no OpenAPI 3 document; other errors are in `problems`
 */
export async function loadContract(
  path: string,
  onFile: (path: string) => void = () => {}
): Promise<LoadedContract> {
  const root = resolvePath(path)
  const resolver = new FileResolver(onFile)
  const document = await readRoot(resolver, root)
  const parsed = objectOf(document.parsed as Json)
  const version = versionOf(parsed, root)
  const config = await lintConfig()
  const linted = await lint(document, resolver)
  const valid = linted.some(isStructural) && (await isValidOpenApi(parsed))
  const identifiers = identifiersOf(parsed)
  const problems = linted
    .filter((problem) => !isResolvedLater(problem, parsed, identifiers))
    .flatMap((problem) => contractProblem(problem, valid))
  if (problems.some(({ severity }) => severity === 'error')) throw new ContractError(problems)
  const unbundled = await bundleInPlace(document, config, resolver)
  resolveIdentifiers(parsed)
  const [main, others] = [contractFile(document), await otherFiles(resolver, document)]
  const locator = new Locator(main, others)
  locator.addCopies(bindDynamicReferences(parsed))
  return {
    files: [main, ...others].map(({ path, source }) => ({ path, sha256: sha256(source.body) })),
    document: parsed,
    version,
    locator,
    problems: [...problems, ...unbundled]
  }
}

/** References in a circle stop the bundler; where they are is told by checks.ts. */
async function bundleInPlace(
  doc: Document,
  config: Config,
  externalRefResolver: BaseResolver
): Promise<ContractProblem[]> {
  try {
    await bundle({ doc, config, externalRefResolver })
    return []
  } catch (error) {
    const message = `the references of this contract can not be followed: ${reasonOf(error)}`
    return [{ severity: 'error', file: doc.source.absoluteRef, line: 1, column: 1, message }]
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A contract is files: nothing is fetched from a network at generation. */
class FileResolver extends BaseResolver {
  readonly #onFile: (path: string) => void

  constructor(onFile: (path: string) => void) {
    super()
    this.#onFile = onFile
  }

  override async loadExternalRef(absoluteRef: string): ReturnType<BaseResolver['loadExternalRef']> {
    if (/^(https?|data):/.test(absoluteRef)) {
      throw new ResolveError(
        new Error('references over the network are not followed; keep the file beside the contract')
      )
    }
    this.#onFile(absoluteRef)
    return super.loadExternalRef(absoluteRef)
  }
}

async function readRoot(resolver: BaseResolver, path: string): Promise<Document> {
  try {
    return (await resolver.resolveDocument(null, path, true)) as Document
  } catch (error) {
    if (error instanceof YamlParseError) {
      const message = error.message.replace(/( in ".*")?( \(\d+:\d+\))?$/, '')
      throw refused(path, message, error.line || 1, error.col || 1)
    }
    throw refused(path, 'the file can not be read')
  }
}

function refused(file: string, message: string, line = 1, column = 1): ContractError {
  return new ContractError([{ severity: 'error', file, line, column, message }])
}

function versionOf(document: JsonObject, path: string): LoadedContract['version'] {
  const match = /^(3\.[012])(\.\d+)?(-.+)?$/.exec(String(own(document, 'openapi')))
  if (match === null)
    throw refused(path, 'expected an OpenAPI document: `openapi: 3.0.x`, `3.1.x` or `3.2.x`')
  return match[1] as LoadedContract['version']
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

function lintConfig(): Promise<Config> {
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

/** Misspelt, they are lost to a reader, and change nothing that is served. */
const descriptive = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'deprecated'
])

/** Letter case, hyphens and underscores aside, one letter is missing, too many, or another one, or two are swapped. */
function isMisspelt(written: string, meant: string): boolean {
  if (/^x-/i.test(written) || /^x-/i.test(meant) || descriptive.has(meant)) return false
  const [a, b] = [written, meant].map((name) => name.toLowerCase().replaceAll(/[-_]/g, '')) as [
    string,
    string
  ]
  if (a === b) return true
  if (Math.min(a.length, b.length) < 4) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rests = [
    [a.slice(start + 1), b.slice(start)],
    [a.slice(start), b.slice(start + 1)],
    [a.slice(start + 1), b.slice(start + 1)]
  ]
  const swapped =
    a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2)
  return swapped || rests.some(([left, right]) => left === right)
}

async function otherFiles(resolver: BaseResolver, root: Document): Promise<ContractFile[]> {
  // A reference that can not be followed has been reported, or stands where it means nothing: in an example.
  const settled = await Promise.allSettled(resolver.cache.values())
  const documents = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const others = documents.filter(
    (document) => document !== root && !(document instanceof Error)
  ) as Document[]
  return others.map(contractFile).sort((a, b) => b.path.localeCompare(a.path))
}

function contractFile({ source, parsed }: Document): ContractFile {
  return { path: source.absoluteRef, source, parsed: parsed as Json }
}
