/** Reads forms with `x-stream`: each file goes to memory or disk as it arrives, all other fields are held in memory. */
import type { FastifyReply } from 'fastify'
import type { RequestContent } from '../../model/compiled-contract.ts'
import type { FieldSpec } from '../../model/parameter.ts'
import { FailureError } from '../errors/failure.ts'
import { fieldSpecs } from '../parameters/fields.ts'
import { BodyStream } from './body-stream.ts'
import type { Reserve } from './budget.ts'
import {
  addPart,
  type PartHead,
  type PartHeaders,
  type Parts,
  partHead,
  partParser,
  type SentPart,
  SentParts
} from './multipart.ts'
import { checkPart, isFile } from './parts.ts'
import { Accumulator } from './payload.ts'
import type { UploadFolder } from './upload-folder.ts'
import { ArrivingFile, heldFile, Spool } from './uploads.ts'

/** A form, and the bounds of what it takes. */
export interface StreamedForm {
  readonly content: RequestContent
  /** Longest body in bytes. */
  readonly limit: number
  /** Bytes of all headers and of the fields that are not files, and those of the files that are kept in memory. */
  readonly maxHeld: number
  readonly folder: UploadFolder
  readonly reserve: Reserve
}

/** @throws {FailureError} 400, 408, 413, 415, 500 or 503 */
export async function streamedParts(reply: FastifyReply, form: StreamedForm): Promise<Parts> {
  const sent = new SentParts(await partParser(reply.request))
  const parts = new ArrivingParts(sent, form, new Spool(form.folder, reply, form.maxHeld))
  const stream = new BodyStream(reply, form.limit)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await sent.write(chunk)
    if (await parts.store()) stream.release()
    if (parts.isHolding) stream.hold(() => 'a field of the body')
    else stream.release()
  }
  await sent.end()
  return await parts.complete()
}

interface StoredPart {
  readonly append: (chunk: Buffer) => Promise<void> | void
  readonly addTo: (parts: Parts) => void
  readonly isFile: boolean
}

/** Parts in the order of their arrival, in which they are stored. */
class ArrivingParts {
  readonly #sent: SentParts
  readonly #form: StreamedForm
  readonly #spool: Spool
  readonly #stored = new Map<SentPart, StoredPart>()
  /** Index of the first part that is not stored completely. */
  #next = 0
  #heldBytes = 0

  constructor(sent: SentParts, form: StreamedForm, spool: Spool) {
    this.#sent = sent
    this.#form = form
    this.#spool = spool
  }

  /** True while a part arrives that is not a file. */
  get isHolding(): boolean {
    const part = this.#sent.list[this.#next]
    return part !== undefined && this.#stored.get(part)?.isFile !== true
  }

  /**
   * Stores what has arrived.
   * @returns true if that was the end of a part
   */
  async store(): Promise<boolean> {
    const { list } = this.#sent
    const first = this.#next
    for (let part = list[this.#next]; part !== undefined; part = list[this.#next]) {
      // The headers of a part without bytes may not have arrived.
      if (part.chunks.length > 0 || part.isComplete) {
        const stored = this.#storedOf(part)
        for (const chunk of part.chunks.splice(0)) await stored.append(chunk)
      }
      if (!part.isComplete) break
      this.#next++
    }
    return this.#next > first
  }

  /** Must be called when the parser has finished. */
  async complete(): Promise<Parts> {
    const parts: Parts = new Map()
    await this.store()
    for (const part of this.#sent.list) this.#storedOf(part).addTo(parts)
    return parts
  }

  #storedOf(part: SentPart): StoredPart {
    const stored = this.#stored.get(part) ?? this.#begun(part.headers)
    this.#stored.set(part, stored)
    return stored
  }

  /** @throws {FailureError} 415 for a media type that is not declared */
  #begun(headers: PartHeaders): StoredPart {
    const { content, reserve } = this.#form
    const { name, ...head } = partHead(headers)
    const headerBytes = Object.entries(headers).flat(2).join('').length
    this.#count(headerBytes)
    reserve(headerBytes)
    const spec = fieldSpecs([name], content).find(({ key }) => key === name)
    checkPart(name, head, spec)
    if (!isFile(head, spec)) return this.#field(name, head, spec)
    const file = new ArrivingFile(this.#spool, reserve)
    return {
      isFile: true,
      append: (chunk) => file.append(chunk),
      addTo: (parts) => addPart(parts, name, { ...head, bytes: noBytes, file: file.complete(head) })
    }
  }

  #field(name: string, head: PartHead, spec: FieldSpec | undefined): StoredPart {
    const held = new Accumulator(this.#form.maxHeld, this.#form.reserve)
    return {
      isFile: false,
      append: (chunk) => {
        this.#count(chunk.length)
        held.add(Buffer.from(chunk))
      },
      addTo: (parts) => {
        const { bytes } = held
        addPart(parts, name, { ...head, bytes, ...(spec?.bytes && { file: heldFile(head, bytes) }) })
      }
    }
  }

  /** @throws {FailureError} `body-too-large` */
  #count(bytes: number): void {
    this.#heldBytes += bytes
    if (this.#heldBytes > this.#form.maxHeld) throw fieldsTooLarge(this.#form.maxHeld)
  }
}

const noBytes = Buffer.alloc(0)

function fieldsTooLarge(maxHeld: number): FailureError {
  const message = `the fields of the body that are not files are larger than ${maxHeld} bytes`
  return new FailureError('body-too-large', { message })
}
