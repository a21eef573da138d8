/** Compiles the regular expressions of a contract, in one way for validators, serializers and int64 plans. */

/** Bounded by the contract: sources never come from requests. */
const compiled = new Map<string, RegExp>()

/** Unicode (JSON Schema Core 2020-12, section 6.4), or the older grammar for patterns that only it allows. */
export function pattern(source: string): RegExp {
  const expression = compiled.get(source) ?? compile(source)
  compiled.set(source, expression)
  return expression
}

function compile(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}
