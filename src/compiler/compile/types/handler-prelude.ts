/** Types that the handlers of all contracts share. */
export const handlerPrelude = `/** Members of every request besides those that its operation declares. */
export interface RequestContext<Principal> {
    /** Result of the security handler; undefined if the operation is open. */
    readonly principal: Principal;
    /** The logger of this request. */
    readonly log: Logger;
    /** Media types of successes that the client accepts, in its order of preference. */
    readonly accepts: readonly string[];
    /** Aborted when the client has disconnected. */
    readonly signal: AbortSignal;
}
export interface Logger {
    info(details: object, message?: string): void;
    warn(details: object, message?: string): void;
    error(details: object, message?: string): void;
    debug(details: object, message?: string): void;
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
export type Answer<Response> = Response | Promise<Response>;
export type None = { readonly [name: string]: never };
/** The bytes of a part of a multipart body. */
export type FilePart = Buffer & {
    /** File name that the client sent, without folders; undefined if it sent none. */
    readonly filename: string | undefined;
    /** Content-Type of the part, without parameters; undefined if it has none. */
    readonly mediaType: string | undefined;
};
export type Bytes = Uint8Array | AsyncIterable<Uint8Array>;`
