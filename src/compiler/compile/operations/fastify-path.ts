/**
 * Writes path templates and the base path as Fastify routes. A segment that is one expression keeps its name, which hooks of
 * an application see in `request.params`, if the router takes it; others are named by their position: `/a/{thing-id}` is
 * `/a/:p2`.
 */
import { type Contract, decodedPath } from '@contract-first/contract'
import { encodedLiteral, templateLiterals, templateNames } from '@contract-first/engine/model'

/** @returns the path itself when its percent-encoding is malformed, which the reader of the contract refuses */
export function fastifyPath(path: string): string {
  if (decodedPath(path) === undefined) return path
  return encodedLiteral(path)
    .split('/')
    .map((segment, position) => {
      if (isExpression(segment)) return `:${parameterName(segment, position)}`
      return isPattern(segment) ? patternOf(segment, position) : literalOf(segment)
    })
    .join('/')
}

/** Recognises a segment that is exactly one expression. */
const isExpression = (segment: string): boolean =>
  templateNames(segment).length === 1 && templateLiterals(segment).every((text) => text === '')

/** Recognises a name that the router takes, and that is not one of a position. */
const plainName = /^(?!p\d)[a-z]\w*$/i

function parameterName(segment: string, position: number): string {
  const [name = ''] = templateNames(segment)
  return plainName.test(name) && !(name in Object.prototype) ? name : `p${position}`
}

/** Recognises a segment with several expressions, text around one, or text that the router would interpret. */
const isPattern = (segment: string): boolean => !isExpression(segment) && /[{}*%]/.test(decodeURI(segment))

const literalOf = (segment: string): string => decodeURI(segment).replaceAll(':', '::')

/** Writes a segment with its expressions named by their position in it: `p2_1`. */
function patternOf(segment: string, position: number): string {
  const texts = templateLiterals(segment)
  const parts = texts.map((text, index) => {
    const pattern = literalPattern(text, `p${position}_${2 * index}`)
    const isLast = index === texts.length - 1
    return index === 0 ? pattern : `:p${position}_${2 * index - 1}(${textBefore(isLast, text)})${pattern}`
  })
  return parts.join('')
}

/** Characters that the router interprets, or that it decodes in parameters only (RFC 3986, section 2.2). */
const special = /(\*|%(?:2[3-6BCF]|3[ABDF]|40))/i

/**
 * Writes a literal with an expression for each special character. The rest is plain text: to the router, routes that
 * differ only within expressions are one.
 */
function literalPattern(text: string, name: string): string {
  const parts = text.split(special).map((part, index) => {
    const literal = decodeURIComponent(part)
    return index % 2 === 1 ? `:${name}_${index}(${escaped(literal)})` : literal.replaceAll(':', '::')
  })
  return parts.join('')
}

/**
 * Matches the text of an expression: the last one matches any text, the others match up to the first occurrence of the
 * literal that follows them. Each has one possible end, so that a segment that does not match is refused in linear
 * time.
 */
function textBefore(isLast: boolean, literal: string): string {
  return isLast ? '[\\s\\S]*' : `(?:(?!${escaped(decodeURIComponent(literal))})[\\s\\S])*`
}

/**
 * Writes a literal as a regular expression without parentheses, colons and slashes, which the router would interpret.
 */
function escaped(text: string): string {
  return text.replaceAll(/[^\w\u0080-\uffff]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}

/**
 * Returns the path of the first server URL (OpenAPI 3.1.0, section 4.8.5), which prefixes every route.
 * @returns `''` or `/api`, without a slash at the end; `''` for a path with characters that no route can have
 */
export function basePathOf({ servers: [server] }: Contract): string {
  const written = server?.url ?? '/'
  const url = written.replaceAll(
    /\{([^{}]+)\}/g,
    (_text, name) => server?.variables.get(name)?.default || name
  )
  const path = URL.canParse(url, 'http://localhost/') ? new URL(url, 'http://localhost/').pathname : '/'
  const decoded = special.test(path) ? undefined : decodedPath(path)
  return decoded === undefined ? '' : encodeURI(decoded).replace(/\/+$/, '')
}
