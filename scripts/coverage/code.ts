/** Counts the lines and branches of a source file, and those that no test has run. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { FileCoverage } from './v8-coverage.ts'

export interface Count {
  readonly total: number
  readonly covered: number
}

export interface Line {
  readonly line: number
  /** Text without surrounding white space. */
  readonly text: string
}

/** Code of a source file. Types, comments and imports never run; punctuation, such as a closing brace, is no statement. */
export class Code {
  readonly #lines: readonly (Line & { readonly offsets: readonly number[] })[]
  readonly #isCode: Uint8Array

  constructor(path: string) {
    const source = readFileSync(path, 'utf8')
    const code = withoutImports(stripTypeScriptTypes(source))
    this.#isCode = Uint8Array.from(code, (character) => Number(/[\w'"`]/.test(character)))
    let end = -1
    this.#lines = source.split('\n').map((text, index) => {
      const start = end + 1
      end = start + text.length
      return { line: index + 1, text: text.trim(), offsets: this.#offsetsIn(start, end) }
    })
  }

  /** Returns the lines that have not run, or only in part: a branch of them was never taken. */
  uncovered(coverage: FileCoverage | undefined): Line[] {
    return this.#lines.filter(({ offsets }) => offsets.some((offset) => coverage?.ran[offset] !== 1))
  }

  /** Counts lines of code; one is covered if its beginning has run. */
  lines(coverage: FileCoverage | undefined): Count {
    return countOf(
      this.#lines.map(({ offsets }) => offsets[0]),
      coverage
    )
  }

  /** Counts blocks, such as branches; V8 tells those from their function that a process has not run. */
  branches(coverage: FileCoverage | undefined): Count {
    const starts = [...(coverage?.blocks.values() ?? [])].map(([start, end]) => {
      const found = this.#isCode.subarray(start, end).indexOf(1)
      return found < 0 ? undefined : start + found
    })
    return countOf(starts, coverage)
  }

  /** Returns an array with the number at the offset of each piece of code, 0 elsewhere. */
  mask(number: number): Uint8Array {
    return this.#isCode.map((is) => is * number)
  }

  #offsetsIn(start: number, end: number): number[] {
    const offsets: number[] = []
    for (let offset = start; offset < end; offset++) if (this.#isCode[offset] === 1) offsets.push(offset)
    return offsets
  }
}

function countOf(starts: readonly (number | undefined)[], coverage: FileCoverage | undefined): Count {
  const known = starts.filter((start) => start !== undefined)
  return { total: known.length, covered: known.filter((start) => coverage?.ran[start] === 1).length }
}

/** Blanks comments and imports. */
function withoutImports(code: string): string {
  const blank = (text: string) => text.replaceAll(/\S/g, ' ')
  return code
    .replaceAll(/^import [^'"]*(?:'[^']*'|"[^"]*")/gm, blank)
    .replaceAll(/^export \{[^}]*\}(?: from '[^']*')?/gm, blank)
    .replaceAll(/^ *\/\*\*?[\s\S]*?\*\//gm, blank)
    .replaceAll(/(?:^| )\/\/ .*/gm, blank)
}
