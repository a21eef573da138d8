/** Replaces YAML scalars with the tag `!!binary` (YAML 1.1, binary type), which JSON lacks. */
import type { Json } from '../document/json-value.ts'

/** Replaces each by its Base64 text, in place, and returns the value: in JSON a byte string is Base64. */
export function withBase64(root: unknown): Json {
  if (root instanceof Uint8Array) return Buffer.from(root).toString('base64')
  const seen = new Set<unknown>()
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    for (const [key, child] of Object.entries(next)) {
      if (child instanceof Uint8Array) Reflect.set(next, key, Buffer.from(child).toString('base64'))
      else pending.push(child)
    }
  }
  return root as Json
}
