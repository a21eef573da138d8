/** Bytes and streams of them, in the forms that every platform of `fetch` has. */
import type { SentBody } from '../../model/client-operation.ts'

/** Bytes as a client is given them. */
export type Bytes = Exclude<SentBody, string> | AsyncIterable<Uint8Array>
type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export function isBytes(value: unknown): value is Bytes {
  if (value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true
  return typeof value === 'object' && value !== null && isStream(value)
}

export const isStream = (value: object): value is Stream =>
  Symbol.asyncIterator in value || value instanceof ReadableStream

/** @returns undefined for a value that is not bytes */
export function bytes(body: unknown, onError: (error: unknown) => void): SentBody | undefined {
  if (!isBytes(body)) return undefined
  return isStream(body) ? byteStream(body, onError) : body
}

/** Yields the chunks; a reader that stops early cancels the stream. */
export async function* byteChunks(stream: Stream): AsyncGenerator<Uint8Array> {
  if (!(stream instanceof ReadableStream)) {
    yield* stream
    return
  }
  // Not every browser can iterate a stream.
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** @param onError receives the error of the iterable, which `fetch` wraps in one of its own */
export function byteStream(chunks: Stream, onError: (error: unknown) => void): ReadableStream<Uint8Array> {
  if (chunks instanceof ReadableStream) return chunks
  const iterator = chunks[Symbol.asyncIterator]()
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        onError(error)
        throw error
      }
    },
    async cancel() {
      await iterator.return?.()
    }
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
