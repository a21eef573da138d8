/**
 * Fixtures of a smoke test: values of requests that succeed, and credentials that the service accepts. The request of an
 * operation is the one that the contract describes, with these.
 */
import type { ContractCoverage } from '@contract-first/engine/coverage'
import type { Contract, Operation, SecurityScheme } from '@contract-first/engine/model'
import { carried, merged, nothing, type Sent, withCredentials } from '../conformance/credentials.ts'
import type { Draft, DraftBody, Subject, SubjectParameter } from '../instances/requests/draft.ts'
import { type RawRequest, rawRequest } from '../instances/requests/raw-request.ts'

/** Places of a request that hold parameters, by the names of a handler's request. */
type ParameterPlace = 'params' | 'query' | 'headers' | 'cookies'

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
    ? Fixture<Request> | Inherited<Id>
    : never
}

/** A credential for each security scheme, as its security handler gets it. */
export type Credentials<SecurityHandlers> = {
  readonly [Scheme in keyof SecurityHandlers]?: SecurityHandlers[Scheme] extends (
    credential: infer Credential,
    ...rest: never[]
  ) => unknown
    ? Credential | Inherited<Scheme>
    : never
}

/** Every object inherits a function named `constructor`. */
type Inherited<Name> = Name extends keyof typeof Object.prototype ? (typeof Object.prototype)[Name] : never

/** Fixtures without the types of a contract; only own properties count. */
export interface Given {
  readonly fixtures: Readonly<
    Record<string, GivenFixture | Inherited<keyof typeof Object.prototype> | undefined>
  >
  readonly credentials: Readonly<Record<string, unknown>>
  /** Counts what the requests see of the contract. */
  readonly coverage?: Pick<ContractCoverage, 'count'> | undefined
}

export type GivenFixture = { readonly [Place in ParameterPlace]?: Readonly<Record<string, unknown>> } & {
  readonly body?: unknown
}

/**
 * @param made a valid request; undefined where none is found
 * @throws {Unsendable} for a value that no request can carry
 */
export function fixtureRequest(subject: Subject, made: Draft | undefined, given: GivenFixture): RawRequest {
  const body = bodyOf(subject, made, given)
  const raw = rawRequest({ subject, values: valuesOf(subject, made, given), body })
  return body?.value instanceof Uint8Array ? { ...raw, body: Buffer.from(body.value) } : raw
}

const places: Record<SubjectParameter['spec']['in'], ParameterPlace> = {
  path: 'params',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies'
}

function valuesOf({ parameters }: Subject, made: Draft | undefined, given: GivenFixture): readonly unknown[] {
  return parameters.map(({ spec }, index) => {
    if (spec.in === 'querystring') return given.query ?? made?.values[index]
    const values = given[places[spec.in]] ?? {}
    return Object.hasOwn(values, spec.key) ? values[spec.key] : made?.values[index]
  })
}

function bodyOf({ bodies }: Subject, made: Draft | undefined, given: GivenFixture): DraftBody | undefined {
  const of = made?.body?.of ?? bodies[0]
  return of === undefined || given.body === undefined ? made?.body : { of, value: given.body }
}

/** Returns the request with the credentials of the first alternative for which all are given; undefined without one. */
export function authorized(
  raw: RawRequest,
  { security }: Operation,
  { securitySchemes, credentials }: Pick<Contract, 'securitySchemes'> & Pick<Given, 'credentials'>
): RawRequest | undefined {
  if (security.length === 0) return raw
  const alternative = security.find((all) => all.every(({ scheme }) => credentials[scheme] !== undefined))
  if (alternative === undefined) return undefined
  return withCredentials(
    raw,
    merged(alternative.map(({ scheme }) => sentFor(securitySchemes[scheme], credentials[scheme])))
  )
}

function sentFor(scheme: SecurityScheme | undefined, credential: unknown): Sent {
  return scheme === undefined || scheme.type === 'mutualTLS' ? nothing : carried(scheme, textOf(credential))
}

/** Returns the text of a credential; `user:password` of an object. */
function textOf(credential: unknown): string {
  const { username, password } = Object(credential)
  return username === undefined ? String(credential) : `${username}:${password}`
}
