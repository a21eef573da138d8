/** Lists the lines that were not or only partly executed, such as a branch that was never taken. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { relative } from 'node:path'
import type { Covered } from './v8-coverage.ts'

export interface Line {
  /** Path relative to the project. */
  readonly file: string
  readonly line: number
  /** Text without surrounding white space. */
  readonly text: string
}

/** @param project the folder that file names are relative to */
export function uncoveredLines(sources: Iterable<string>, project: string, covered: Covered): Line[] {
  return [...sources].flatMap((path) => {
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
