/** Operations as a client is given them: exports of generated/client.js. */

import type {
  CompiledCode,
  Operation,
  RequestContent,
  ResponseHeader,
  SecurityScheme
} from './compiled-contract.ts'
import type { BodyKind } from './media-type.ts'
import type { FormFields } from './parameter.ts'
import type { Int64Plan, Items } from './value-plans.ts'

export interface ClientOperation<Call = unknown> {
  /** Format of the generated code. */
  readonly format: string
  readonly operation: Operation
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** Media types of the responses: the value of the header Accept. */
  readonly accept: string
  readonly validators: CompiledCode['validators']
  readonly formats?: CompiledCode['formats'] | undefined
  readonly features: ClientFeatures
  /** Carrier of the type; never set. */
  readonly call?: Call | undefined
}

/** Checks values of one operation. */
export interface Checker {
  readonly validators: CompiledCode['validators']
  readonly formats?: CompiledCode['formats'] | undefined
  /**
   * Validates a value; every value is valid without a validator.
   * @param place place of the value: `body/7`
   * @throws {Error} that `problem` makes
   */
  readonly check: (validator: string | undefined, value: unknown, place: string) => void
  /** Returns an error, which the client turns into a RequestMismatch or a ResponseMismatch. */
  readonly problem: (place: string, message: string, cause?: unknown) => Error
}

/** Body that `fetch` takes. */
export type SentBody = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | ReadableStream<Uint8Array>

export interface JsonReading {
  readonly validate?: string | undefined
  readonly int64?: Int64Plan | undefined
  /** Kind of the body; `text` is no JSON. */
  readonly kind?: BodyKind | undefined
  /** Place of the value. */
  readonly place: string
}

export interface ItemReading {
  readonly checker: Checker
  /** Makes the error that the reader of the items gets. */
  readonly rejection: (error: unknown) => unknown
  /** Longest item in characters. */
  readonly maxItemLength: number
}

/** Bytes of a response. */
export type Chunks = ReadableStream<Uint8Array> | null

/**
 * Parts of the client that few operations need. The compiler adds them to the operations that do, so that a bundle has no
 * others. `onError` receives the error of a body that is written while it is sent.
 */
export interface ClientFeatures {
  /** Returns the kind of a media type within a declared range. */
  readonly kindOf?: (mediaType: string) => BodyKind | undefined
  /** Writes a urlencoded form, which is a body or a whole query. */
  readonly form?: (form: FormFields, value: unknown, place: string, checker: Checker) => string
  /** Checks and writes a multipart body. */
  readonly multipart?: (
    content: RequestContent,
    body: unknown,
    checker: Checker,
    onError: (error: unknown) => void
  ) => { readonly contentType: string; readonly body: SentBody }
  /** Writes bytes and streams of them; undefined for any other value. */
  readonly bytes?: (body: unknown, onError: (error: unknown) => void) => SentBody | undefined
  /** Checks and writes a sequence. */
  readonly writeItems?: (
    items: Items,
    body: unknown,
    checker: Checker,
    onError: (error: unknown) => void
  ) => SentBody
  /** Reads a sequence. */
  readonly readItems?: (items: Items, chunks: Chunks, reading: ItemReading) => AsyncIterable<unknown>
  /** Reads JSON with int64. */
  readonly exactJson?: (text: string, reading: JsonReading, checker: Checker) => unknown
  /** Writes values of the project's own formats as texts. */
  readonly wire?: <Value>(value: Value, checker: Checker) => Value
  /** Reads a header that is more than a text; `lines` are those of `set-cookie`. */
  readonly header?: (
    header: ResponseHeader,
    text: string,
    checker: Checker,
    lines: readonly string[]
  ) => unknown
}
