/** The regular expressions of a contract, as its validators, serializers and int64 plans all read them. */

const compiled = new Map<string, RegExp>()

/** Patterns are Unicode (JSON Schema Core 2020-12, section 6.4); those that only the older grammar allows stay valid. */
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
