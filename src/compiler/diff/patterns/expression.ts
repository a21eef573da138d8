/** Patterns of schemas as regular expressions of this language. */
import { translatePattern } from '../../compile/documents.ts'

const expressions = new Map<string, RegExp | undefined>()

/** Returns the expression; undefined where the pattern is none of ECMA-262, nor means one. */
export function expressionOf(pattern: string): RegExp | undefined {
  if (!expressions.has(pattern)) expressions.set(pattern, compiled(pattern))
  return expressions.get(pattern)
}

function compiled(pattern: string): RegExp | undefined {
  const source = translatePattern(pattern)
  if (source === undefined) return undefined
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}
