/** A change of one operation, before its place in the files is known. */
import { dereference, type Json, type JsonObject, own } from '../../compile/documents.ts'
import type { Spot } from '../schemas/finding.ts'
import type { RuleId } from './rules.ts'

export interface Draft {
  readonly rule: RuleId
  /** Place in the operation: `body/name`, `query/limit`, `200/header/ETag`. */
  readonly place: string
  readonly text: string
  readonly spot: Spot
}

/** A part of both contracts. */
export interface Both<T> {
  readonly old: T
  readonly now: T
}

/** An operation before or after the change. */
export interface OperationPart {
  readonly document: JsonObject
  readonly path: string
  readonly pathItem: JsonObject
  readonly node: JsonObject
}

/** Returns the object of a member, its reference followed. */
export function memberOf(document: JsonObject, node: JsonObject, key: string): JsonObject | undefined {
  const member: Json | undefined = own(node, key)
  return member === undefined ? undefined : dereference(document, member)
}

/** Returns the keys of both objects, those of the old one first. */
export const keysOf = ({ old, now }: Both<JsonObject>): string[] => [
  ...new Set([...Object.keys(old), ...Object.keys(now)])
]
