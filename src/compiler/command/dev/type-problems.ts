/** Reads the errors that tsc prints: each with its innermost message and the innermost known place. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ContractProblem } from '../../compiler.ts'

/**
 * Parses `src/app.ts(31,5): error TS2741: Property …`. Each indented line explains the line before it: the innermost
 * line names the cause, so it becomes the message.
 * @param folder folder that paths in messages are relative to
 */
export function typeProblems(output: string, folder: string): ContractProblem[] {
  return [...output.matchAll(/^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+): (.*(?:\n +.*)*)$/gm)].map(
    ([, name = 'tsconfig.json', line = '1', column = '1', code = '', explanation = '']) => {
      const file = resolve(folder, name)
      const sentence = innermost(explanation)
      const outer = { line: Number(line), column: Number(column) }
      return {
        severity: 'error',
        file,
        ...(strayMember(sentence, file, outer) ?? outer),
        message: `${code}: ${sentence}`
      }
    }
  )
}

function innermost(explanation: string): string {
  const depth = (line: string) => line.length - line.trimStart().length
  const lines = explanation.split('\n')
  return lines.reduce((deepest, line) => (depth(line) >= depth(deepest) ? line : deepest)).trim()
}

interface Place {
  /** Line number, from 1. */
  readonly line: number
  /** Column number, from 1. */
  readonly column: number
}

/**
 * Finds the misnamed member when tsc reports a missing one: tsc points at the whole function of a handler. Returns
 * undefined unless exactly one member can be meant.
 */
function strayMember(sentence: string, file: string, from: Place): Place | undefined {
  const [, given = '', wanted = ''] =
    /^Property .* is missing in type '\{ (.*) \}' but required in type '\{ (.*) \}'/.exec(sentence) ?? []
  const known = new Set(memberNames(wanted))
  const [stray, ...others] = memberNames(given).filter((name) => !known.has(name))
  if (stray === undefined || others.length > 0) return undefined
  const places = placesOf(stray, file).filter(({ line }) => line >= from.line)
  return places.length === 1 ? places[0] : undefined
}

const memberNames = (members: string): string[] =>
  [...members.matchAll(/(?:^|; )([\w$]+)\??: (?!never)/g)].map(([, name = '']) => name)

function placesOf(name: string, file: string): Place[] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  return lines.flatMap((text, index) =>
    [...text.matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?=\\s*[:,}])`, 'g'))].map(
      (match) => ({
        line: index + 1,
        column: match.index + 1
      })
    )
  )
}
