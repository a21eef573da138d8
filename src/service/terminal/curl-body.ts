/** Writes a request body as options of curl. */
import { contentTypeOption, dataOption } from '@contract-first/cli/curl-options'
import { isPrintable, printable, printableJson } from '@contract-first/cli/printable'
import { quote } from '@contract-first/cli/shell'
import type { ExampleBody, PartType } from './example-body.ts'
import { isNode } from './examples.ts'

declare global {
  interface JSON {
    /** ES2026, section 25.5.2: makes `JSON.stringify` write the text as it is. */
    rawJSON(text: string): unknown
  }
}

export function bodyOptions({ mediaType, value, partTypes }: ExampleBody): readonly string[] {
  if (/multipart/.test(mediaType))
    return Object.entries(Object(value)).map(([name, field]) => partOption(name, field, partTypes[name]))
  if (/x-www-form-urlencoded/.test(mediaType))
    return Object.entries(Object(value)).map(([name, field]) => fieldOption(name, String(field)))
  const text = /json/.test(mediaType) ? spaced(value) : String(value)
  return [contentTypeOption(mediaType), dataOption(text)]
}

/** Writes a field of a form. curl encodes the value only, and would read `name@file` as a file. */
function fieldOption(name: string, value: string): string {
  const key = encodeURIComponent(name.toWellFormed())
  return isPrintable(value)
    ? `--data-urlencode ${quote(`${key}=${value}`)}`
    : `--data-raw ${quote(`${key}=${encodeURIComponent(value.toWellFormed())}`)}`
}

/**
 * Writes a field as a part, and a file as a part with a file name (RFC 7578, section 4.2). curl takes what follows the
 * first `=` for a file if it begins with `@` or `<`, so that such names are given by --form-string, which reads none.
 */
function partOption(name: string, field: unknown, type: PartType | undefined): string {
  const [first] = [field].flat()
  const isJson = isNode(first)
  const text = printable(isJson ? spaced(first) : String(first))
  if (!/^[\w .[\]-]+$/.test(name)) return `--form-string ${quote(`${printable(name)}=${text}`)}`
  const mediaType = type?.mediaType ?? (isJson ? 'application/json' : undefined)
  const attributes = [
    ...(type?.isFile === true ? [`filename=${name}`] : []),
    ...(mediaType !== undefined && isPlainType(mediaType) ? [`type=${mediaType}`] : [])
  ]
  // curl interprets these characters at the start of a value, and ends a value at a semicolon.
  const plain = /^[@<"( ]|;/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
  return `-F ${quote([`${name}=${plain}`, ...attributes].join(';'))}`
}

/** Returns true for a media type without parameters, which curl would take for options of the part. */
const isPlainType = (mediaType: string): boolean => /^[\w.+-]+\/[\w.+-]+$/.test(mediaType)

/** Writes JSON on one line, with a space after each colon and comma. */
function spaced(value: unknown): string {
  const exact = (_key: string, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item
  const lines = JSON.stringify(value, exact, 1).replaceAll(/(,?)\n */g, (_, comma) => comma && ', ')
  return printableJson(lines)
}
