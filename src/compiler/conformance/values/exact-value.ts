/** Reads a JSON text into values whose integers are exact: those that a double does not hold are bigint. */
import { parseExactJson } from '@contract-first/engine/json'

/** @returns undefined for a text that is not JSON */
export function exactValue(text: string): unknown {
  try {
    const { root, value, exactness } = parseExactJson(text)
    if (exactness === undefined) return value
    for (const [holder, marks] of exactness)
      for (const [key, exact] of marks) if (typeof exact === 'bigint') Reflect.set(holder, key, exact)
    return Reflect.get(root, '')
  } catch {
    return undefined
  }
}
