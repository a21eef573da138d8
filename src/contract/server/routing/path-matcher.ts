/** Paths of a contract against paths of requests (OpenAPI 3.1.0, section 4.8.8). */
import { templateLiterals, templateNames } from '../../model/path-template.ts'

/** Undecoded: splitting and decoding are the parameter's business (parameters.ts). */
export type RawPathParameters = Readonly<Record<string, string>>

/** @returns a function from the path of a URL, undecoded and uniform, to the texts of its parameters; undefined where it is another path */
export function pathMatcher(template: string): (path: string) => RawPathParameters | undefined {
  const names = templateNames(template)
  let pattern: RegExp | undefined
  return (path) => {
    pattern ??= patternOf(template)
    const match = pattern.exec(path)
    if (match === null) return undefined
    const parameters = Object.create(null) as Record<string, string>
    for (const [index, name] of names.entries()) parameters[name] = String(match[index + 1])
    return parameters
  }
}

function patternOf(template: string): RegExp {
  const literals = templateLiterals(template).map((text) =>
    uniform(text).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  )
  return new RegExp(`^${literals.join('([^/]*?)')}$`)
}

const isUniform = /^[\w\-.~!$&'()*+,;=:@/]*$/
const percentEncoded = /%[\da-f]{2}/gi
const needless = /[\w\-.!~*'()]/

/**
 * The same path spelled in one way (RFC 3986, section 6.2.2): what needs no percent-encoding has none, and what needs it
 * has it, as the router sees it.
 */
export function uniform(path: string): string {
  if (isUniform.test(path)) return path
  return encodeURI(path)
    .replaceAll('%25', '%')
    .replaceAll(percentEncoded, (text) => {
      const character = String.fromCharCode(Number.parseInt(text.slice(1), 16))
      return needless.test(character) ? character : text.toUpperCase()
    })
}

/** The path of a request target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}

export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start < 0 ? '' : target.slice(start + 1)
}
