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
 * Returns what the reports of processes have covered. V8's offsets are those of the source text, because Node erases types
 * in place. A file in a copy of the project does not count: tests edit copies.
 * @param folder the folder of the reports; missing if no process has written one
 * @param sources paths of the files that count
 */
export function coverageIn(folder: string, sources: readonly string[]): Covered {
  const counting = new Set(sources)
  const covered: Covered = new Map()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const script of scriptsIn(join(folder, name))) {
      const path = script.url.startsWith('file:') ? fileURLToPath(script.url) : ''
      if (counting.has(path)) merge(covered, path, coverageOf(script))
    }
  }
  return covered
}

/** Adds what some processes have covered to the whole. */
export function add(all: Covered, some: Covered): void {
  for (const [path, coverage] of some) merge(all, path, coverage)
}

/** Returns nothing for a truncated report, whose process was killed. */
function scriptsIn(path: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { result: readonly Script[] }).result
  } catch {
    return []
  }
}

function merge(covered: Covered, path: string, { ran, blocks }: FileCoverage): void {
  const file = covered.get(path) ?? { ran: new Uint8Array(ran.length), blocks: new Map() }
  covered.set(path, file)
  for (let offset = 0; offset < ran.length; offset++)
    file.ran[offset] = (file.ran[offset] ?? 0) | (ran[offset] ?? 0)
  for (const [key, block] of blocks) file.blocks.set(key, block)
}

function coverageOf({ functions }: Script): FileCoverage {
  const ranges = functions.flatMap(countedRanges)
  const ran = new Uint8Array(Math.max(...ranges.map(({ endOffset }) => endOffset)))
  for (const { startOffset, endOffset, count } of ranges.sort(outerFirst))
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  const blocks = new Map<string, Block>()
  for (const { ranges, isBlockCoverage } of functions)
    for (const { startOffset, endOffset } of isBlockCoverage ? ranges.slice(1) : [])
      blocks.set(`${startOffset}-${endOffset}`, [startOffset, endOffset])
  return { ran, blocks }
}

const countedRanges = ({ ranges, isBlockCoverage }: FunctionCoverage): readonly Range[] =>
  isBlockCoverage ? ranges : ranges.map((range) => ({ ...range, count: 0 }))

/** Sorts nested ranges; the count of the inner one overrides. */
const outerFirst = (a: Range, b: Range): number => a.startOffset - b.startOffset || b.endOffset - a.endOffset
