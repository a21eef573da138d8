/** The differences between two schemas, by the word that names their rules. */
import type { Role } from '../cases/side.ts'
import { type Direction, directions, type Kind, type List, meanings, words } from './words.ts'

export type { Kind, List } from './words.ts'

type Word = keyof typeof words
export type SchemaRule = `${Role}-${Word}`

const named = new Map(
  Object.entries(words).map(([word, [kind, direction]]) => [`${kind} ${direction}`, word as Word])
)

interface Found {
  readonly isNarrowed: boolean
  /** True for a change in both directions. */
  readonly isBoth: boolean
  readonly isOpen: boolean
}

/** Returns the most specific word for a difference. */
export function wordFor(kind: Kind, { isNarrowed, isBoth, isOpen }: Found): Word {
  const wanted: readonly Direction[] = [
    ...(isOpen ? (['open'] as const) : []),
    ...(isBoth ? (['changed'] as const) : []),
    isNarrowed ? 'narrowed' : 'widened'
  ]
  const found = [...wanted, ...Object.keys(directions)].map((direction) => named.get(`${kind} ${direction}`))
  return found.find((word) => word !== undefined) as Word
}

/** Returns whether the opposite direction finds the same. */
export const isSameBothWays = (kind: Kind): boolean =>
  ['hidden', 'undecided', 'compatible'].some((direction) => named.has(`${kind} ${direction}`))

export interface Rule {
  readonly id: string
  readonly list: List
}

export const schemaRules: readonly Rule[] = (['request', 'response'] as const).flatMap((role) =>
  Object.entries(words).map(([word, [, direction]]) => ({
    id: `${role}-${word}`,
    list: directions[direction][role]
  }))
)

/** Returns the table of the documentation, in Markdown: a row for each kind. */
export function schemaRulesTable(): string {
  const kinds = Map.groupBy(Object.entries(words), ([, [kind]]) => kind)
  const rows = [...kinds].map(([kind, found]) => {
    const cells: [string[], string[], string[]] = [[], [], []]
    for (const [word, [, direction]] of found) {
      const { request, response } = directions[direction]
      if (request === response) cells[2].push(`${request}: \`${word}\``)
      else cells[request === 'breaking' ? 0 : 1].push(`\`${word}\``)
    }
    return `| ${[meanings[kind] ?? `\`${kind}\``, ...cells.map((cell) => cell.join(', '))].join(' | ')} |`
  })
  return ['| | breaking in requests | breaking in answers | in both |', '|---|---|---|---|', ...rows].join(
    '\n'
  )
}
