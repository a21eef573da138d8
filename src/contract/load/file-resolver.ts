/** Reads the files of a contract. */
import { dirname, resolve } from 'node:path'
import { ContractError, type ContractProblem } from '../diagnostics/problem.ts'
import { SourceFile } from '../diagnostics/source-file.ts'
import { mayNameSchemas, resolveInFile } from '../document/identifiers.ts'
import { canonicalReference, percentDecoded } from '../document/reference.ts'
import { fromSelf, hasOtherSelf, type Self } from '../document/self.ts'
import { objectOf } from '../model/json.ts'
import { type ContractFolder, hasContractName, NotReadable } from './contract-folder.ts'
import { indentFlow } from './flow-indentation.ts'

interface ResolverOptions {
  /** Absolute path of the root file. */
  readonly contract: string
  readonly folder: ContractFolder
  /** Is called with each file before it is read, and with missing ones. */
  readonly onFile: (path: string) => void
}

/** Reads files of the contract's folder only: the generator fetches nothing over a network. */
export class FileResolver {
  /** Warnings about the text of the files, and their URIs. */
  readonly notes: ContractProblem[] = []
  /** Files by their paths, each read once. */
  readonly documents = new Map<string, Promise<SourceFile>>()
  readonly #options: ResolverOptions
  #self: Self | undefined

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  /**
   * Returns the file that a reference in another file leads to.
   * @throws {Error} for a file that cannot be read or parsed
   */
  resolveDocument(base: string | null, reference: string, isRoot = false): Promise<SourceFile> {
    const path = this.resolveExternalRef(base, reference)
    const known = this.documents.get(path) ?? this.#load(path, isRoot)
    this.documents.set(path, known)
    return known
  }

  async #load(path: string, isRoot: boolean): Promise<SourceFile> {
    const read = await this.#read(path)
    const text = read.includes('\r') ? read.replaceAll('\r\n', '\n') : read
    try {
      const file = this.#parse(path, text)
      if (file.hasAliases) assertFewCopies(file)
      // References of the root file are resolved in the whole document.
      if (!isRoot) this.#resolveInFile(file)
      return file
    } catch (error) {
      if (!isRoot || !(error instanceof ContractError)) throw error
      const hidesLine = !looksLikeContract(text)
      throw new ContractError(error.problems.map((problem) => ({ ...problem, hidesLine })))
    }
  }

  /** @param uri `$self` of the root file, which references may use in its place */
  set self(uri: string) {
    this.#self = { path: this.#options.contract, uri }
  }

  /** Returns a function that writes the references of a file as their readers take them. */
  rewriting({ path }: SourceFile): (reference: string) => string {
    const rewrite = this.#self && fromSelf(this.#self, path)
    // The bundler and openapi-typescript decode other forms wrongly.
    return (reference) => canonicalReference(rewrite?.(reference) ?? reference)
  }

  /** Returns the names in a folder relative to a file, if a reference may lead to them. */
  namesIn(folder: string, file: string): string[] {
    return this.#options.folder.names(this.resolveExternalRef(file, folder))
  }

  /** Decodes the path of a reference, which is a URI (RFC 3986, section 2.4), unless a file has the name as written. */
  resolveExternalRef(base: string | null, reference: string): string {
    if (base === null) return resolve(reference)
    if (isUrl(reference)) return reference
    const written = resolve(dirname(base), reference)
    const decoded = resolve(dirname(base), percentDecoded(reference))
    return written !== decoded && this.#isFile(written) && !this.#isFile(decoded) ? written : decoded
  }

  #isFile(path: string): boolean {
    try {
      return this.#options.folder.find(path) !== undefined
    } catch {
      return false
    }
  }

  /** Reads YAML as libyaml and js-yaml 4 do, with a warning where YAML 1.2 is stricter. */
  #parse(path: string, text: string): SourceFile {
    try {
      return new SourceFile(path, text)
    } catch (error) {
      const indented = indentFlow(path, text)
      if (indented === undefined) throw error
      const file = new SourceFile(path, text, indented)
      this.notes.push(...indented.problems)
      return file
    }
  }

  #resolveInFile(file: SourceFile): void {
    const document = objectOf(file.value)
    if (mayNameSchemas(file.text)) resolveInFile(document)
    if (!hasOtherSelf(document, file.path, this.#self)) return
    const message = '$self has no effect: references lead to this file by its place beside the contract'
    const place = { file: file.path, ...file.positionOf(['$self']) }
    this.notes.push({ severity: 'warning', rule: 'self', ...place, message })
  }

  async #read(path: string): Promise<string> {
    const { contract, folder, onFile } = this.#options
    if (isUrl(path))
      throw new NotReadable(
        'references to URLs are not followed: save the file beside the contract, as with curl -O, or bundle the contract, as with npx @redocly/cli bundle'
      )
    if (path !== contract && !hasContractName(path))
      throw new NotReadable('its name does not end in .yaml, .yml or .json')
    const real = folder.find(path)
    onFile(path)
    if (real === undefined) throw new NotReadable('ENOENT, there is no such file')
    return folder.read(real)
  }
}

