/** Paths of a contract against paths of requests (OpenAPI 3.1.0, section 4.8.8). */

/** Undecoded: splitting and decoding are the parameter's business (parameters.ts). */
export type RawPathParameters = Readonly<Record<string, string>>

const expression = /\{([^{}]*)\}/g

/** @returns a function from the path of a URL, undecoded, to the texts of its parameters; undefined where it is another path */
export function pathMatcher(template: string): (path: string) => RawPathParameters | undefined {
  const names = [...template.matchAll(expression)].map(([, name]) => name ?? '')
  const literals = template
    .split(/\{[^{}]*\}/)
    .map((text) => uniform(text).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${literals.join('([^/]*?)')}$`)
  return (path) => {
    const match = pattern.exec(path) ?? (isUniform.test(path) ? null : pattern.exec(uniform(path)))
    if (match === null) return undefined
    const parameters = Object.create(null) as Record<string, string>
    for (const [index, name] of names.entries()) parameters[name] = match[index + 1] ?? ''
    return parameters
  }
}

const isUniform = /^[\w\-.~!$&'()*+,;=:@/]*$/

/** The same path spelled in one way: what needs no percent-encoding has none, and what needs it has it. */
function uniform(path: string): string {
  try {
    return encodeURI(decodeURI(path)).replaceAll('%25', '%')
  } catch {
    return path
  }
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
