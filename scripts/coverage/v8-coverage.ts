/** Reads what `NODE_V8_COVERAGE` has written: https://nodejs.org/api/cli.html#node_v8_coveragedir. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

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

/**
 * Merges the reports of all processes. Node erases types in place, so that V8's offsets are those of the source text.
 * @param folder of the reports
 * @param sources only files in this folder are read
 */
export function readCoverage(folder: string, sources: string): Covered {
  const covered: Covered = new Map()
  const prefix = `${pathToFileURL(sources).href}/`
  for (const name of readdirSync(folder)) {
    for (const script of scriptsIn(join(folder, name))) {
      if (script.url.startsWith(prefix)) add(covered, script)
    }
  }
  return covered
}

/** Returns nothing for a report that is cut off: its process was killed while it wrote. */
function scriptsIn(path: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { result: readonly Script[] }).result
  } catch {
    return []
  }
}

function add(covered: Covered, { url, functions }: Script): void {
  const path = fileURLToPath(url.replace(/[?#].*/, ''))
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
