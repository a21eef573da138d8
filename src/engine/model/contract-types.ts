/**
 * Types that every contract shares: generated/types.ts imports and exports those that it names, or holds copies
 * outside of a project with the engine. Therefore this file imports nothing.
 */

/** Members of every request besides those that its operation declares. */
export interface RequestContext<Principal> {
  /** Result of the security handler; undefined if the operation is open. */
  readonly principal: Principal
  /** Id of the request, which is in its log lines. */
  readonly id: string
  /** Address of the client, or the one that a trusted proxy names; empty for a connection that has none. */
  readonly ip: string
  /** Method as sent: HEAD, too, where the operation is a GET. */
  readonly method: string
  /** Path and query as sent, with the prefix. */
  readonly url: string
  /** Path as sent that prefixes the operations, such as `/v1`, for links and `Location`; empty without one. */
  readonly basePath: string
  /** All headers as sent, undeclared ones included. */
  readonly allHeaders: Readonly<Record<string, string | string[] | undefined>>
  /** The logger of this request. */
  readonly log: Logger
  /** Media types of successes that the client accepts, in its order of preference. */
  readonly accepts: readonly string[]
  /** Aborted when the client has disconnected, or the server begins to shut down. */
  readonly signal: AbortSignal
}

/** The operation of a request. */
export interface DeclaredOperation<Id extends string, Method extends string, Path extends string> {
  readonly operationId: Id
  /** Method in upper case. */
  readonly method: Method
  /** Path in the contract: `/things/{id}`. */
  readonly path: Path
  readonly tags: readonly string[]
  /** Its own `x-…`; those of the path item are not inherited. */
  readonly extensions: Readonly<Record<string, unknown>>
}

export interface LogFunction {
  (message: string): void
  (details: object, message?: string): void
}

export interface Logger {
  readonly trace: LogFunction
  readonly debug: LogFunction
  readonly info: LogFunction
  readonly warn: LogFunction
  readonly error: LogFunction
  readonly fatal: LogFunction
}

export interface SecurityContext {
  /** The scopes that the operation requires of this scheme. */
  readonly scopes: readonly string[]
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly ip: string
    readonly log: Logger
  }
}

/** Headers that the contract does not declare. */
export type AnyHeaders = { [name: string]: unknown }

/** Object without members. */
export type None = { readonly [name: string]: never }

/** Bytes that a handler sends. */
export type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** The bytes of a part of a multipart body. */
export type FilePart = Buffer & {
  /** File name that the client sent, without folders; undefined if it sent none. */
  readonly filename: string | undefined
  /** Content-Type of the part, without parameters; undefined if it has none. */
  readonly mediaType: string | undefined
}

export type Readable = import('node:stream').Readable

/** A file of a multipart body with `x-stream`, which can be read until the response ends, any number of times. */
export interface UploadedFile {
  /** File name that the client sent, without folders; undefined if it sent none, or an unsafe one such as `..`. */
  readonly filename: string | undefined
  /** Content-Type of the part, without parameters; undefined if it has none. */
  readonly mediaType: string | undefined
  /** Number of bytes. */
  readonly size: number
  stream(): Readable
  bytes(): Promise<Buffer>
}

/** Headers whose `ETag` a handler may leave out: it is then the digest of the body. */
export type OptionalTag<Headers> = {
  [Name in keyof Headers as Lowercase<Name & string> extends 'etag' ? never : Name]: Headers[Name]
} & {
  [Name in keyof Headers as Lowercase<Name & string> extends 'etag' ? Name : never]?: Headers[Name]
}

export interface SchemaProblem {
  /** `value/items/0/id` */
  readonly place: string
  /** JSON pointer into the value: `/items/0/id`. */
  readonly pointer: string
  readonly keyword: string | undefined
  readonly message: string
}

/** One component schema, for the values of one side. */
export interface SchemaCodec<Value> {
  /**
   * Parses and validates a JSON text; int64 become bigints, and undeclared properties stay.
   * @param text text, or its bytes in UTF-8
   * @throws {SchemaMismatch} for a text that is not JSON, and with the problems of a value that breaks the schema
   */
  parse(text: string | Uint8Array): Value
  /** @returns the problems of a value, at most twenty; an empty list for a valid one */
  check(value: unknown): readonly SchemaProblem[]
  /**
   * Writes the declared properties of a value as JSON, int64 to the digit.
   * @throws {SchemaMismatch} with the problems of a value that breaks the schema
   */
  stringify(value: Value): string
}

/** Members of every call of a client. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Value of the header Accept; by default all media types that the operation declares. */
  readonly accept?: string | undefined
}

/** Answer of one status. Headers have their names in lower case; undeclared ones are texts. */
export interface Answer<Status, Declared extends { headers: unknown }, MediaType, Body> {
  readonly status: Status
  readonly headers: {
    readonly [Name in keyof Declared['headers'] as Lowercase<Name & string>]: Declared['headers'][Name]
  }
  readonly body: Body
  readonly mediaType: MediaType
}

/** An operation as `createClient` takes it. */
export interface ClientOperation<Call> {
  readonly format: string
  readonly operation: never
  readonly accept: string
  readonly securitySchemes: never
  readonly validators: never
  readonly features: never
  readonly call?: Call | undefined
}

/** Content of a body or a file that a client sends. */
export type SentBytes =
  | Uint8Array<ArrayBuffer>
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** A file that a client sends; also one that a handler has received. */
export type SentFile =
  | SentBytes
  | {
      readonly content: SentBytes
      readonly filename?: string | undefined
      readonly mediaType?: string | undefined
    }
  | { readonly filename: string | undefined; readonly mediaType: string | undefined; stream(): SentBytes }

export type SentField<Field> = Field extends FilePart | { stream(): unknown }
  ? SentFile
  : Field extends readonly (infer Item)[]
    ? readonly SentField<Item>[]
    : Field

export type SentForm<Form> = { readonly [Name in keyof Form]: SentField<Form[Name]> }

/** Members of every call of a sender. */
export interface SendOptions {
  /** Makes the request safe to repeat: it is the header Idempotency-Key. */
  readonly idempotencyKey?: string | undefined
  /** True if the receiver takes a repeated request as one. */
  readonly retry?: boolean | undefined
}

/** Request and response of a service, from which the target of a callback is read; a handler's have these members. */
export interface AnsweredExchange {
  readonly request: {
    readonly method?: string
    /** Path and query, or the whole URL. */
    readonly url?: string
    readonly params?: object
    readonly query?: unknown
    readonly headers?: object | undefined
    readonly allHeaders?: object
    readonly body?: unknown
  }
  readonly response?: {
    readonly status?: number
    readonly headers?: object | undefined
    readonly body?: unknown
  }
}

export interface ToUrl {
  readonly url: string | URL
  readonly on?: undefined
}

export interface OnExchange {
  readonly on: AnsweredExchange
  readonly url?: undefined
}
