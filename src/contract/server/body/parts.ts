/**
 * Values of the parts of a multipart body (OpenAPI 3.1.0, section 4.8.14.4). The contract decides whether a part is
 * bytes, JSON or text; the client's Content-Type and filename count only where the schema says nothing.
 */
import { bodyKind } from '../../media-types/body-kind.ts'
import type { FieldSpec, RequestContent } from '../../model/compiled-contract.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { jsonValue } from '../parameters/delimited.ts'
import { bodyMismatch } from './failures.ts'
import { fieldSpecs, readTexts } from './fields.ts'
import { decodeUtf8 } from './utf8.ts'

export interface Part {
  readonly bytes: Buffer
  readonly mediaType: string
  /** The client sent a filename, or `application/octet-stream`. */
  readonly isFile: boolean
}

/** By field name, in the order in which they arrived. */
export type Parts = Map<string, Part[]>

/** @throws {FailureError} `mismatch`, or `malformed-body` for a text that is not UTF-8 */
export function partValues(parts: Parts, content: RequestContent): Record<string, unknown> {
  const result = emptyObject()
  const texts = new URLSearchParams()
  const specs = fieldSpecs(parts.keys(), content)
  for (const [name, list] of parts) {
    const spec = specs.find(({ key }) => key === name)
    if (spec === undefined || isUndescribed(spec)) result[name] = onlyPart(name, list.map(sentValue))
    else if (spec.bytes) result[name] = bytesValue(list, spec)
    else if (spec.jsonItems) result[name] = jsonList(list, spec)
    else for (const part of list) texts.append(name, textOf(part, spec))
  }
  return Object.assign(result, readTexts(String(texts), specs))
}

/** The contract gives the field no type, no members and no encoding. */
function isUndescribed({ shape, json, bytes, jsonItems }: FieldSpec): boolean {
  const { types, items, prefixItems, properties, additional } = shape
  const described = [items, prefixItems, properties, additional, json, bytes, jsonItems]
  return types.length === 0 && described.every((member) => member === undefined)
}

const sentValue = ({ bytes, isFile }: Part): unknown => (isFile ? bytes : decodeUtf8(bytes))

function bytesValue(parts: readonly Part[], { key, shape }: FieldSpec): unknown {
  const values = parts.map(({ bytes }) => bytes)
  return shape.items === undefined ? onlyPart(key, values) : values
}

/** A declared string may be sent as a JSON string, in quotes. */
function textOf({ bytes, mediaType }: Part, spec: FieldSpec): string {
  const text = decodeUtf8(bytes)
  const value = !spec.json && bodyKind(mediaType) === 'json' ? parsedJson(spec.key, text) : undefined
  return typeof value === 'string' ? value : text
}

/** OpenAPI has one part for each item; many clients send the whole list in one part. */
function jsonList(parts: readonly Part[], { key, shape }: FieldSpec): unknown {
  const values = parts.map(({ bytes }) => parsedJson(key, decodeUtf8(bytes)))
  const [first, ...others] = values
  const isWholeList = others.length === 0 && Array.isArray(first) && shape.items?.items === undefined
  return isWholeList ? first : values
}

function parsedJson(name: string, text: string): unknown {
  try {
    return jsonValue(text)
  } catch {
    throw bodyMismatch([{ place: `body/${name}`, message: 'is not valid JSON' }])
  }
}

function onlyPart(name: string, values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0]
  throw bodyMismatch([{ place: `body/${name}`, message: 'is given more than once' }])
}
