/** Reads the reports of `NODE_V8_COVERAGE` (https://nodejs.org/api/cli.html#node_v8_coveragedir). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn } from '@contract-first/compiler/command/generate/file-watcher'

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** Coverage of one script: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-ScriptCoverage */
interface Script {
  readonly url: string
  readonly functions: readonly FunctionCoverage[]
}

interface FunctionCoverage {
  readonly ranges: readonly Range[]
  /** False if V8 has counted no branches: the function did not run, or was compiled by an earlier process. */
  readonly isBlockCoverage: boolean
}

/** Code of a file that processes have run. */
export interface FileCoverage {
  /** Byte for each UTF-16 code unit: 1 where any process has run it. */
  readonly ran: Uint8Array
  /** Blocks whose runs V8 has counted apart from those of their function: branches. By their offsets. */
  readonly blocks: Map<string, Block>
}

export type Block = readonly [start: number, end: number]
/** Coverage of files by their paths. */
export type Covered = Map<string, FileCoverage>

/** @returns the absolute paths of the files below a folder that may hold code */
export const sourcesIn = (folder: string): string[] =>
  filesIn(folder)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort()

/**
 * Adds the reports of processes. V8's offsets are those of the source text, because Node erases types in place. A file
 * in a copy of the project does not count: tests edit copies.
 * @param folder the folder of the reports; missing if no process has written one
 * @param sources paths of the files that count
 */
export function addCoverage(covered: Covered, folder: string, sources: readonly string[]): void {
  const counting = new Set(sources)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const script of scriptsIn(join(folder, name))) {
      const path = script.url.startsWith('file:') ? fileURLToPath(script.url) : ''
      if (counting.has(path)) add(covered, path, script)
    }
  }
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
  const ranges = functions.flatMap(countedRanges)
  const size = Math.max(...ranges.map(({ endOffset }) => endOffset))
  const file = covered.get(path) ?? { ran: new Uint8Array(size), blocks: new Map() }
  covered.set(path, file)
  const own = new Uint8Array(size)
  for (const { startOffset, endOffset, count } of ranges.sort(outerFirst))
    own.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  merge(file.ran, own)
  for (const { ranges, isBlockCoverage } of functions)
    for (const { startOffset, endOffset } of isBlockCoverage ? ranges.slice(1) : [])
      file.blocks.set(`${startOffset}-${endOffset}`, [startOffset, endOffset])
}

/** Adds what one run has covered to the whole. */
export function merge(all: Uint8Array, own: Uint8Array): void {
  for (let offset = 0; offset < all.length; offset++) all[offset] = (all[offset] ?? 0) | (own[offset] ?? 0)
}

const countedRanges = ({ ranges, isBlockCoverage }: FunctionCoverage): readonly Range[] =>
  isBlockCoverage ? ranges : ranges.map((range) => ({ ...range, count: 0 }))

/** Sorts nested ranges; the count of the inner one overrides. */
const outerFirst = (a: Range, b: Range): number => a.startOffset - b.startOffset || b.endOffset - a.endOffset
