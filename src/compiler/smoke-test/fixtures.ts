/** Types of the fixtures of a smoke test: values of requests that succeed, and credentials that the service accepts. */

/** Places of a request that hold parameters, by the names of a handler's request. */
export type ParameterPlace = 'params' | 'query' | 'headers' | 'cookies'

/** Values that replace those of the request that is made from the contract; undefined leaves a parameter out. */
export type Fixture<Request> = {
  readonly [Place in ParameterPlace & keyof Request]?: {
    readonly [Name in keyof Request[Place]]?: Request[Place][Name] | undefined
  }
} & {
  /** The body as the contract describes it; a file is its text or its bytes. */
  readonly body?: JsonBody<Request>
}

/** The type of a JSON body; any value for a form, a file or a text. */
type JsonBody<Request> = Request extends { readonly mediaType: infer Type; readonly body: infer Body }
  ? Type extends `${string}json` | undefined
    ? Body
    : unknown
  : unknown

/** Fixtures by operationId, typed by the handlers of the contract. */
export type Fixtures<Handlers> = {
  readonly [Id in keyof Handlers]?: Handlers[Id] extends (request: infer Request) => unknown
    ? Fixture<Request>
    : never
}

/** A credential for each security scheme, as its security handler gets it. */
export type Credentials<SecurityHandlers> = {
  readonly [Scheme in keyof SecurityHandlers]?: SecurityHandlers[Scheme] extends (
    credential: infer Credential,
    ...rest: never[]
  ) => unknown
    ? Credential
    : never
}

/** Fixtures without the types of a contract. */
export interface Given {
  readonly fixtures: Readonly<Record<string, GivenFixture | undefined>>
  readonly credentials: Readonly<Record<string, unknown>>
}

export type GivenFixture = { readonly [Place in ParameterPlace]?: Readonly<Record<string, unknown>> } & {
  readonly body?: unknown
}
