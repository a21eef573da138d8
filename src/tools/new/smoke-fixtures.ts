/**
 * Fixtures of a smoke test: values of requests that succeed, and credentials that the service accepts. The request of an
 * operation is the one that the contract describes, with these.
 */
import { isObject } from '@contract-first/contract'
import type { Credential } from '@contract-first/engine/client'
import type { ContractCoverage } from '@contract-first/engine/coverage'
import { stringify } from '@contract-first/engine/json'
import type { Contract, Operation, RequestContent } from '@contract-first/engine/model'
import { addCredential, sections } from '@contract-first/engine/steps'
import type { Draft } from '../samples/requests/draft.ts'
import { concrete } from '../samples/requests/raw-request.ts'

/** Places of a call that hold parameters. */
type ParameterPlace = 'params' | 'query' | 'headers' | 'cookies'

/** Values that replace those of the request that is made from the contract, which has no optional parameters. */
export type Fixture<Call> = Call extends unknown
  ? {
      readonly [Place in ParameterPlace & keyof Call]?: Replacing<NonNullable<Call[Place]>>
    } & Partial<Pick<Call, Extract<keyof Call, 'body' | 'contentType'>>>
  : never

/** Some of the parameters; a query that is one value as a whole. */
type Replacing<Values> = Values extends object
  ? { readonly [Name in keyof Values]?: Values[Name] | undefined }
  : Values

/** Fixtures by operationId, with the types of the contract's client. */
export type Fixtures<Client> = {
  readonly [Id in keyof Client]?: Client[Id] extends (...args: infer Args) => unknown
    ? Fixture<NonNullable<Args[0]>> | Inherited<Id>
    : never
}

/** A credential for each security scheme, as its security handler gets it. */
export type Credentials<SecurityHandlers> = {
  readonly [Scheme in keyof SecurityHandlers]?: CredentialOf<SecurityHandlers[Scheme], Scheme>
}

/** Without a scheme, the type of a contract's security handlers has members of type never. */
type CredentialOf<Handler, Scheme> = [Handler] extends [never]
  ? never
  : Handler extends (credential: infer Credential, ...rest: never[]) => unknown
    ? Credential | Inherited<Scheme>
    : never

/** Every object inherits a function named `constructor`. */
type Inherited<Name> = Name extends keyof typeof Object.prototype ? (typeof Object.prototype)[Name] : never

/** Fixtures without the types of a contract; only own properties count. */
export interface Given {
  readonly fixtures: Readonly<
    Record<string, GivenFixture | Inherited<keyof typeof Object.prototype> | undefined>
  >
  readonly credentials: Readonly<Record<string, unknown>>
  /** Counts the calls of trials that are given a URL. */
  readonly coverage?: Pick<ContractCoverage, 'count'> | undefined
}

export type GivenFixture = { readonly [Place in ParameterPlace]?: unknown } & {
  readonly body?: unknown
  readonly contentType?: string | undefined
}

/**
 * Returns the argument of the client's function. Optional parameters are left out: an invented cursor or `If-Match` is
 * rarely one that succeeds.
 * @param made a valid request; undefined where none is found
 */
export function callOf(made: Draft | undefined, given: GivenFixture): object {
  const groups = places.map((place) => [place, replaced(madeIn(place, made), given[place])] as const)
  const { body, contentType } = given
  return {
    ...Object.fromEntries(groups.filter(([, values]) => !isObject(values) || Object.keys(values).length > 0)),
    ...(body === undefined ? bodyOf(made) : { body, ...(contentType && { contentType }) })
  }
}

const places = ['params', 'query', 'headers', 'cookies'] as const satisfies readonly ParameterPlace[]

/** A fixture replaces parameters by their names, but a query that is one value as a whole. */
function replaced(made: unknown, fixture: unknown): unknown {
  if (fixture === undefined) return made
  return isObject(made) && isObject(fixture) ? { ...made, ...fixture } : fixture
}

/** Returns the required parameters of a place by their names; the value of the whole query for one `in: querystring`. */
function madeIn(place: ParameterPlace, made: Draft | undefined): unknown {
  const values: Record<string, unknown> = {}
  for (const [index, { spec }] of (made?.subject.parameters ?? []).entries()) {
    const value = made?.values[index]
    if (!spec.required || sections[spec.in] !== place || value === undefined) continue
    if (spec.in === 'querystring') return value
    Object.assign(values, { [spec.key]: value })
  }
  return values
}

function bodyOf(made: Draft | undefined): object {
  if (made?.body === undefined) return {}
  const { of, value } = made.body
  return { body: sentBody(of.content, value), contentType: concrete(of.content.mediaType) }
}

/** Texts and bytes are made as values of any type. */
function sentBody({ kind, items }: RequestContent, value: unknown): unknown {
  const isText = items === undefined && (kind === 'text' || kind === 'binary')
  return isText && typeof value !== 'string' ? stringify(value) : value
}

/** Returns whether all credentials of an alternative are given. */
export const isAuthorized = ({ security }: Operation, credentials: Given['credentials']): boolean =>
  security.length === 0 ||
  security.some((all) => all.every(({ scheme }) => credentials[scheme] !== undefined))

/** Returns the options of `contract conformance` that send the credentials. */
export function credentialOptions(
  { securitySchemes }: Pick<Contract, 'securitySchemes'>,
  credentials: Given['credentials']
): string[] {
  const head = { target: '', headers: {} }
  for (const [name, scheme] of Object.entries(securitySchemes))
    if (scheme.type !== 'mutualTLS' && Object.hasOwn(credentials, name))
      addCredential(head, scheme, credentials[name] as Credential)
  // The query is sent by a token, which is the same for all schemes.
  const tokens = [...new URLSearchParams(head.target.slice(1)).values()].slice(0, 1)
  return [
    ...Object.entries(head.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...tokens.flatMap((token) => ['--token', token])
  ]
}
