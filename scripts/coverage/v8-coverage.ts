/** Reads what `NODE_V8_COVERAGE` has written: https://nodejs.org/api/cli.html#node_v8_coveragedir. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesIn } from '@contract-first/compiler/internal/command/watch/snapshot'

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-ScriptCoverage */
interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

/** One byte for each UTF-16 unit of a file: 1 where any process has run it. */
export type Covered = Map<string, Uint8Array>

/** The files whose coverage is read. */
export interface Sources {
  /** Absolute. */
  readonly folder: string
  /** UTF-16 units by absolute path. */
  readonly lengths: ReadonlyMap<string, number>
}

/** @param folder absolute */
export function readSources(folder: string): Sources {
  const files = filesIn(folder).filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  return { folder, lengths: new Map(files.sort().map((path) => [path, readFileSync(path, 'utf8').length])) }
}

/**
 * Adds the reports of processes. Node erases types in place, so that V8's offsets are those of the source text. A file in a
 * copy of the project counts, too, where it is as long as the original: many tests run commands in a copy that they edit.
 * @param folder of the reports; it is absent where no process has written one
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

/** Node adds a comment to a file whose types it erases. */
function lengthOf({ url, functions }: Script): number {
  const end = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)))
  return end - `\n\n//# sourceURL=${url}`.length
}

/** Returns nothing for a report that is cut off: its process was killed while it wrote. */
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

/** Ranges nest: the inner one has the count. */
const outerFirst = (a: Range, b: Range): number => a.startOffset - b.startOffset || b.endOffset - a.endOffset
