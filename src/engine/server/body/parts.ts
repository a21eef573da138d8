/**
 * Values of the parts of a multipart body (OpenAPI 3.1.0, section 4.8.14.4). The contract decides whether a part is
 * bytes, JSON or text; the client's Content-Type and filename count only where the schema leaves that open.
 */

import type { RequestContent } from '../../model/compiled-contract.ts'
import { mediaTypeMatcher } from '../../model/content-type.ts'
import type { FilePart } from '../../model/contract-types.ts'
import { bodyKind } from '../../model/media-type.ts'
import { type FieldSpec, itemShape, mayBeObject, type TextShape } from '../../model/parameter.ts'
import { FailureError } from '../errors/failure.ts'
import { problemOf } from '../errors/validation-problems.ts'
import { emptyObject } from '../parameters/decoded.ts'
import { fieldSpecs } from '../parameters/fields.ts'
import { fits, jsonValue, textUnlessJson } from '../parameters/json-text.ts'
import { type Form, readTexts } from './form.ts'
import type { Part, PartHead, Parts } from './multipart.ts'
import { bodyMismatch, decodeUtf8, fieldPlace } from './parse.ts'
import type { UploadedFile } from './uploads.ts'

/** @throws {FailureError} `unsupported-media-type` for a part whose media type the contract does not declare */
export function multipartForm(parts: Parts, content: RequestContent): Form {
  const specs = fieldSpecs(parts.keys(), content)
  const byName = specsByName(specs)
  for (const [name, list] of parts) for (const part of list) checkPart(name, part, byName.get(name))
  return { specs, read: (given) => partValues(parts, given) }
}

const specsByName = (specs: readonly FieldSpec[]): ReadonlyMap<string, FieldSpec> =>
  new Map(specs.map((spec) => [spec.key, spec]))

/** @throws {FailureError} `mismatch`, or `malformed-body` for a text that is not UTF-8 */
function partValues(parts: Parts, specs: readonly FieldSpec[]): Record<string, unknown> {
  const result = emptyObject()
  const texts = new URLSearchParams()
  const byName = specsByName(specs)
  for (const [name, list] of parts) {
    const spec = byName.get(name)
    if (spec === undefined || isUndescribed(spec)) result[name] = sentValue(onlyPart(name, list))
    else if (spec.bytes) result[name] = bytesValue(list, spec)
    else if (spec.jsonItems) result[name] = jsonList(list, spec)
    else if (spec.json) result[name] = jsonPart(onlyPart(name, list), spec)
    else for (const part of list) texts.append(name, partText(part, spec))
  }
  return Object.assign(result, readTexts(String(texts), specs))
}

/** Returns true if the contract gives the field no type, no members and no encoding. */
function isUndescribed({ shape, json, bytes, jsonItems }: FieldSpec): boolean {
  const { types, items, prefixItems, properties, additional } = shape
  const described = [items, prefixItems, properties, additional, json, bytes, jsonItems]
  return types.length === 0 && described.every((member) => member === undefined)
}

function sentValue(part: Part): unknown {
  return isSentAsFile(part) ? filePart(part) : decodeUtf8(part.bytes)
}

const isSentAsFile = ({ isNamed, mediaType }: PartHead): boolean =>
  isNamed || mediaType === 'application/octet-stream'

/** Returns true for a part of which only the bytes count, so that it need not be in memory. */
export function isFile(part: PartHead, spec: FieldSpec | undefined): boolean {
  if (spec === undefined || isUndescribed(spec)) return isSentAsFile(part)
  return spec.bytes === true && !isObject(part, spec.shape)
}

/** Returns the bytes of a field; a single part is a list of one where the schema allows lists only. */
function bytesValue(parts: readonly Part[], { key, shape }: FieldSpec): unknown {
  const values = parts.map((part) => (isObject(part, shape) ? structuredValue(part, shape) : filePart(part)))
  const isList = shape.items !== undefined && (parts.length > 1 || !shape.types.includes('string'))
  return isList ? values : onlyPart(key, values)
}

/** Decides between bytes and an object where the schema allows both: JSON without a file name is the object. */
function isObject({ isNamed, mediaType }: PartHead, shape: FieldSpec['shape']): boolean {
  return mayBeObject(shape) && !isNamed && bodyKind(mediaType ?? '') === 'json'
}

/** Returns the text of a part; a declared string may be sent as a JSON string, in quotes. */
function partText(part: Part, spec: FieldSpec): string {
  const value = bodyKind(part.mediaType ?? '') === 'json' ? jsonPart(part, spec) : undefined
  return typeof value === 'string' ? value : decodeUtf8(part.bytes)
}

function onlyPart<T>(name: string, parts: readonly T[]): T {
  const [part, another] = parts
  if (part !== undefined && another === undefined) return part
  throw bodyMismatch([problemOf(name, 'body', 'is given more than once')])
}

/** Adds the members as non-enumerable properties, so that the bytes compare and print like any other Buffer. */
function filePart({ bytes, filename, mediaType, file }: Part): FilePart | UploadedFile {
  if (file !== undefined) return file
  Object.defineProperties(bytes, {
    filename: { value: filename },
    mediaType: { value: mediaType || undefined }
  })
  return bytes as FilePart
}

/**
 * Accepts a part without Content-Type, because it claims no other type.
 * @throws {FailureError} `unsupported-media-type`, which names the part
 */
export function checkPart(name: string, part: PartHead, field: FieldSpec | undefined): void {
  const { contentTypes, transferEncoding } = field ?? {}
  if (part.encoding !== undefined && part.encoding !== transferEncoding)
    throw unsupported(name, 'must be sent as it is, without Content-Transfer-Encoding')
  if (contentTypes === undefined || part.mediaType === undefined) return
  if (mediaTypeMatcher(contentTypes)(part.mediaType) < 0)
    throw unsupported(name, `must be of media type ${contentTypes.join(' or ')}`)
}

function unsupported(name: string, problem: string): FailureError {
  return new FailureError('unsupported-media-type', { message: `${fieldPlace(name)} ${problem}` })
}

/** @throws {FailureError} `mismatch` */
function jsonPart(part: Part, { key, shape }: FieldSpec): unknown {
  return required(structuredValue(part, shape), key)
}

/**
 * Reads a list that has one part for each item. Many clients send the whole list in one part.
 * @throws {FailureError} `mismatch`
 */
function jsonList(parts: readonly Part[], { key, shape }: FieldSpec): unknown {
  const [first, ...others] = parts
  const whole = first === undefined || others.length > 0 ? undefined : structuredValue(first, shape)
  if (whole !== undefined && isWhole(whole, shape)) return whole
  return parts.map((part, index) => required(structuredValue(part, itemShape(shape, index)), key))
}

function isWhole(value: unknown, shape: TextShape): boolean {
  return Array.isArray(value) ? shape.items?.items === undefined : fits(value, shape)
}

/**
 * Returns the value of a JSON text, or the text itself where the schema allows a string and the part is not JSON.
 * @returns undefined for a text that is neither
 */
function structuredValue({ bytes, mediaType = '' }: Part, shape: TextShape): unknown {
  const text = decodeUtf8(bytes)
  const kind = bodyKind(mediaType)
  if (kind === 'json' || !shape.types.includes('string')) return parsed(text)
  return kind === 'text' ? text : textUnlessJson(text, shape)
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text)
  } catch {
    return undefined
  }
}

function required(value: unknown, key: string): unknown {
  if (value !== undefined) return value
  throw bodyMismatch([problemOf(key, 'body', 'is not valid JSON')])
}
