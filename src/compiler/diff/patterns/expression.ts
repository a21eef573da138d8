/** Patterns of schemas as regular expressions of JavaScript. */
import { translatePattern } from '../../compile/documents.ts'

const expressions = new Map<string, RegExp | undefined>()

/** Returns the expression; undefined for a pattern that is not ECMA-262 and cannot be translated. */
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
