/** Reads the reports of `NODE_V8_COVERAGE` (https://nodejs.org/api/cli.html#node_v8_coveragedir). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesIn } from '@contract-first/compiler/internal/command/watch/snapshot'

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** Coverage of one script: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-ScriptCoverage */
interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

/** Byte for each UTF-16 code unit of a file: 1 where any process has run it. */
export type Covered = Map<string, Uint8Array>

/** Files whose coverage is read. */
export interface Sources {
  /** Absolute path of the folder. */
  readonly folder: string
  /** Lengths in UTF-16 code units by absolute path. */
  readonly lengths: ReadonlyMap<string, number>
}

/** @param folder an absolute path */
export function readSources(folder: string): Sources {
  const files = filesIn(folder).filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  return { folder, lengths: new Map(files.sort().map((path) => [path, readFileSync(path, 'utf8').length])) }
}

/**
 * Adds the reports of processes. V8's offsets are those of the source text, because Node erases types in place. A file
 * in a copy of the project counts if it is as long as the original, because many tests run commands in a copy that they
 * edit.
 * @param folder the folder of the reports; missing if no process has written one
 */
export function addCoverage(covered: Covered, folder: string, sources: Sources): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const script of scriptsIn(join(folder, name))) {
      const path = sourceOf(script, sources)
      if (path !== undefined) add(covered, path, script)
    }
  }
}

function sourceOf(script: Script, { folder, lengths }: Sources): string | undefined {
  const [, tree, name = ''] = /^(file:.*\/src\/)(.*?\.ts)(?:[?#].*)?$/.exec(script.url) ?? []
  const path = join(folder, decodeURIComponent(name))
  const length = lengths.get(path)
  if (length === undefined) return undefined
  return tree === `${pathToFileURL(folder).href}/` || lengthOf(script) === length ? path : undefined
}

/** Returns the length without the comment that Node appends to a file whose types it erases. */
function lengthOf({ url, functions }: Script): number {
  const end = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)))
  return end - `\n\n//# sourceURL=${url}`.length
}

/** Returns nothing for a truncated report, whose process was killed. */
function scriptsIn(path: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { result: readonly Script[] }).result
  } catch {
    return []
  }
}

function add(covered: Covered, path: string, { functions }: Script): void {
  const ranges = functions.flatMap((each) => each.ranges)
  const size = Math.max(...ranges.map(({ endOffset }) => endOffset))
  const all = covered.get(path) ?? new Uint8Array(size)
  covered.set(path, all)
  const own = new Uint8Array(size)
  for (const { startOffset, endOffset, count } of ranges.sort(outerFirst))
    own.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  for (let offset = 0; offset < all.length; offset++) all[offset] = (all[offset] ?? 0) | (own[offset] ?? 0)
}

/** Sorts nested ranges; the count of the inner one overrides. */
const outerFirst = (a: Range, b: Range): number => a.startOffset - b.startOffset || b.endOffset - a.endOffset
