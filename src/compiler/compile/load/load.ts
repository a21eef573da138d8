/** Reads a contract: lints its files and bundles them into one document. */
import { createHash } from 'node:crypto'
import { resolve as resolvePath } from 'node:path'
import { type BaseResolver, bundle, type Config, type Document, YamlParseError } from '@redocly/openapi-core'
import { Locator, type SourceFile } from '../diagnostics/locator.ts'
import {
  addProblems,
  ContractError,
  type ContractProblem,
  hasErrors,
  reasonOf
} from '../diagnostics/problem.ts'
import { positionOf } from '../diagnostics/source-position.ts'
import { bindDynamicReferences } from '../document/dynamic-references.ts'
import { resolveIdentifiers } from '../document/identifiers.ts'
import { type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { FileResolver, type ReadFile } from './file-resolver.ts'
import { lintConfig, lintContract } from './lint.ts'
import { nameOperations } from './name-operations.ts'
import { defaultTaste, readTaste } from './taste.ts'

export interface LoadedContract {
  /** Files with their digests, the root file first. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
  /** Document in which every `$ref` begins with `#/`, or names an `$id` or `$anchor`. */
  readonly document: JsonObject
  /** Version of OpenAPI: `3.0` has its own dialect of JSON Schema; later versions use draft 2020-12. */
  readonly version: '3.0' | '3.1' | '3.2'
  readonly locator: Locator
  readonly problems: readonly ContractProblem[]
}

export interface LoadOptions {
  /** Reads the files of a contract that is not on the disk. */
  readonly readFile?: ReadFile | undefined
  /** True to leave out problems of style; halves the time. */
  readonly isBrief?: boolean
}

/**
 * Loads the contract with the root file `path`.
 * @param onFile is called with each file before it is read, so that a watcher sees missing files, too
 * @throws {ContractError} when the root file cannot be read or is not OpenAPI 3; other errors are in `problems`
 */
export async function loadContract(
  path: string,
  onFile: (path: string) => void = () => {},
  { readFile, isBrief = false }: LoadOptions = {}
): Promise<LoadedContract> {
  const root = resolvePath(path)
  const resolver = new FileResolver(onFile, readFile)
  const document = await readRoot(resolver, root)
  const parsed = objectOf(document.parsed as Json)
  const version = versionOf(parsed, document)
  resolver.repairRoot(document, version === '3.0')
  const isOnDisk = readFile === undefined
  const taste = isBrief || !isOnDisk ? defaultTaste : await readTaste(root, onFile)
  const config = await lintConfig(taste)
  const linted = await lintContract(document, parsed, { resolver, config, isBrief })
  const problems = [...taste.problems, ...linted]
  const unbundled = await bundleInPlace(document, config, resolver)
  resolveIdentifiers(parsed)
  const [main, others] = [sourceFile(document), await otherFiles(resolver, document)]
  const locator = new Locator(main, others)
  locator.addCopies(bindDynamicReferences(parsed))
  const unnamed = nameOperations(parsed, locator)
  return {
    files: [main, ...others].map(({ path, source }) => ({ path, sha256: sha256(source.body) })),
    document: parsed,
    version,
    locator,
    problems: addProblems(problems, hasErrors(problems) ? unnamed : [...unbundled, ...unnamed])
  }
}

/** Bundles the files; a cycle of references stops the bundler, and checks/references.ts finds its place. */
async function bundleInPlace(
  doc: Document,
  config: Config,
  externalRefResolver: BaseResolver
): Promise<ContractProblem[]> {
  try {
    await bundle({ doc, config, externalRefResolver })
    return []
  } catch (error) {
    const message = `the references of this contract cannot be followed: ${reasonOf(error)}`
    return [{ severity: 'error', file: doc.source.absoluteRef, line: 1, column: 1, message }]
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function readRoot(resolver: BaseResolver, path: string): Promise<Document> {
  try {
    return (await resolver.resolveDocument(null, path, true)) as Document
  } catch (error) {
    if (error instanceof YamlParseError) {
      const message = error.message.replace(/( in ".*")?( \(\d+:\d+\))?$/, '')
      // The parser reads on to the next line when a quote is open.
      const hint = message === 'deficient indentation' ? ', or a quote is open above' : ''
      throw refused(path, `${message}${hint}`, error.line || 1, error.col || 1)
    }
    throw refused(path, 'the file cannot be read')
  }
}

function refused(file: string, message: string, line = 1, column = 1): ContractError {
  return new ContractError([{ severity: 'error', file, line, column, message }])
}

function versionOf(document: JsonObject, { source }: Document): LoadedContract['version'] {
  const written = own(document, 'openapi')
  const { line, column } = written === undefined ? { line: 1, column: 1 } : positionOf(source, ['openapi'])
  if (typeof written === 'number')
    throw refused(source.absoluteRef, `openapi is a number: write '${written}.0'`, line, column)
  const match = /^(3\.[012])(\.\d+)?(-.+)?$/.exec(String(written))
  if (match === null) throw refused(source.absoluteRef, `${expected}${foundVersion(document)}`, line, column)
  return match[1] as LoadedContract['version']
}

const expected = 'expected an OpenAPI document: `openapi: 3.0.x`, `3.1.x` or `3.2.x`'

function foundVersion(document: JsonObject): string {
  const [swagger, openapi] = [own(document, 'swagger'), own(document, 'openapi')]
  if (swagger !== undefined) return `; this is Swagger ${String(swagger)}: convert it to OpenAPI 3`
  return openapi === undefined ? '' : `; this is OpenAPI ${String(openapi)}`
}

async function otherFiles(resolver: BaseResolver, root: Document): Promise<SourceFile[]> {
  // The linter has reported a rejected file, or its reference stands in an example.
  const settled = await Promise.allSettled(resolver.cache.values())
  const documents = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const others = documents.filter(
    (document) => document !== root && !(document instanceof Error)
  ) as Document[]
  return others.map(sourceFile).sort((a, b) => b.path.localeCompare(a.path))
}

function sourceFile({ source, parsed }: Document): SourceFile {
  return { path: source.absoluteRef, source, parsed: parsed as Json }
}
