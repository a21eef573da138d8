/** Texts that satisfy the keywords of strings. */
import { type JsonObject, own, stringOf } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import type { Side } from '../cases/side.ts'
import { shortestTexts } from '../patterns/inclusion.ts'
import { examplesOf } from './formats.ts'

/** Returns texts that certainly satisfy the keywords of every node. */
export function textsOf(nodes: readonly JsonObject[], side: Side): string[] {
  const texts = (keyword: string) => nodes.flatMap((node) => stringOf(own(node, keyword)) ?? [])
  const lengths = ['minLength', 'maxLength'].flatMap((keyword) =>
    nodes.map((node) => Number(own(node, keyword) ?? 0))
  )
  const candidates = [
    ...texts('format').flatMap(examplesOf),
    ...texts('pattern').flatMap(shortestTexts),
    ...lengths.filter((length) => length <= maxLength).map((length) => 'a'.repeat(length)),
    ...common
  ]
  const parts = nodes.map((node) =>
    Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.has(keyword)))
  )
  return [...new Set(candidates)].filter((text) => satisfies(text, parts, side) === true)
}

const keywords: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern', 'format'])

const common = ['a', '', 'a'.repeat(300), '1', 'A', 'a b', '-', 'é', 'x1', 'true', '2020-01-01', 'aB3$_:/']

/** Longest text to try. */
const maxLength = 2_000
