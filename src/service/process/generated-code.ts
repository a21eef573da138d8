/** Explains why generated code cannot be loaded: a file is missing, or a merge left its conflict in it. */
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printable } from '@contract-first/cli/printable'

/**
 * Returns a sentence.
 * @param error thrown by the import of generated code
 * @param folder folder of the generated code, as far as it is known
 */
export function generatedCodeProblem(error: unknown, folder: string): string {
  const { url, stack } = Object(error)
  const message = printable(String(Object(error).message))
  const [, place, line] = /^(file:\/\/\S+):(\d+)\n/.exec(String(stack)) ?? []
  const remedy = 'run "npm run generate"'
  if (place !== undefined) return `${shown(place)}:${line} cannot be read: ${message}: ${remedy}`
  if (url !== undefined) return `${shown(url)} is missing: ${remedy}`
  // Node names no file for a syntax error in an imported module.
  return `${conflicts(folder).join(', ') || 'the generated code'} cannot be read: ${message}: ${remedy}`
}

const conflicts = (folder: string): readonly string[] =>
  globSync(`${folder}/*.{js,ts}`).filter((file) => /^<{7} /m.test(readFileSync(file, 'utf8')))

const shown = (url: string): string => printable(relative('', fileURLToPath(url)))
