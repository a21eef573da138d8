/** JSON values of a contract; integers beyond 2^53 are bigint, so that they stay exact. */
export { stringify } from '@contract-first/engine/json'

export type Json = null | boolean | number | bigint | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own property, never one of `Object.prototype`: a contract may use the names `toString` and `__proto__`. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

export function stringOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Sets an own property, also under the name `__proto__`. */
export function define<T>(object: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}
