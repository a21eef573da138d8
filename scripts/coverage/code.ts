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
  readonly #source: string
  readonly #code: string

  constructor(path: string) {
    this.#source = readFileSync(path, 'utf8')
    this.#code = withoutImports(stripTypeScriptTypes(this.#source))
  }

  /** Returns the lines that have not run, or only in part: a branch of them was never taken. */
  uncovered(coverage: FileCoverage | undefined): Line[] {
    return this.#lines()
      .filter(({ start, end }) => this.#codeIn(start, end).some((offset) => coverage?.ran[offset] !== 1))
      .map(({ line, start, end }) => ({ line, text: this.#source.slice(start, end).trim() }))
  }

  /** Counts lines of code; one is covered if its beginning has run. */
  lines(coverage: FileCoverage | undefined): Count {
    const starts = this.#lines().map(({ start, end }) => this.#codeIn(start, end)[0])
    return countOf(starts, coverage)
  }

  /** Counts blocks, such as branches; V8 tells those from their function that a process has not run. */
  branches(coverage: FileCoverage | undefined): Count {
    const starts = [...(coverage?.blocks.values() ?? [])].map(([start, end]) => this.#codeIn(start, end)[0])
    return countOf(starts, coverage)
  }

  /** Returns an array with the number at the offset of each piece of code, 0 elsewhere. */
  mask(number: number): Uint8Array {
    const mask = new Uint8Array(this.#code.length)
    for (const offset of this.#codeIn(0, this.#code.length)) mask[offset] = number
    return mask
  }

  #lines() {
    let end = -1
    return this.#source.split('\n').map((text, index) => {
      const start = end + 1
      end = start + text.length
      return { line: index + 1, start, end }
    })
  }

  #codeIn(start: number, end: number): number[] {
    const offsets: number[] = []
    for (let offset = start; offset < end; offset++)
      if (/[\w'"`]/.test(this.#code[offset] ?? '')) offsets.push(offset)
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
