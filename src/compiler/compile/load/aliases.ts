/**
 * Bounds what the aliases of a YAML file repeat. Every reader of a document sees an alias as a copy: nine levels of nine
 * aliases are 400 million parts.
 */
import { type Source, YamlParseError } from '@redocly/openapi-core'
import { positionOf } from '../diagnostics/source-position.ts'

/** Characters that aliases may repeat, of texts, names and `nodeSize` for each part. */
const maxRepeated = 4 * 2 ** 20
const nodeSize = 16

/** Levels of a document in which aliases are replaced; the parser allows 100 in a text. */
const maxLevels = 200

/** @throws {YamlParseError} at the innermost part that is too large or too deep when its aliases are replaced */
export function assertFewCopies(root: unknown, source: Source): void {
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
