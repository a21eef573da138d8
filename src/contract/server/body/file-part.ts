/** Bytes of a part as a handler receives them: a Buffer with a file name and a media type. */
import type { Part } from './part.ts'

export type FilePart = Buffer & Pick<Part, 'filename' | 'mediaType'>

/** Adds the members as non-enumerable properties, so that the bytes compare and print like any other Buffer. */
export function filePart({ bytes, filename, mediaType }: Part): FilePart {
  Object.defineProperties(bytes, {
    filename: { value: filename },
    mediaType: { value: mediaType || undefined }
  })
  return bytes as FilePart
}
