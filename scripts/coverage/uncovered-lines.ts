/** Lists the lines that have not run, or of which a part has not run: a branch that was never taken. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import type { Covered, Sources } from './v8-coverage.ts'

export interface Line {
  /** Relative to the project. */
  readonly file: string
  readonly line: number
  /** Without the white space around it. */
  readonly text: string
}

/** A line that no test reaches, and why. */
export interface Exception {
  readonly file: string
  /** Part of the line, which no other uncovered line of the file has. */
  readonly text: string
  readonly reason: string
}

/** @param project folder that the file names are relative to */
export function uncoveredLines({ lengths }: Sources, project: string, covered: Covered): Line[] {
  return [...lengths.keys()].flatMap((path) => {
    const file = relative(project, path)
    return uncoveredIn(readFileSync(path, 'utf8'), covered.get(path)).map((each) => ({ ...each, file }))
  })
}

function uncoveredIn(source: string, covered: Uint8Array = new Uint8Array()): Omit<Line, 'file'>[] {
  const code = withoutImports(stripTypeScriptTypes(source))
  const lines: Omit<Line, 'file'>[] = []
  let start = 0
  for (const [index, text] of source.split('\n').entries()) {
    const end = start + text.length
    if (hasUncovered(code, covered, { start, end })) lines.push({ line: index + 1, text: text.trim() })
    start = end + 1
  }
  return lines
}

/** Punctuation is left out: a closing brace belongs to no statement. */
function hasUncovered(
  code: string,
  covered: Uint8Array,
  { start, end }: { start: number; end: number }
): boolean {
  for (let offset = start; offset < end; offset++)
    if (!covered[offset] && /[\w'"`]/.test(code[offset] ?? '')) return true
  return false
}

/** Blanks comments and imports, which never run. A file that holds nothing else is never loaded. */
function withoutImports(code: string): string {
  const blank = (text: string) => text.replaceAll(/\S/g, ' ')
  return code
    .replaceAll(/^import [^'"]*(?:'[^']*'|"[^"]*")/gm, blank)
    .replaceAll(/^export \{[^}]*\}(?: from '[^']*')?/gm, blank)
    .replaceAll(/^ *\/\*\*?[\s\S]*?\*\//gm, blank)
    .replaceAll(/(?:^| )\/\/ .*/gm, blank)
}

/** @returns problems in sentences; none where the uncovered lines are the exceptions */
export function coverageProblems(lines: readonly Line[], exceptions: readonly Exception[]): string[] {
  const matches = (line: Line, { file, text }: Exception) => line.file === file && line.text.includes(text)
  const uncovered = lines
    .filter((line) => !exceptions.some((exception) => matches(line, exception)))
    .map(({ file, line, text }) => `${file}:${line} is not covered: ${text}`)
  const stale = exceptions
    .filter((exception) => lines.filter((line) => matches(line, exception)).length !== 1)
    .map(
      ({ file, text }) =>
        `${file}: "${text}" is listed as uncovered, but is covered, is not there, or is there twice`
    )
  return [...uncovered, ...stale]
}
