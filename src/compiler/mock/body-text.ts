/** Writes values as bodies of media types other than JSON. */

import { exactStringify } from '@contract-first/engine/runtime/serializers'
import type { Json, JsonObject } from '../compile/document/json-value.ts'
import { xmlText } from './xml.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** Sample files of one pixel or one page. */
const files: Readonly<Record<string, string | Buffer>> = {
  'image/png': Buffer.from(png, 'base64'),
  'image/gif': Buffer.from(gif, 'base64'),
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  'application/pdf':
    '%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'
}

/** @returns a small file of the media type, if one is known */
export function sampleFile(mediaType: string): string | Buffer | undefined {
  return Object.hasOwn(files, mediaType) ? files[mediaType] : undefined
}

interface Written {
  readonly mediaType: string
  readonly schema: Json | undefined
  readonly document: JsonObject
}

/** @param mediaType media type without parameters */
export function bodyText(value: unknown, { mediaType, schema, document }: Written): string {
  if (typeof value === 'string') return value
  if (/[/+]xml$/.test(mediaType)) return xmlText(value, schema, document)
  if (mediaType === 'application/x-www-form-urlencoded') return String(new URLSearchParams(pairsOf(value)))
  if (mediaType === 'text/event-stream')
    return itemsOf(value)
      .map((item) => `data: ${exactStringify(item)}\n\n`)
      .join('')
  if (/[/-]json(l|-seq|lines)$|ndjson$/.test(mediaType))
    return itemsOf(value)
      .map((item) => `${exactStringify(item)}\n`)
      .join('')
  return mediaType === 'text/csv' ? csv(itemsOf(value)) : exactStringify(value)
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const pairsOf = (value: unknown): [string, string][] =>
  Object.entries(Object(value)).map(([name, member]) => [name, textOf(member)])

const textOf = (value: unknown): string => (typeof value === 'object' ? exactStringify(value) : String(value))

/** Writes CSV (RFC 4180), with a header line. */
function csv(rows: readonly unknown[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(Object(row))))]
  const lines = rows.map((row) => names.map((name) => field(textOf(Reflect.get(Object(row), name) ?? ''))))
  return [names.map(field), ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
