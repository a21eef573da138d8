/** JavaScript source of plain data. */

const none: ReadonlyMap<object, string> = new Map()

/** Longest line, in columns. */
const maxLineLength = 110

/**
 * @param names names of constants that hold objects of the value
 * @returns source code of the value: a bigint as a bigint, `__proto__` as an ordinary name, undefined members left out
 */
export function literal(value: unknown, indent = 0, names: ReadonlyMap<object, string> = none): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return primitive(value)
  const name = names.get(value)
  if (name !== undefined) return name
  const inner = ' '.repeat(indent + 2)
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, indent + 2, names))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${propertyKey(key)}: ${literal(item, indent + 2, names)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const line = parts.length === 0 ? `${open}${close}` : `${open} ${parts.join(', ')} ${close}`
  if (line.length + indent < maxLineLength && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${' '.repeat(indent)}${close}`
}

/** Escapes the two line terminators that JSON allows in a string, because editors and reviews show them as line ends. */
export function primitive(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** @returns source code of the text, with the same lines */
export function template(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
}

/** @returns the name as the key of an object literal */
export function propertyKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]'
  return isIdentifier(name) ? name : primitive(name)
}

/** @returns source code that reads the property */
export function propertyAccess(object: string, name: string): string {
  return isIdentifier(name) ? `${object}.${name}` : `${object}[${primitive(name)}]`
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)
