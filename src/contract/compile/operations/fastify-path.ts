/** Writes path templates as Fastify routes. Expressions are named by their position: `/a/{thing-id}` is `/a/:p2`. */
import { templateLiterals, templateNames } from '../../model/path-template.ts'

export function fastifyPath(path: string): string {
  return path
    .split('/')
    .map((segment, position) => {
      if (isExpression(segment)) return `:p${position}`
      return isPattern(segment) ? patternOf(segment, position) : literalOf(segment)
    })
    .join('/')
}

/** A segment that is one expression and nothing else. */
export const isExpression = (segment: string): boolean =>
  templateNames(segment).length === 1 && templateLiterals(segment).every((text) => text === '')

/** More than one expression, text around one, or text that the router would read as something else. */
export const isPattern = (segment: string): boolean =>
  !isExpression(segment) && /[{}*%]/.test(decodeURI(segment))

export const literalOf = (segment: string): string => decodeURI(segment).replaceAll(':', '::')

/** Expressions are named by their position in the segment, `p2_1`, and match any text up to what follows them. */
function patternOf(segment: string, position: number): string {
  const parts = templateLiterals(segment).map((text, index) => {
    const literal = index === 0 ? decodeURI(text) : decodeURIComponent(text)
    const pattern = /[*%/]/.test(literal)
      ? `:p${position}_${2 * index}(${escaped(decodeURIComponent(text))})`
      : literal.replaceAll(':', '::')
    return index === 0 ? pattern : `:p${position}_${2 * index - 1}([\\s\\S]*?)${pattern}`
  })
  return parts.join('')
}

/** A literal as a regular expression without parentheses, colons and slashes, which the router would interpret. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w\u0080-\uffff]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
