/** Reads forms with `x-stream`: each file goes to memory or disk as it arrives, all other fields are held in memory. */
import type { Dicer } from '@fastify/busboy'
import type { FastifyReply } from 'fastify'
import type { RequestContent } from '../../model/compiled-contract.ts'
import type { FieldSpec } from '../../model/parameter.ts'
import { FailureError } from '../errors/failure.ts'
import { fieldSpecs } from '../parameters/fields.ts'
import { BodyStream } from './body-stream.ts'
import {
  addPart,
  malformed,
  maxParts,
  type PartHead,
  type PartHeaders,
  type Parts,
  partHead,
  partParser,
  tooManyParts
} from './multipart.ts'
import { checkPart, isFile } from './parts.ts'
import { Accumulator, type Reserve } from './read-bytes.ts'
import type { UploadFolder } from './upload-folder.ts'
import { ArrivingFile, heldFile, hold, Spool } from './uploads.ts'

/** A form, and the bounds of what it takes. */
export interface StreamedForm {
  readonly content: RequestContent
  /** Longest body in bytes. */
  readonly limit: number
  /** Bytes of all fields together that are not files. */
  readonly maxHeld: number
  readonly folder: UploadFolder
  readonly reserve: Reserve
}

/** @throws {FailureError} 400, 408, 413, 415, 500 or 503 */
export async function streamedParts(reply: FastifyReply, form: StreamedForm): Promise<Parts> {
  const parser = await partParser(reply.request)
  const parts = new ArrivingParts(parser, form, new Spool(form.folder, reply))
  const finished = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve).on('error', (error) => reject(malformed(error)))
  })
  finished.catch(() => undefined)
  for await (const chunk of new BodyStream(reply, form.limit)) {
    await new Promise((resolve) => parser.write(chunk, resolve))
    await parts.store()
  }
  parser.end()
  await finished
  return await parts.complete()
}

interface ArrivingPart {
  headers: PartHeaders
  /** Bytes that the parser has given and that are not stored yet. */
  readonly chunks: Buffer[]
  isComplete: boolean
  stored?: StoredPart
}

interface StoredPart {
  readonly append: (chunk: Buffer) => Promise<void> | void
  readonly addTo: (parts: Parts) => void
}

/** Parts in the order of their arrival, in which they are stored. */
class ArrivingParts {
  readonly #form: StreamedForm
  readonly #spool: Spool
  readonly #parts: ArrivingPart[] = []
  /** Index of the first part that is not stored completely. */
  #next = 0
  #heldBytes = 0

  constructor(parser: Dicer, form: StreamedForm, spool: Spool) {
    this.#form = form
    this.#spool = spool
    parser.on('part', (stream) => {
      const part: ArrivingPart = { headers: {}, chunks: [], isComplete: false }
      this.#parts.push(part)
      stream
        .on('header', (headers) => {
          part.headers = headers as PartHeaders
        })
        .on('data', (chunk: Buffer) => part.chunks.push(chunk))
        .on('end', () => {
          part.isComplete = true
        })
        // The parser reports the same error.
        .on('error', () => undefined)
    })
  }

  /** Stores what has arrived. */
  async store(): Promise<void> {
    if (this.#parts.length > maxParts) throw tooManyParts()
    for (let part = this.#parts[this.#next]; part !== undefined; part = this.#parts[this.#next]) {
      for (let chunk = part.chunks.shift(); chunk !== undefined; chunk = part.chunks.shift())
        await this.#storedOf(part).append(chunk)
      if (!part.isComplete) return
      this.#next++
    }
  }

  /** Must be called when the parser has finished. */
  async complete(): Promise<Parts> {
    const parts: Parts = new Map()
    await this.store()
    for (const part of this.#parts) this.#storedOf(part).addTo(parts)
    return parts
  }

  /** The headers of a part without bytes may not have arrived. */
  #storedOf(part: ArrivingPart): StoredPart {
    part.stored ??= this.#begun(partHead(part.headers))
    return part.stored
  }

  /** @throws {FailureError} 415 for a media type that is not declared */
  #begun({ name, ...head }: ReturnType<typeof partHead>): StoredPart {
    const { content, reserve } = this.#form
    const spec = fieldSpecs([name], content).find(({ key }) => key === name)
    checkPart(name, head, spec)
    if (!isFile(head, spec)) return this.#field(name, head, spec)
    const file = new ArrivingFile(this.#spool, reserve)
    return {
      append: (chunk) => file.append(chunk),
      addTo: (parts) => addPart(parts, name, { ...head, bytes: noBytes, file: file.complete(head) })
    }
  }

  #field(name: string, head: PartHead, spec: FieldSpec | undefined): StoredPart {
    const { maxHeld, reserve } = this.#form
    const held = new Accumulator(maxHeld, reserve)
    return {
      append: (chunk) => {
        this.#heldBytes += chunk.length
        if (this.#heldBytes > maxHeld) throw fieldsTooLarge(maxHeld)
        hold(held, chunk)
      },
      addTo: (parts) => {
        const { bytes } = held
        addPart(parts, name, { ...head, bytes, ...(spec?.bytes && { file: heldFile(head, bytes) }) })
      }
    }
  }
}

const noBytes = Buffer.alloc(0)

function fieldsTooLarge(maxHeld: number): FailureError {
  const message = `the fields of the body that are not files are larger than ${maxHeld} bytes`
  return new FailureError('body-too-large', { message })
}
