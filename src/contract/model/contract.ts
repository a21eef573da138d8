/**
 * The model of a contract: one value, made once and never changed, with an origin on every node. Readers see no JSON of
 * the document but values, no reference and no version of OpenAPI. Names follow OpenAPI 3.2.
 */
import type { Framing } from '@contract-first/engine/media-types'
import type { Extensions, Json } from './json.ts'
import type { Origin, Problem } from './origin.ts'
import type { Example, Schema } from './schema.ts'

export interface Contract {
  readonly title: string
  readonly version: string
  readonly description?: string
  readonly servers: readonly Server[]
  readonly tags: readonly Tag[]
  /** Served operations in document order, `additionalOperations` included. */
  readonly operations: readonly Operation[]
  /** Operations that the service sends to registered receivers (`webhooks`). */
  readonly webhooks: readonly Operation[]
  /** Webhooks and callbacks. */
  readonly sent: readonly Operation[]
  /** Requirements of served operations without their own. */
  readonly security: Security
  readonly components: Components
  /** False before OpenAPI 3.1, where 1.0 is not an integer (JSON Schema draft-wright-00, section 3.5). */
  readonly hasWholeFractions: boolean
  /** Every schema below these, in the order in which they were reached. */
  readonly schemas: readonly Schema[]
  readonly extensions: Extensions
  /** Problems outside of schemas; those have their own in `broken`. */
  readonly problems: readonly Problem[]
  readonly origin: Origin
}

/** Components by name. A component that only refers to another one is that one. */
export interface Components {
  readonly schemas: ReadonlyMap<string, Schema>
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly headers: ReadonlyMap<string, Header>
  readonly bodies: ReadonlyMap<string, Body>
  readonly responses: ReadonlyMap<string, Response>
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>
}

export interface Operation {
  /** `operationId`, otherwise a name made of method and path, or of the name of the webhook or callback. */
  readonly id: string
  /** False for a made id, which never joins the operations of two contracts. */
  readonly isNamed: boolean
  /** Method as it is sent; it is case-sensitive (RFC 9110, section 9.1). */
  readonly method: string
  /** Key of its path item: a path template, the name of a webhook, or the runtime expression of its first callback. */
  readonly path: string
  readonly pathItem: PathItem
  /** `sent` for webhooks and callbacks. */
  readonly direction: 'served' | 'sent'
  /** Its own, then those of the path item that it does not override; headers that OpenAPI ignores are left out. */
  readonly parameters: readonly Parameter[]
  readonly body?: Body
  readonly responses: ReadonlyMap<StatusRange, Response>
  readonly callbacks: readonly Callback[]
  /** Sent operations have their own or none. */
  readonly security: Security
  readonly servers: readonly Server[]
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated: boolean
  readonly extensions: Extensions
  readonly origin: Origin
}

/** An operation that the service sends because of another one; two callbacks may have the same one. */
export interface Callback {
  readonly name: string
  /** Runtime expression of its URL (OpenAPI 3.2.0, section 4.18.2). */
  readonly expression: string
  readonly operation: Operation
}

export interface PathItem {
  readonly summary?: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly component?: string
  readonly extensions: Extensions
  readonly origin: Origin
}

/** `200`, `4XX` or `default`. */
export type StatusRange = string

export type Location = 'path' | 'query' | 'querystring' | 'header' | 'cookie'
export type Style =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie'

export interface Parameter {
  readonly name: string
  readonly in: Location
  readonly required: boolean
  readonly deprecated: boolean
  readonly style: Style
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly allowEmptyValue: boolean
  readonly schema?: Schema
  /** Set instead of `schema` for a value with a media type. */
  readonly content?: Content
  /** The nearest default in the composition of its schema. It may not be valid. */
  readonly default?: Json
  readonly examples: readonly Example[]
  readonly component?: string
  readonly description?: string
  readonly extensions: Extensions
  readonly origin: Origin
}

export interface Body {
  readonly required: boolean
  readonly contents: readonly Content[]
  readonly component?: string
  readonly description?: string
  readonly extensions: Extensions
  readonly origin: Origin
}

/** One node for all operations and statuses that refer to it; so it has no status. */
export interface Response {
  readonly summary?: string
  readonly description?: string
  /** Headers by name; `Content-Type` is ignored (OpenAPI 3.2.0, section 4.17). */
  readonly headers: ReadonlyMap<string, Header>
  readonly contents: readonly Content[]
  readonly links: readonly Link[]
  readonly component?: string
  readonly extensions: Extensions
  readonly origin: Origin
}

