/** Reads a contract: checks its files and bundles them into one document. */
import { dirname, resolve as resolvePath } from 'node:path'
import { modelIn } from '../build/build-contract.ts'
import { Locator } from '../diagnostics/locator.ts'
import {
  addProblems,
  byCodeUnits,
  ContractError,
  type ContractProblem,
  hasErrors,
  reasonOf
} from '../diagnostics/problem.ts'
import type { SourceFile } from '../diagnostics/source-file.ts'
import { bindDynamicReferences } from '../document/dynamic-references.ts'
import { mayNameSchemas, resolveIdentifiers } from '../document/identifiers.ts'
import type { Contract } from '../model/contract.ts'
import { type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import { bundleInPlace, replaceByTarget } from './bundle.ts'
import { ContractFolder, disk, type FileTree } from './contract-folder.ts'
import { FileResolver, looksLikeContract } from './file-resolver.ts'
import { type FormatsModule, ownFormats, sha256 } from './own-formats.ts'
import { checkStructure } from './structure.ts'

/** A file of a contract. Nothing reads it a second time, so that text and digest belong together. */
interface ContractFile {
  readonly path: string
  /** Text with line feeds, also where the file has CRLF. */
  readonly text: string
  readonly sha256: string
}

export interface LoadedContract {
  /** Files as they were read, the root file first. */
  readonly files: readonly [ContractFile, ...ContractFile[]]
  /** Document in which every `$ref` begins with `#/`, or names an `$id` or `$anchor`. */
  readonly document: JsonObject
  /** Text of the root file as YAML 1.2 has it; undefined if it is that of the file. */
  readonly indented: string | undefined
  /** The bundled document as it is written; undefined for a contract of one file. */
  readonly bundle: JsonObject | undefined
  readonly locator: Locator
  /** Built when it is asked for. */
  readonly model: Contract
  readonly problems: readonly ContractProblem[]
  /** Module of the project's own formats; its file is the last of `files`. */
  readonly formats?: FormatsModule | undefined
}

interface LoadOptions {
  /** Folder whose files references may lead to; the folder of the root file by default. */
  readonly root?: string | undefined
  /** File system of a contract that is not on the disk. */
  readonly tree?: FileTree | undefined
  /** Absolute path of the module of the project's own formats. */
  readonly formats?: string | undefined
}

/**
 * Loads the contract with the root file `path`.
 * @param onFile is called with each file before it is read, so that a watcher sees missing files, too
 * @throws {ContractError} when the root file cannot be read or is not OpenAPI 3; other errors are in `problems`
 */
export async function loadContract(
  path: string,
  onFile: (path: string) => void = () => {},
  { root: allowed, tree = disk, formats: formatsPath }: LoadOptions = {}
): Promise<LoadedContract> {
  const formats = await ownFormats(formatsPath, onFile)
  const root = resolvePath(path)
  const folder = new ContractFolder(allowed ?? dirname(root), tree)
  const resolver = new FileResolver({ contract: root, folder, onFile })
  const file = await readRoot(resolver, root)
  const parsed = objectOf(file.value)
  const version = versionOf(file)
  const self = stringOf(own(parsed, '$self'))
  if (self !== undefined) resolver.self = self
  const { problems: found, isUnbundled, inlined, cycle } = await checkStructure(file, version, resolver)
  const problems = [...resolver.notes, ...found]
  if (!isUnbundled) for (const path of inlined) replaceByTarget(parsed, path)
  const unbundled = !isUnbundled ? [] : cycle === undefined ? await bundleInPlace(file, resolver) : [cycle]
  const others = await otherFiles(resolver, file)
  const namesSchemas = [file, ...others].some(({ text }) => mayNameSchemas(text))
  if (namesSchemas) resolveIdentifiers(parsed)
  const locator = new Locator(file, others)
  if (namesSchemas) locator.addCopies(bindDynamicReferences(parsed))
  return {
    files: [fileOf(file), ...others.map(fileOf), ...(formats === undefined ? [] : [fileOf(formats)])],
    formats,
    document: parsed,
    indented: file.indented?.text,
    bundle: others.length > 0 ? parsed : undefined,
    locator,
    get model() {
      return modelIn(parsed, locator.place)
    },
    problems: hasErrors(problems) ? problems : addProblems(problems, unbundled)
  }
}

/** Computes the digest when it is asked for. */
function fileOf({ path, text }: Pick<ContractFile, 'path' | 'text'>): ContractFile {
  return {
    path,
    text,
    get sha256() {
      return sha256(text)
    }
  }
}

async function otherFiles(resolver: FileResolver, root: SourceFile): Promise<SourceFile[]> {
  // A rejected file is reported (structure.ts), or its reference stands in an example.
  const settled = await Promise.allSettled(resolver.documents.values())
  const files = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const others = files.filter((file) => file !== root)
  return others.sort((a, b) => byCodeUnits(b.path, a.path))
}

/** @throws {ContractError} when it is no YAML, or cannot be read */
async function readRoot(resolver: FileResolver, path: string): Promise<SourceFile> {
  try {
    return await resolver.resolveDocument(null, path, true)
  } catch (error) {
    if (error instanceof ContractError) throw error
    throw refused(path, `the file cannot be read: ${reasonOf(error)}`, { hidesLine: true })
  }
}

function refused(file: string, message: string, place: Partial<ContractProblem> = {}): ContractError {
  return new ContractError([{ severity: 'error', file, line: 1, column: 1, message, ...place }])
}

/**
 * Returns the version of OpenAPI without its patch number: `3.1`.
 * @throws {ContractError} for anything but OpenAPI 3
 */
function versionOf(file: SourceFile): string {
  const document = objectOf(file.value)
  const written = own(document, 'openapi')
  const place = () => (written === undefined ? {} : file.positionOf(['openapi']))
  if (typeof written === 'number')
    throw refused(file.path, `openapi is a number: write '${written}.0'`, place())
  const match = /^(3\.[012])(\.\d+)?(-.+)?$/.exec(String(written))
  const hidesLine = !looksLikeContract(file.text)
  if (match === null)
    throw refused(file.path, `${expected}${foundVersion(document)}`, { ...place(), hidesLine })
  return String(match[1])
}

const expected = 'expected an OpenAPI document: `openapi: 3.0.x`, `3.1.x` or `3.2.x`'

function foundVersion(document: JsonObject): string {
  const [swagger, openapi] = [own(document, 'swagger'), own(document, 'openapi')]
  if (swagger !== undefined) return `; this is Swagger ${String(swagger)}: convert it to OpenAPI 3`
  return openapi === undefined ? '' : `; this is OpenAPI ${String(openapi)}`
}
