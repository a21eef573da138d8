/** Makes the request of an operation: the one that the contract describes, with the values and credentials that are given. */
import type { Contract, Operation, SecurityScheme } from '@contract-first/engine/model'
import { carried, merged, nothing, type Sent, withCredentials } from '../conformance/credentials.ts'
import type { Draft, DraftBody, Subject, SubjectParameter } from '../instances/requests/draft.ts'
import { type RawRequest, rawRequest } from '../instances/requests/raw-request.ts'
import type { Given, GivenFixture, ParameterPlace } from './fixtures.ts'

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
  header: 'headers',
  cookie: 'cookies'
}

function valuesOf({ parameters }: Subject, made: Draft | undefined, given: GivenFixture): readonly unknown[] {
  return parameters.map(({ spec }, index) => {
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
