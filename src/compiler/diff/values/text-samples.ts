/** Texts that satisfy schemas, and the check of other schemas on them. */
import { type JsonObject, own, stringOf } from '../../compile/documents.ts'
import { expressionOf } from '../patterns/expression.ts'
import { shortestTexts } from '../patterns/inclusion.ts'
import { examplesOf, hasFormat } from './formats.ts'

export interface TextSamples {
  readonly fits: readonly string[]
  readonly refuses: (text: string) => boolean
}

/** @param sent nodes whose keywords the texts satisfy */
export function textSamples(sent: readonly JsonObject[], received: readonly JsonObject[]): TextSamples {
  return {
    fits: textsOf(sent),
    refuses: (text) => received.some((node) => textProblem(text, node) === 'refused')
  }
}

/** Returns texts that certainly satisfy the keywords of every node. */
export function textsOf(nodes: readonly JsonObject[]): string[] {
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
  return [...new Set(candidates)].filter((text) =>
    nodes.every((node) => textProblem(text, node) === undefined)
  )
}

const common = ['a', '', 'a'.repeat(300), '1', 'A', 'a b', '-', 'é', 'x1', 'true', '2020-01-01', 'aB3$_:/']

/** Longest text to try. */
const maxLength = 2_000

/** Returns whether the keywords of a node refuse a text, or this is unknown. */
export function textProblem(text: string, node: JsonObject): 'refused' | 'unknown' | undefined {
  const length = [...text].length
  if (length < Number(own(node, 'minLength') ?? 0)) return 'refused'
  if (length > Number(own(node, 'maxLength') ?? Number.POSITIVE_INFINITY)) return 'refused'
  const [pattern, format] = [stringOf(own(node, 'pattern')), stringOf(own(node, 'format'))]
  const matches = pattern === undefined ? true : expressionOf(pattern)?.test(text)
  const isOfFormat = format === undefined ? true : hasFormat(text, format)
  if (matches === false || isOfFormat === false) return 'refused'
  return matches === undefined || isOfFormat === undefined ? 'unknown' : undefined
}
