/** Default export of generated/contract.ts: plain data and loaders. The compiler writes it, the server reads it. */

import type { Build } from './build.ts'
import type { BodyKind } from './media-type.ts'
import type { Formats } from './own-format.ts'
import type { FormFields, ParameterSpec, TextShape } from './parameter.ts'
import type { Int64Plan, Items, RequestBodies } from './value-plans.ts'

/** Types of handlers and security handlers; they exist in the type checker only. */
export interface ContractTypes {
  /** `{ [schemeName]: principal }`; the types of the handlers refer to it as `this['principals']`. */
  readonly principals?: object
  /** `{ [operationId]: (request) => response }` */
  readonly handlers: object
  /** `{ [schemeName]: (credential, context) => principal }` */
  readonly security: object
  /** `{ [operationId]: (call) => Promise<answer> }` */
  readonly client?: object
}

export interface Contract<Types extends ContractTypes = ContractTypes> {
  /** Format of the generated code; the boot refuses any other. */
  readonly format: string
  /** `import.meta.url` of the generated file; `sources` are relative to it. Undefined in a bundle of CommonJS. */
  readonly url: string | undefined
  /** Absent for a contract that was compiled in memory. */
  readonly build?: Build
  /** Every file of the contract as it was compiled, the root file first. */
  readonly sources: readonly Source[]
  readonly title: string
  readonly version: string
  /**
   * Path of the first server URL (OpenAPI 3.1.0, section 4.8.5), such as /v1, below which a service serves the contract by
   * default. Absent for a path that is empty, or that no route can have.
   */
  readonly basePath?: string
  readonly operations: readonly Operation[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  /** Absent when no valid request is found, and in a contract that was compiled in memory. */
  readonly example?: ExampleRequest
  /** Text of the contract as written; for several files, the text of their bundle as YAML. */
  readonly yaml: () => Promise<string>
  /** The compiled validators and serializers by name. */
  readonly load: () => Promise<CompiledCode>
  /** The declared properties of JSON request bodies; only codecs need them. */
  readonly requests: () => Promise<RequestBodies>
  /** The operations by name, each a ClientOperation (client-operation.ts). */
  readonly client: () => Promise<Readonly<Record<string, unknown>>>
  /** Webhooks and callbacks; absent in a contract without any, and in one that was compiled in memory. */
  readonly sender?: SenderCode
  /** Component schemas for values outside HTTP; absent without them, and in a contract that was compiled in memory. */
  readonly schemas?: object
  /** Loads the component schemas, whose functions then return values instead of promises. */
  readonly loadSchemas?: () => Promise<object>
  /** Carrier of the types for the type checker; never set. */
  readonly types?: Types | undefined
}

/** Operations that a service sends. */
export interface SenderCode {
  readonly names: readonly string[]
  /** Loads the operations by name, each a ClientOperation (client-operation.ts), and runtime expressions of targets by name. */
  readonly load: () => Promise<{
    readonly operations: Readonly<Record<string, unknown>>
    readonly targets: Readonly<Record<string, string>>
  }>
}

/** A valid request of one operation, without credentials, for people to paste. */
export interface ExampleRequest {
  readonly operationId: string
  /** Summary of the operation, or its operationId. */
  readonly summary: string
  /** Path with the query. */
  readonly target: string
  /** Headers by their names in the contract, `Content-Type` and `Cookie` included. */
  readonly headers: Readonly<Record<string, string>>
  /** Text, or the parts of a multipart body. */
  readonly body?: string | readonly ExamplePart[]
}

export interface ExamplePart {
  readonly name: string
  readonly text: string
  readonly isFile?: true
  readonly mediaType?: string
}

export interface Source {
  /** URL reference, relative to the contract's `url`. */
  readonly file: string
  /** Digest of the text, hexadecimal. */
  readonly sha256: string
  /** True for the module of the project's own formats. */
  readonly formats?: boolean
}

export interface CompiledCode {
  readonly validators: Readonly<Record<string, Validator>>
  readonly serializers: Readonly<Record<string, (value: unknown) => string>>
  /** Formats of the project's own; absent for a contract without. */
  readonly formats?: Formats
  /** Ids of the builds of the modules, by file; absent for a contract that was compiled in memory. */
  readonly builds?: Build['loaded']
}

/** Returns the compiled code: at once when it is loaded, as a promise before. */
export type LoadCode = () => CompiledCode | Promise<CompiledCode>

export interface Validator {
  /** @param shared keeps the verdicts on parts of one value from call to call; such a call finds no errors */
  (value: unknown, shared?: { run?: unknown }): boolean
  readonly errors?: readonly ValidationError[] | null
}

export interface ValidationError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Record<string, unknown>
}

