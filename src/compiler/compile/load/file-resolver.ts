/** Reads the files of a contract, and repairs each as it is read. */
import { dirname, resolve } from 'node:path'
import { BaseResolver, type Document, ResolveError, Source, YamlParseError } from '@redocly/openapi-core'
import { jsonValue } from '../diagnostics/json-text.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { locateAsJson, positionOf } from '../diagnostics/source-position.ts'
import { isObject, type Json, objectOf, own } from '../document/json-value.ts'
import { canonicalReference } from '../document/pointer.ts'
import { rewriteReferences } from '../document/reference.ts'
import { fromSelf, hasOtherSelf, nameSchemes, type Self } from '../document/self.ts'
import { contractNodes } from '../document/walk.ts'
import { type ContractFolder, hasContractName, NotReadable } from './contract-folder.ts'
import { repairNode } from './repairs.ts'

/** A warning, with the pointer to the member as the linter writes it. */
export interface Repair {
  readonly pointer: string
  readonly problem: ContractProblem
}

interface ResolverOptions {
  /** Absolute path of the root file. */
  readonly contract: string
  readonly folder: ContractFolder
  /** Is called with each file before it is read, and with missing ones. */
  readonly onFile: (path: string) => void
}

/** Reads files of the contract's folder only: the generator fetches nothing over a network. */
export class FileResolver extends BaseResolver {
  readonly repairs: Repair[] = []
  readonly #options: ResolverOptions
  /** True for a contract in OpenAPI 3.0, whose schemas may have no further keywords. */
  is30 = false
  #self: Self | undefined

  constructor(options: ResolverOptions) {
    super()
    this.#options = options
  }

  /** Repairs the root file; the other files have its version and its URI. */
  repairRoot(root: Document, is30: boolean): void {
    this.is30 = is30
    const uri = own(Object(root.parsed), '$self')
    if (typeof uri === 'string') this.#self = { path: root.source.absoluteRef, uri }
    this.#repair(root)
  }

  #repair(document: Document): void {
    const rewrite = this.#self && fromSelf(this.#self, document.source.absoluteRef)
    this.repairs.push(...repair(document, this.is30, rewrite))
  }

  /** Returns the names in a folder relative to a file, if a reference may lead to them. */
  namesIn(folder: string, file: string): string[] {
    return this.#options.folder.names(resolve(dirname(file), folder))
  }

  override parseDocument(source: Source, isRoot = false): Document {
    const read = this.#parse(source, isRoot)
    if (!isRoot) this.#repair(read)
    if (!isRoot && hasOtherSelf(objectOf(read.parsed as Json), source.absoluteRef, this.#self)) {
      const message = '$self has no effect: references lead to this file by its place beside the contract'
      const place = { file: source.absoluteRef, ...positionOf(source, ['$self']) }
      this.repairs.push({ pointer: '#/$self', problem: { severity: 'warning', ...place, message } })
    }
    return read
  }

  #parse(source: Source, isRoot: boolean): Document {
    const value = jsonValue(source.body)
    if (value !== undefined) {
      locateAsJson(source)
      return { source, parsed: value }
    }
    const document = super.parseDocument(source, isRoot)
    assertFewCopies(document.parsed, source)
    return { ...document, parsed: withBase64(document.parsed) }
  }

  override async loadExternalRef(absoluteRef: string): ReturnType<BaseResolver['loadExternalRef']> {
    try {
      const text = await this.#read(absoluteRef)
      return new Source(absoluteRef, text.replaceAll('\r\n', '\n'))
    } catch (error) {
      throw new ResolveError(error as Error)
    }
  }

  async #read(path: string): Promise<string> {
    const { contract, folder, onFile } = this.#options
    if (/^(https?|data|file):/.test(path))
      throw new NotReadable('references to URLs are not followed; keep the file beside the contract')
    if (path !== contract && !hasContractName(path))
      throw new NotReadable('its name does not end in .yaml, .yml or .json')
    const real = folder.find(path)
    onFile(path)
    if (real === undefined) throw new NotReadable('ENOENT, there is no such file')
    return folder.read(real)
  }
}

/**
 * Repairs parts that OpenAPI forbids but that can have only one meaning: the document is changed to that meaning for
 * every reader, and each change is a warning with its place. Also drops parts that OpenAPI ignores.
 */
function repair(
  { parsed, source }: Document,
  is30: boolean,
  rewrite = (reference: string) => reference
): Repair[] {
  if (!isObject(parsed)) return []
  // The linter and openapi-typescript decode other forms wrongly.
  const canonical = (reference: string) => canonicalReference(rewrite(reference))
  return [...contractNodes(parsed)].flatMap((each) => {
    if (each.names !== undefined) return []
    rewriteReferences(each.node, canonical)
    nameSchemes(each.node, canonical)
    return repairNode(each, is30).map(({ key, message }) => {
      const place = { file: source.absoluteRef, ...positionOf(source, [...each.path, key]) }
      return { pointer: `${each.pointer}/${key}`, problem: { severity: 'warning', ...place, message } }
    })
  })
}

/** Replaces byte strings by their Base64 texts, in place, and returns the value: in JSON a byte string is Base64. */
export function withBase64(root: unknown): Json {
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
 * @throws {YamlParseError} at the innermost part that is too large or too deep when its aliases are replaced
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

  function refusal(problem: string): YamlParseError {
    const { line, column } = positionOf(source, path)
    const message = `with its aliases replaced, this part ${problem}: write a $ref instead of an alias`
    return new YamlParseError(new Error(`${message} (${line}:${column})`), source)
  }
}

interface Extent {
  /** Characters, with every alias replaced. */
  size: number
  levels: number
}

const leaf = (characters: number): Extent => ({ size: nodeSize + characters, levels: 0 })
