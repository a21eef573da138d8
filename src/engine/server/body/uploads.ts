/** Files of a streamed form: in memory while they are small, otherwise in one temporary file for each request. */
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { uploadSize } from '../../model/compiled-contract.ts'
import type { UploadedFile as DeclaredFile } from '../../model/contract-types.ts'
import { FailureError } from '../errors/failure.ts'
import { onceClosed } from './body-stream.ts'
import type { Reserve } from './budget.ts'
import { Accumulator } from './payload.ts'
import type { UploadFolder } from './upload-folder.ts'

/** Bytes of a file up to which it stays in memory. */
const maxHeld = 65_536
const chunkSize = 65_536

/** The temporary file of a request. It is closed, and thereby removed, with the response. */
export class Spool {
  readonly #folder: UploadFolder
  #file: Promise<FileHandle> | undefined
  #length = 0
  #isClosed = false
  #memory: number

  /** @param memory bytes of all files of the request together that may stay in memory */
  constructor(folder: UploadFolder, reply: FastifyReply, memory: number) {
    this.#folder = folder
    this.#memory = memory
    onceClosed(reply, () => this.#close())
  }

  /** Position of the next byte. */
  get length(): number {
    return this.#length
  }

  /** @returns false if there is no room in memory */
  takeMemory(bytes: number): boolean {
    if (bytes > this.#memory) return false
    this.#memory -= bytes
    return true
  }

  giveMemory(bytes: number): void {
    this.#memory += bytes
  }

  /** @throws {FailureError} `unavailable` when the disk is full, otherwise `internal` */
  async append(bytes: Buffer): Promise<void> {
    try {
      const file = await this.#opened()
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, this.#length)
        at += bytesWritten
        this.#length += bytesWritten
      }
    } catch (error) {
      throw storageFailure(error)
    }
  }

  /** @throws {Error} after the response */
  async read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let at = 0; at < length; ) {
      if (this.#isClosed) throw new Error('an uploaded file was read after the response to its request')
      const { bytesRead } = await (await this.#opened()).read(bytes, at, length - at, position + at)
      at += bytesRead
    }
    return bytes
  }

  #opened(): Promise<FileHandle> {
    this.#file ??= this.#folder.create()
    return this.#file
  }

  /** Closes the file when its pending reads and writes are done, also one that is being created. */
  #close(): void {
    this.#isClosed = true
    this.#file?.then((file) => file.close()).catch(ignore)
  }
}

const isFull: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'])

/** Turns an error of the file system, whose text names paths, into a failure. */
function storageFailure(cause: unknown): FailureError {
  if (!isFull.has(Object(cause).code)) return new FailureError('internal', { cause })
  const message = 'there is no room for the uploaded files at present'
  return new FailureError('unavailable', { message, headers: { 'retry-after': '5' }, cause })
}

/** A file while it arrives. */
export class ArrivingFile {
  readonly #spool: Spool
  readonly #held: Accumulator
  #offset: number | undefined
  #size = 0

  /** @param reserve counts the bytes that are held in memory */
  constructor(spool: Spool, reserve: Reserve) {
    this.#spool = spool
    this.#held = new Accumulator(maxHeld, reserve)
  }

  /** @throws {FailureError} 500 or 503 */
  async append(chunk: Buffer): Promise<void> {
    this.#size += chunk.length
    if (this.#offset === undefined) {
      if (this.#size <= maxHeld && this.#spool.takeMemory(chunk.length))
        return this.#held.add(Buffer.from(chunk))
      this.#offset = this.#spool.length
      await this.#spool.append(this.#held.bytes)
      this.#spool.giveMemory(this.#held.length)
      this.#held.clear()
    }
    await this.#spool.append(chunk)
  }

  complete(head: FileHead): UploadedFile {
    const [spool, size, offset] = [this.#spool, this.#size, this.#offset]
    if (offset === undefined) return heldFile(head, this.#held.bytes)
    return new UploadedFile(head, size, (position, length) => spool.read(offset + position, length))
  }
}

export function heldFile(head: FileHead, bytes: Buffer): UploadedFile {
  return new UploadedFile(head, bytes.length, async (position, length) =>
    bytes.subarray(position, position + length)
  )
}

interface FileHead {
  readonly filename: string | undefined
  /** Empty where the client has sent a malformed one. */
  readonly mediaType: string | undefined
}

type ReadBytes = (position: number, length: number) => Promise<Buffer>

/** A file of a form as its handler receives it. */
export class UploadedFile implements DeclaredFile {
  readonly filename: string | undefined
  readonly mediaType: string | undefined
  readonly size: number
  readonly #read: ReadBytes

  constructor({ filename, mediaType }: FileHead, size: number, read: ReadBytes) {
    this.filename = filename
    this.mediaType = mediaType || undefined
    this.size = size
    this.#read = read
  }

  get [uploadSize](): number {
    return this.size
  }

  stream(): Readable {
    // Without a listener, an error of a stream that nobody reads would end the process.
    return Readable.from(this.#chunks(), { objectMode: false }).on('error', ignore)
  }

  bytes(): Promise<Buffer> {
    return this.#read(0, this.size)
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.size; at += chunkSize)
      yield await this.#read(at, Math.min(chunkSize, this.size - at))
  }
}

function ignore(): void {}
