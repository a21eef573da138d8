/** Part of a multipart body, as its headers describe it (RFC 7578, section 4). */
import { parseMediaType } from '../../media-types/media-type.ts'

export interface Part {
  readonly bytes: Buffer
  /** Content-Type without parameters; undefined where the client sent none, empty where it is malformed. */
  readonly mediaType: string | undefined
  readonly filename: string | undefined
  /** Content-Transfer-Encoding in lower case; undefined for an identity encoding. */
  readonly encoding: string | undefined
}

/** Parts by field name, in the order of their arrival. */
export type Parts = Map<string, Part[]>

/** Values by lower-case name, each byte as one character. */
export type PartHeaders = Readonly<Record<string, readonly string[] | undefined>>

/** Encodings that change nothing (RFC 2045, section 6.2). */
const identity = new Set(['', '7bit', '8bit', 'binary'])

/** Returns the part and its name; the name is undefined where the headers have none. */
export function partOf(headers: PartHeaders, bytes: Buffer): { name: string | undefined; part: Part } {
  const first = (header: string) => headers[header]?.[0]
  // A disposition has the syntax of a media type without the slash (RFC 6266, section 4.1).
  const disposition = parseMediaType(`x/${first('content-disposition')?.trimStart() ?? ''}`)
  const parameters = disposition?.type === 'x/form-data' ? disposition.parameters : undefined
  const filename = extendedValue(parameters?.get('filename*')) ?? utf8(parameters?.get('filename'))
  const contentType = first('content-type')
  const encoding = (first('content-transfer-encoding') ?? '').trim().toLowerCase()
  const part = {
    bytes,
    mediaType: contentType === undefined ? undefined : (parseMediaType(contentType)?.type ?? ''),
    filename: filename?.replace(/^.*[\\/]/s, ''),
    encoding: identity.has(encoding) ? undefined : encoding
  }
  return { name: utf8(parameters?.get('name')), part }
}

function utf8(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1').toString('utf8')
}

/** Decodes `UTF-8''na%C3%AFve.txt` (RFC 8187); browsers send the plain form, some other clients this one. */
function extendedValue(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? '')?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