/** Recognises a contract with a mistake in its syntax; the lines of any other file are not shown. */
export const looksLikeContract = (text: string): boolean =>
  /^[\s{]*["']?(openapi|swagger)["']?\s*:/m.test(text)

/** Recognises a URL, also without its scheme (RFC 3986, section 4.2). */
const isUrl = (reference: string): boolean => /^([a-z][a-z\d+.-]+:)?\/\/|^(data|urn):/i.test(reference)

/** Characters that aliases may repeat, of texts, names and `nodeSize` for each part. */
const maxRepeated = 4 * 2 ** 20
const nodeSize = 16

/** Levels of a document in which aliases are replaced; the parser allows 100 in a text. */
const maxLevels = 200

/**
 * Bounds what the aliases of a file repeat. Every reader of a document sees an alias as a copy: nine levels of nine
 * aliases are 400 million parts.
 * @throws {ContractError} at the innermost part that is too large or too deep when its aliases are replaced
 */
function assertFewCopies(file: SourceFile): void {
  /** Sizes and levels of the objects that were measured. */
  const known = new Map<object, Extent>()
  const path: string[] = []
  let written = 0
  let texts = 0
  measure(file.value)

  function measure(node: unknown): Extent {
    if (typeof node !== 'object' || node === null) return leaf(typeof node === 'string' ? node.length : 0)
    const found = known.get(node)
    if (found !== undefined) return found
    const extent = { size: nodeSize, levels: 1 }
    written += nodeSize
    if (path.length > maxLevels) throw refusal(`has more than ${maxLevels} levels`)
    for (const [key, child] of Object.entries(node)) {
      path.push(key)
      const { size, levels } = measure(child)
      if (typeof child === 'string') texts += child.length
      // An alias of a text leaves no trace, but texts that are written once are not longer than their file.
      if (texts > file.text.length + maxRepeated) throw refusal(`repeats more than ${maxRepeated >> 20} MiB`)
      path.pop()
      extent.size += key.length + size
      extent.levels = Math.max(extent.levels, 1 + levels)
      written += key.length + (levels === 0 ? size : 0)
    }
    if (extent.size - written > maxRepeated) throw refusal(`repeats more than ${maxRepeated >> 20} MiB`)
    if (path.length + extent.levels > maxLevels) throw refusal(`has more than ${maxLevels} levels`)
    known.set(node, extent)
    return extent
  }

  function refusal(problem: string): ContractError {
    const message = `with its aliases replaced, this part ${problem}: write a $ref instead of an alias`
    return new ContractError([{ severity: 'error', file: file.path, ...file.positionOf(path), message }])
  }
}

interface Extent {
  /** Characters, with every alias replaced. */
  size: number
  levels: number
}

const leaf = (characters: number): Extent => ({ size: nodeSize + characters, levels: 0 })
