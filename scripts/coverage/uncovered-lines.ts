/** Lists the lines that were not or only partly executed, such as a branch that was never taken. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import type { Covered, Sources } from './v8-coverage.ts'

export interface Line {
  /** Path relative to the project. */
  readonly file: string
  readonly line: number
  /** Text without surrounding white space. */
  readonly text: string
}

/** Line that no test reaches, with the reason. */
export interface Exception {
  readonly file: string
  /** Part of the line that is unique among the uncovered lines of the file. */
  readonly text: string
  readonly reason: string
}

/** @param project the folder that file names are relative to */
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

/** Ignores punctuation, because a closing brace belongs to no statement. */
function hasUncovered(
  code: string,
  covered: Uint8Array,
  { start, end }: { start: number; end: number }
): boolean {
  for (let offset = start; offset < end; offset++)
    if (!covered[offset] && /[\w'"`]/.test(code[offset] ?? '')) return true
  return false
}

/** Blanks comments and imports, which never run. A file with nothing else is never loaded. */
function withoutImports(code: string): string {
  const blank = (text: string) => text.replaceAll(/\S/g, ' ')
  return code
    .replaceAll(/^import [^'"]*(?:'[^']*'|"[^"]*")/gm, blank)
    .replaceAll(/^export \{[^}]*\}(?: from '[^']*')?/gm, blank)
    .replaceAll(/^ *\/\*\*?[\s\S]*?\*\//gm, blank)
    .replaceAll(/(?:^| )\/\/ .*/gm, blank)
}

/** @returns the problems as sentences; none if the uncovered lines are exactly the exceptions */
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
