/** The bytes of a part as a handler receives them: a Buffer that knows its file name and media type. */
import type { Part } from './part.ts'

export type FilePart = Buffer & Pick<Part, 'filename' | 'mediaType'>

/** The members are not enumerable, so that the bytes compare and print as those of any other Buffer. */
export function filePart({ bytes, filename, mediaType }: Part): FilePart {
  Object.defineProperties(bytes, {
    filename: { value: filename },
    mediaType: { value: mediaType || undefined }
  })
  return bytes as FilePart
}
