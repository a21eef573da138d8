/** Reads the files of a contract. */
import { dirname, resolve } from 'node:path'
import { jsonValue } from '../diagnostics/json-text.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type Document, locateAsJson, positionOf, type Source } from '../diagnostics/source-position.ts'
import { YamlError, yamlValue } from '../diagnostics/yaml-text.ts'
import { mayNameSchemas, resolveInFile } from '../document/identifiers.ts'
import { canonicalReference, percentDecoded } from '../document/reference.ts'
import { fromSelf, hasOtherSelf, type Self } from '../document/self.ts'
import { type Json, objectOf } from '../model/json.ts'
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
  /** Texts that were indented as YAML 1.2 wants them, by the files as they are. */
  readonly indented = new Map<Source, string>()
  /** Files by their paths, each read once. */
  readonly documents = new Map<string, Promise<Document>>()
  readonly #options: ResolverOptions
  #self: Self | undefined

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  /**
   * Returns the file that a reference in another file leads to.
   * @throws {Error} for a file that cannot be read or parsed
   */
  resolveDocument(base: string | null, reference: string, isRoot = false): Promise<Document> {
    const path = this.resolveExternalRef(base, reference)
    const known = this.documents.get(path) ?? this.#load(path, isRoot)
    this.documents.set(path, known)
    return known
  }

  async #load(path: string, isRoot: boolean): Promise<Document> {
    const text = await this.#read(path)
    return this.#parseDocument({ absoluteRef: path, body: text.replaceAll('\r\n', '\n') }, isRoot)
  }

  /** @param uri `$self` of the root file, which references may use in its place */
  set self(uri: string) {
    this.#self = { path: this.#options.contract, uri }
  }

  /** Returns a function that writes the references of a file as their readers take them. */
  rewriting({ absoluteRef }: Source): (reference: string) => string {
    const rewrite = this.#self && fromSelf(this.#self, absoluteRef)
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

  #parseDocument(source: Source, isRoot: boolean): Document {
    const read = this.#parse(source)
    // References of the root file are resolved in the whole document.
    if (!isRoot && mayNameSchemas(source.body)) resolveInFile(objectOf(read.parsed as Json))
    if (!isRoot && hasOtherSelf(objectOf(read.parsed as Json), source.absoluteRef, this.#self)) {
      const message = '$self has no effect: references lead to this file by its place beside the contract'
      const place = { file: source.absoluteRef, ...positionOf(source, ['$self']) }
      this.notes.push({ severity: 'warning', rule: 'self', ...place, message })
    }
    return read
  }

  #parse(source: Source): Document {
    const value = jsonValue(source.body)
    if (value !== undefined) {
      locateAsJson(source)
      return { source, parsed: value }
    }
    const parsed = this.#parseYaml(source)
    assertFewCopies(parsed, source)
    return { source, parsed: withBase64(parsed) }
  }

  /** Reads YAML as libyaml and js-yaml 4 do, with a warning where YAML 1.2 is stricter. */
  #parseYaml(source: Source): unknown {
    try {
      return yamlValue(source)
    } catch (error) {
      const indented = indentFlow(source)
      if (indented === undefined) throw error
      const { text, problems } = indented
      const parsed = yamlValue({ ...source, body: text })
      this.indented.set(source, text)
      this.notes.push(...problems)
      return parsed
    }
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

/** Recognises a URL, also without its scheme (RFC 3986, section 4.2). */
const isUrl = (reference: string): boolean => /^([a-z][a-z\d+.-]+:)?\/\/|^(data|urn):/i.test(reference)

/** Replaces byte strings by their Base64 texts, in place, and returns the value: in JSON a byte string is Base64. */
function withBase64(root: unknown): Json {
  if (root instanceof Uint8Array) return Buffer.from(root).toString('base64')
  const seen = new Set<unknown>()
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    for (const [key, child] of Object.entries(next)) {
      if (child instanceof Uint8Array) Reflect.set(next, key, Buffer.from(child).toString('base64'))
      else pending.push(child)
    }
  }
  return root as Json
}

/** Characters that aliases may repeat, of texts, names and `nodeSize` for each part. */
const maxRepeated = 4 * 2 ** 20
const nodeSize = 16

/** Levels of a document in which aliases are replaced; the parser allows 100 in a text. */
const maxLevels = 200

/**
 * Bounds what the aliases of a file repeat. Every reader of a document sees an alias as a copy: nine levels of nine
 * aliases are 400 million parts.
 * @throws {YamlError} at the innermost part that is too large or too deep when its aliases are replaced
 */
function assertFewCopies(root: unknown, source: Source): void {
  /** Sizes and levels of the objects that were measured. */
  const known = new Map<object, Extent>()
  const path: string[] = []
  let written = 0
  let texts = 0
  measure(root)

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
      if (texts > source.body.length + maxRepeated)
        throw refusal(`repeats more than ${maxRepeated >> 20} MiB`)
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

  function refusal(problem: string): YamlError {
    const message = `with its aliases replaced, this part ${problem}: write a $ref instead of an alias`
    return new YamlError(message, source, positionOf(source, path))
  }
}

interface Extent {
  /** Characters, with every alias replaced. */
  size: number
  levels: number
}

const leaf = (characters: number): Extent => ({ size: nodeSize + characters, levels: 0 })
