/** Names in a query that an operation does not declare (`x-strict-query`). */
import type { Operation } from '../../model/compiled-contract.ts'
import type { Problem } from '../errors/failure.ts'
import { problemOf } from '../errors/validation-problems.ts'
import { takes } from './paired.ts'
import { formDecode, pairsOf } from './pairs.ts'

/** Most names that are reported, and most characters of one that is compared. */
const maxNames = 20
const maxLength = 64

/** Returns a function that finds them; undefined for an operation whose query may have any name. */
export function undeclaredNames({
  parameters,
  strictQuery
}: Operation): ((query: string) => readonly Problem[]) | undefined {
  if (strictQuery === undefined) return undefined
  const specs = parameters.filter((spec) => spec.in === 'query')
  const known = [...specs.map(({ name }) => name), ...strictQuery]
  const isKnown = (name: string) => strictQuery.includes(name) || specs.some((spec) => takes(spec, name))
  return (query) =>
    [...pairsOf(query, '&', formDecode).pairs.keys()]
      .filter((name) => !isKnown(name))
      .slice(0, maxNames)
      .map((name) => problemOf(name, 'query', `is not declared${hint(nearest(name, known))}`))
}

const hint = (name: string | undefined): string => (name === undefined ? '' : `; did you mean ${name}?`)

/** Returns the known name with the fewest edits; undefined without known names. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const sent = name.slice(0, maxLength).toLowerCase()
  const edits = new Map(known.map((each) => [each, distance(sent, each.toLowerCase())]))
  return known.toSorted((one, other) => Number(edits.get(one)) - Number(edits.get(other)))[0]
}

/** Number of characters to insert, delete or replace (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = Number(row[column]) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, Number(row[column + 1]) + 1, Number(next[column]) + 1))
    }
    row = next
  }
  return Number(row.at(-1))
}
