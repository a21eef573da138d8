/**
 * Batch in memory that two threads share. A message copies objects, which costs a single create twice as much CPU as
 * the whole exchange in shared memory.
 */
import type { StoredPlant } from '../store.ts'

/** Terminator of each document: a character that cannot occur in JSON text (RFC 8259, section 7). */
const end = '\u0000'
const maxBytesPerCodeUnit = 3
const idBytes = BigInt64Array.BYTES_PER_ELEMENT
/** Words of the header: the deadline, then the number of plants and of the bytes of their documents. */
const headerWords = 2

/** Batch in shared memory. The thread that writes it must not change it until the other thread has answered. */
export class SharedBatch {
  readonly memory: SharedArrayBuffer
  readonly #deadline: Float64Array
  readonly #sizes: Uint32Array
  /** Header, then ids; the documents follow as bytes. */
  readonly #words: BigInt64Array
  readonly #bytes: Buffer

  /** @returns the bytes that hold these plants in the worst case of their characters: a multiple of 8 */
  static sizeOf(plants: readonly StoredPlant[]): number {
    let size = headerWords * idBytes
    for (const { document } of plants) size += idBytes + maxBytesPerCodeUnit * (document.length + 1)
    return idBytes * Math.ceil(size / idBytes)
  }

  /** @param memory shared memory; its length is a multiple of 8 bytes */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.#deadline = new Float64Array(memory, 0, 1)
    this.#sizes = new Uint32Array(memory, idBytes, 2)
    this.#words = new BigInt64Array(memory)
    this.#bytes = Buffer.from(memory)
  }

  /**
   * @param deadline time on the clock of the writing thread
   * @throws {RangeError} when an id is not an int64
   */
  write(plants: readonly StoredPlant[], deadline: number): void {
    let documents = ''
    let word = headerWords
    for (const { id, document } of plants) {
      if (BigInt.asIntN(64, id) !== id) throw new RangeError(`${id} is not an int64`)
      this.#words[word++] = id
      documents += document + end
    }
    this.#deadline[0] = deadline
    this.#sizes[0] = plants.length
    this.#sizes[1] = this.#bytes.write(documents, word * idBytes)
  }

  read(): { plants: StoredPlant[]; deadline: number } {
    const [count = 0, bytes = 0] = this.#sizes
    const [deadline = 0] = this.#deadline
    const firstByte = (headerWords + count) * idBytes
    const documents = this.#bytes.toString('utf8', firstByte, firstByte + bytes)
    const plants: StoredPlant[] = []
    let from = 0
    for (let index = 0; index < count; index++) {
      const to = documents.indexOf(end, from)
      plants.push({ id: this.#words[headerWords + index] as bigint, document: documents.slice(from, to) })
      from = to + 1
    }
    return { plants, deadline }
  }
}
