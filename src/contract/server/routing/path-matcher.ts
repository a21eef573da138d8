/** Matches paths of requests with the path templates of a contract (OpenAPI 3.1.0, section 4.8.8). */
import { templateLiterals, templateNames } from '../../model/path-template.ts'
import { normalizePath } from './request-target.ts'

/** Undecoded texts by parameter name; `parameters/` splits and decodes them. */
export type RawPathParameters = Readonly<Record<string, string>>

/** @returns a function from an undecoded, normalised path to the texts of its parameters, or undefined for another path */
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
    normalizePath(text).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  )
  return new RegExp(`^${literals.join('([^/]*?)')}$`)
}
