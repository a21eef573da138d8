/** Types that the handlers of all contracts share. */
export const handlerPrelude = `/** Members of every request besides those that its operation declares. */
export interface RequestContext<Principal> {
    /** Result of the security handler; undefined if the operation is open. */
    readonly principal: Principal;
    /** Id of the request, which is in its log lines. */
    readonly id: string;
    /** Address of the client, or the one that a trusted proxy names. */
    readonly ip: string;
    /** Method as sent: HEAD, too, where the operation is a GET. */
    readonly method: string;
    /** Path and query as sent. */
    readonly url: string;
    /** Path as sent that prefixes the operations, such as \`/v1\`, for links and \`Location\`; empty without one. */
    readonly basePath: string;
    /** All headers as sent, undeclared ones included. */
    readonly allHeaders: Readonly<Record<string, string | string[] | undefined>>;
    /** The logger of this request. */
    readonly log: Logger;
    /** Media types of successes that the client accepts, in its order of preference. */
    readonly accepts: readonly string[];
    /** Aborted when the client has disconnected, or the server begins to shut down. */
    readonly signal: AbortSignal;
}
export interface DeclaredOperation<Id extends string, Method extends string, Path extends string> {
    readonly operationId: Id;
    readonly method: Method;
    readonly path: Path;
    readonly tags: readonly string[];
    /** Its own \`x-…\`; those of the path item are not inherited. */
    readonly extensions: Readonly<Record<string, unknown>>;
}
export interface LogFunction {
    (message: string): void;
    (details: object, message?: string): void;
}
export interface Logger {
    readonly trace: LogFunction;
    readonly debug: LogFunction;
    readonly info: LogFunction;
    readonly warn: LogFunction;
    readonly error: LogFunction;
    readonly fatal: LogFunction;
}
export interface SecurityContext {
    /** The scopes that the operation requires of this scheme. */
    readonly scopes: readonly string[];
    readonly request: {
        readonly method: string;
        readonly url: string;
        readonly headers: Readonly<Record<string, string | string[] | undefined>>;
        readonly ip: string;
        readonly log: Logger;
    };
}
/** Headers that the contract does not declare. */
export type AnyHeaders = { [name: string]: unknown };
export type None = { readonly [name: string]: never };
export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;`

/** Types of the parts of forms. */
export const formPrelude = `/** The bytes of a part of a multipart body. */
export type FilePart = Buffer & {
    /** File name that the client sent, without folders; undefined if it sent none. */
    readonly filename: string | undefined;
    /** Content-Type of the part, without parameters; undefined if it has none. */
    readonly mediaType: string | undefined;
};`

/** Types of bodies with \`x-stream\`. */
export const streamPrelude = `export type Readable = import("node:stream").Readable;
/** A file of a multipart body with \`x-stream\`, which can be read until the response ends. */
export interface UploadedFile {
    /** File name that the client sent, without folders; undefined if it sent none. */
    readonly filename: string | undefined;
    /** Content-Type of the part, without parameters; undefined if it has none. */
    readonly mediaType: string | undefined;
    /** Number of bytes. */
    readonly size: number;
    stream(): Readable;
    bytes(): Promise<Buffer>;
}`

/** Type of the headers of a response to which the server adds the entity tag. */
export const tagPrelude = `/** Headers whose \`ETag\` a handler may leave out: it is then the digest of the body. */
export type OptionalTag<Headers> = {
    [Name in keyof Headers as Lowercase<Name & string> extends "etag" ? never : Name]: Headers[Name];
} & {
    [Name in keyof Headers as Lowercase<Name & string> extends "etag" ? Name : never]?: Headers[Name];
};`
