/** Writes a request body as options of curl. */
import type { ExampleBody, PartType } from './example-body.ts'
import { isNode } from './examples.ts'
import { quote } from './shell.ts'

export function bodyOptions({ mediaType, value, partTypes }: ExampleBody): readonly string[] {
  if (/multipart/.test(mediaType))
    return Object.entries(Object(value)).map(([name, field]) => partOption(name, field, partTypes[name]))
  if (/x-www-form-urlencoded/.test(mediaType))
    return Object.entries(Object(value)).map(
      ([name, field]) => `--data-urlencode ${quote(`${name}=${field}`)}`
    )
  const text = /json/.test(mediaType) ? spaced(value) : String(value)
  return [`-H "Content-Type: ${mediaType}"`, `${text.startsWith('@') ? '--data-raw' : '-d'} ${quote(text)}`]
}

/** Writes a field as a part, and a file as a part with a file name (RFC 7578, section 4.2). */
function partOption(name: string, field: unknown, type: PartType | undefined): string {
  const [first] = [field].flat()
  const isJson = isNode(first)
  const text = isJson ? spaced(first) : String(first)
  const mediaType = type?.mediaType ?? (isJson ? 'application/json' : undefined)
  const attributes = [
    ...(type?.isFile === true ? [`filename=${name}`] : []),
    ...(mediaType === undefined ? [] : [`type=${mediaType}`])
  ]
  // curl interprets these characters at the start of a value, and ends a value at a semicolon.
  const plain = /^[@<"]|;/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
  return `-F ${quote([`${name}=${plain}`, ...attributes].join(';'))}`
}

/** Writes JSON on one line, with a space after each colon and comma. */
function spaced(value: unknown): string {
  const exact = (_key: string, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item
  return JSON.stringify(value, exact, 1).replaceAll(/(,?)\n */g, (_, comma) => comma && ', ')
}