/** Operation of OpenAPI 3.1.0, section 4.8.10, with every reference resolved and every default filled in. */
export interface Operation {
  readonly operationId: string
  /** Method in upper case. */
  readonly method: string
  /** Path in the contract: `/things/{id}`. */
  readonly path: string
  /** Path in the syntax of Fastify's router: `/things/:id`. */
  readonly url: string
  /** Absent for an operation without tags. */
  readonly tags?: readonly string[]
  /** Members `x-…` of the operation itself, references in them as written; absent for an operation without. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** Alternatives, each a list of schemes that must all be satisfied; an empty list means no security. */
  readonly security: readonly (readonly SecurityRequirement[])[]
  /** Headers of every response: `Deprecation` (RFC 9745), `Sunset` (RFC 8594). */
  readonly notices?: Readonly<Record<string, string>>
  /** Names that the query may have beside declared parameters; absent where it may have any. */
  readonly strictQuery?: readonly string[]
  readonly parameters: readonly ParameterSpec[]
  /** Validator of `{ params, query, headers, cookies }`. */
  readonly validateParameters?: string
  /** Plan of the int64 in parameters that are JSON texts. */
  readonly parametersInt64?: Int64Plan
  readonly requestBody?: RequestBody
  /** Responses by status: `200`, `4XX`, `default`. */
  readonly responses: Readonly<Record<string, Response>>
}

export interface SecurityRequirement {
  readonly scheme: string
  readonly scopes: readonly string[]
}

/**
 * Returns the first alternative of an operation whose credentials a token of the service stands for: bearer tokens; of a
 * contract that has none the first one, because its security handlers may check any credential as a token.
 */
export function tokenAlternative(
  security: readonly (readonly SecurityRequirement[])[],
  schemes: Readonly<Record<string, SecurityScheme>>
): readonly SecurityRequirement[] | undefined {
  if (!Object.values(schemes).some(isBearer)) return security[0]
  return security.find((required) => required.every(({ scheme }) => isBearer(schemes[scheme])))
}

/** Returns true for a scheme whose credential is a bearer token (RFC 6750). */
export function isBearer(scheme: SecurityScheme | undefined): boolean {
  if (scheme?.type === 'http') return scheme.scheme.toLowerCase() === 'bearer'
  return scheme?.type === 'oauth2' || scheme?.type === 'openIdConnect'
}

/** The part of OpenAPI 3.1.0, section 4.8.27, that the engine needs. */
export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'oauth2' | 'openIdConnect' }
  | { readonly type: 'mutualTLS' }

export interface RequestBody {
  readonly required: boolean
  readonly content: readonly RequestContent[]
}

export interface RequestContent extends FormFields {
  /** Declared media type; may be a range such as `image/*`. */
  readonly mediaType: string
  readonly kind: BodyKind
  /** Largest body in bytes; absent where the limit of the server applies. */
  readonly limit?: number
  /** True where the handler reads the body as a stream, or the files of a form as such (`x-stream`). */
  readonly stream?: true
  /** Validator of the body; absent without a schema. */
  readonly validate?: string
  /** Validator of a body of bytes; absent when its length is not limited. */
  readonly validateBytes?: string
  /** Plan of the int64 in the body. */
  readonly int64?: Int64Plan
  /** Items of a sequence; absent for other media types, and for a sequence whose items have no schema. */
  readonly items?: Items
}

/** Key of the size of an uploaded file, by which validators know one: no JSON value has a symbol. */
export const uploadSize: unique symbol = Symbol.for('@contract-first/engine/upload-size')

export interface Response {
  readonly headers: readonly ResponseHeader[]
  readonly content: readonly ResponseContent[]
}

/** Headers of the connection and of message framing, which Node sends: those of a contract have no effect. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  ...['transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer']
])

/** Statuses of responses without a body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Finds the declared response of a status; undefined for a status that is not declared. */
export function declaredResponse(
  operation: Pick<Operation, 'responses'>,
  status: number
): Response | undefined {
  return operation.responses[declaredName(operation, status) ?? '']
}

/** Returns the key of the declared response of a status: exact before class before default (OpenAPI 3.1.0, section 4.8.16.2). */
export function declaredName(
  { responses }: Pick<Operation, 'responses'>,
  status: number
): string | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'default']
  return names.find((candidate) => Object.hasOwn(responses, candidate))
}

export interface ResponseHeader {
  /** Name in lower case. */
  readonly name: string
  readonly required: boolean
  readonly validate?: string
  /** True when declared by `content: application/json`. */
  readonly json?: true
  /** Object: `a=1,b=2` instead of `a,1,b,2` (style simple). */
  readonly explode?: true
  /** Values that the text may spell; absent for a plain text. */
  readonly shape?: TextShape
  /** Plan of the int64 in JSON. */
  readonly int64?: Int64Plan
}

export interface ResponseContent {
  readonly mediaType: string
  readonly kind: BodyKind | undefined
  readonly validate?: string
  readonly serialize?: string
  /** Plan of the int64 in JSON, for clients. */
  readonly int64?: Int64Plan
  /** True where clients read the bytes as a stream (`x-stream`). */
  readonly stream?: true
  /** Items of a sequence; see `RequestContent`. */
  readonly items?: Items
}
