/** Compiles the regular expressions of a contract in the same way for validators, serializers and int64 plans. */

/** Compiled patterns. Their number is bounded by the contract, because sources never come from requests. */
const compiled = new Map<string, RegExp>()

/** Compiles as Unicode (JSON Schema Core 2020-12, section 6.4); retries a failed pattern in the older grammar. */
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