export interface Header {
  readonly required: boolean
  readonly deprecated: boolean
  readonly explode: boolean
  readonly schema?: Schema
  readonly content?: Content
  readonly examples: readonly Example[]
  readonly component?: string
  readonly description?: string
  readonly extensions: Extensions
  readonly origin: Origin
}

/**
 * Way to read and write a body; that of a range suits all of its members. `xml` stands for structured types that the
 * engine does not parse, `none` for a key that matches no media type.
 */
export type ContentKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes' | 'xml' | 'none'

/** Encodings of the parts of a body (OpenAPI 3.2.0, section 4.14.5). */
export interface PartEncodings {
  /** Encodings by the name of the field. */
  readonly fields: ReadonlyMap<string, Encoding>
  /** Encodings of the first parts, by position. */
  readonly prefixEncodings: readonly Encoding[]
  /** Encoding of the parts after those. */
  readonly itemEncoding?: Encoding
}

/** A Media Type Object. */
export interface Content extends PartEncodings {
  readonly mediaType: string
  /** True for a media range: the media type of the message decides. */
  readonly isRange: boolean
  readonly kind: ContentKind
  readonly schema?: Schema
  /** Schema of each item (`itemSchema`, OpenAPI 3.2.0, section 4.14.3). */
  readonly item?: Schema
  /** Set for a body that is read and written item by item. */
  readonly sequence?: Sequence
  /** True when handlers get bytes or files as streams (`x-stream`). */
  readonly isStreamed: boolean
  /** Largest body in bytes (`x-body-limit` of the content, its body or its operation). */
  readonly limit?: number
  readonly examples: readonly Example[]
  readonly extensions: Extensions
  readonly origin: Origin
}

export interface Sequence {
  readonly framing: Framing
  readonly item: Schema
  /** True when an item is an event with its fields, false when it is the data of one. */
  readonly isEvent: boolean
}

/** An Encoding Object. An absent style is not the default one: the content type decides then. A part may hold others. */
export interface Encoding extends PartEncodings {
  readonly contentTypes: readonly string[]
  readonly style?: string
  readonly explode?: boolean
  readonly allowReserved?: boolean
  readonly headers: ReadonlyMap<string, Header>
  readonly extensions: Extensions
  readonly origin: Origin
}

export interface Link {
  readonly name: string
  /** Operation as the contract names it: by its id, or by a reference. */
  readonly target?: string
  /** Undefined when it leads to no operation of this contract. */
  readonly operation?: Operation
  /** Constants or runtime expressions (OpenAPI 3.2.0, section 4.20.4) by the name of the parameter. */
  readonly parameters: ReadonlyMap<string, LinkValue>
  readonly body?: LinkValue
  readonly origin: Origin
}

export type LinkValue = { readonly value: Json } | { readonly expression: string }

/** Alternatives, each with requirements that all apply. */
export type Security = readonly (readonly SecurityRequirement[])[]

export interface SecurityRequirement {
  readonly scheme: SecurityScheme
  readonly scopes: readonly string[]
  readonly origin: Origin
}

export interface SecurityScheme {
  readonly key: string
  /** `undeclared` for a requirement of a scheme that the contract lacks: no credentials satisfy it. */
  readonly type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect' | 'undeclared'
  /** Authentication scheme of HTTP: `bearer`. */
  readonly scheme?: string
  readonly bearerFormat?: string
  /** Place and name of an API key. */
  readonly in?: 'query' | 'header' | 'cookie'
  readonly parameter?: string
  readonly openIdConnectUrl?: string
  readonly flows: ReadonlyMap<string, Flow>
  readonly description?: string
  readonly deprecated: boolean
  readonly extensions: Extensions
  readonly origin: Origin
}

export interface Flow {
  readonly authorizationUrl?: string
  readonly deviceAuthorizationUrl?: string
  readonly tokenUrl?: string
  readonly refreshUrl?: string
  readonly scopes: ReadonlyMap<string, string>
}

export interface Server {
  readonly url: string
  readonly name?: string
  readonly description?: string
  readonly variables: ReadonlyMap<string, ServerVariable>
  readonly origin: Origin
}

export interface ServerVariable {
  readonly default: string
  readonly enum?: readonly string[]
}

export interface Tag {
  readonly name: string
  readonly summary?: string
  readonly description?: string
  readonly parent?: string
  readonly kind?: string
  readonly extensions: Extensions
  readonly origin: Origin
}
