/** JSON of a document as it was read. The passes before the model change it by `define` alone. */

/** Integers beyond 2^53 are bigint, so that they stay exact. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Members `x-…` by name. */
export type Extensions = Readonly<Record<string, Json>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own member, never one of `Object.prototype`: a contract may use the names `toString` and `__proto__`. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const arrayOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export const stringOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Returns the members that are objects, by name; `x-…` are extensions. */
export const membersOf = (value: Json | undefined): (readonly [string, JsonObject])[] =>
  Object.entries(objectOf(value)).flatMap(([name, member]) =>
    isObject(member) && !name.startsWith('x-') ? [[name, member] as const] : []
  )

/** Returns an object of the members that are set. */
export function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const set: Record<string, Json> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) set[name] = value
  }
  return set
}

/** Sets an own member, also under the name `__proto__`. */
export function define<Value>(object: Readonly<Record<string, Value>>, key: string, value: Value): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}
