/**
 * The entry of the smoke test of a project, for development time: a request of each operation, until all have succeeded.
 * Fixtures replace and add values of requests, and credentials are those that the service accepts.
 */
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObject } from '@contract-first/contract'
import { type Credential, createClient, type Fetch } from '@contract-first/engine/client'
import type { ContractCoverage } from '@contract-first/engine/coverage'
import { stringify } from '@contract-first/engine/json'
import type { Contract, Operation, RequestContent } from '@contract-first/engine/model'
import { addCredential, sections } from '@contract-first/engine/steps'
import { compileInMemory } from '../../compiler/compile/in-memory.ts'
import type { Draft, Subject } from '../samples/requests/draft.ts'
import { concrete } from '../samples/requests/raw-request.ts'
import { opensStream } from '../samples/requests/sequence.ts'
import { firstDrafts } from '../samples/requests/valid-drafts.ts'
import { type Call, exchange, type Finding, findingOf, type Limits } from './smoke-exchange.ts'

export type { Finding } from './smoke-exchange.ts'

/** One operation. */
export interface Trial {
  /** Method and path: `POST /pets`. */
  readonly name: string
  /**
   * Calls the operation by a client of the contract, which has the credentials, and ends in a bounded time. The URL of a
   * server stands for a client of it, as in projects of earlier versions.
   */
  readonly run: (client: object | string, limits?: Limits) => Promise<Finding>
}

const usual: Limits = { answerMs: 10_000, itemMs: 1_000, retryMs: 1_000 }

/** Waits less long for a stream, which may have no item for any time. */
const patient = (limits: Limits): Limits => ({ ...limits, answerMs: Math.min(limits.answerMs, 3_000) })

/**
 * Returns a trial of each operation, deletions last: other operations need what they delete.
 * @param contract generated/contract.ts; its files are compiled again
 */
export async function smokeTest(
  contract: Pick<Contract, 'url' | 'sources'>,
  given: Given
): Promise<readonly Trial[]> {
  const pathOf = (source: Contract['sources'][number] | undefined) =>
    fileURLToPath(new URL(String(source?.file), contract.url))
  const file = pathOf(contract.sources[0])
  const module = contract.sources.find(({ formats }) => formats)
  const formats = module && pathOf(module)
  const compiled = await compileInMemory(file, { root: parse(file).root, formats })
  const fixtures: Readonly<Record<string, GivenFixture>> = ownOf(given.fixtures)
  const credentials = ownOf(given.credentials)
  const drafts = [...firstDrafts(compiled, await compiled.contract.load())]
  const isDeletion = ([{ operation }]: (typeof drafts)[number]) => Number(operation.method === 'DELETE')
  return drafts
    .toSorted((a, b) => isDeletion(a) - isDeletion(b))
    .map(([subject, draft]) => ({
      name: subject.name,
      run: (client, limits = usual) => {
        const caller =
          typeof client === 'string' ? clientOf(client, compiled.contract, subject.operation, given) : client
        const call: Call = Reflect.get(caller, subject.operation.operationId)
        const fixture = fixtures[subject.operation.operationId]
        return tried({ subject, draft, fixture, credentials }, call, limits)
      }
    }))
}

/** Returns a client of a server, for one operation, whose calls `coverage` counts. */
function clientOf(baseUrl: string, contract: Contract, operation: Operation, given: Given): object {
  const { credentials, coverage } = given
  const counted: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    const target = url.slice(baseUrl.replace(/\/$/, '').length)
    const contentType = String(response.headers.get('content-type'))
    const headers = Object.fromEntries(new Headers(init.headers))
    coverage?.count(operation, { target, headers, status: response.status, contentType })
    return response
  }
  return createClient(contract, { baseUrl, security: credentials as never, fetch: counted })
}

/** Leaves out what every object inherits: an operation may be named `constructor`. */
const ownOf = (values: object) => Object.assign(Object.create(null), values)

interface Prepared {
  readonly subject: Subject
  readonly draft: Draft | undefined
  readonly fixture: GivenFixture | undefined
  readonly credentials: Given['credentials']
}

async function tried(
  { subject: { operation }, draft, fixture, credentials }: Prepared,
  call: Call,
  limits: Limits
): Promise<Finding> {
  if (draft === undefined && fixture === undefined) {
    const text = `has no request: none is found that is valid; write it into test/fixtures.ts, under ${operation.operationId}`
    return { kind: 'unseen', text }
  }
  const values = callOf(draft, fixture ?? {})
  const exchanged = await exchange(call, values, opensStream(operation) ? patient(limits) : limits)
  return findingOf(operation, values, isAuthorized(operation, credentials), exchanged)
}

/** Places of a call that hold parameters. */
type ParameterPlace = 'params' | 'query' | 'headers' | 'cookies'

/** Values that replace those of the request that is made from the contract, which has no optional parameters. */
type Fixture<Call> = Call extends unknown
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
interface Given {
  readonly fixtures: Readonly<
    Record<string, GivenFixture | Inherited<keyof typeof Object.prototype> | undefined>
  >
  readonly credentials: Readonly<Record<string, unknown>>
  /** Counts the calls of trials that are given a URL. */
  readonly coverage?: Pick<ContractCoverage, 'count'> | undefined
}

type GivenFixture = { readonly [Place in ParameterPlace]?: unknown } & {
  readonly body?: unknown
  readonly contentType?: string | undefined
}

/**
 * Returns the argument of the client's function. Optional parameters are left out: an invented cursor or `If-Match` is
 * rarely one that succeeds.
 * @param made a valid request; undefined where none is found
 */
function callOf(made: Draft | undefined, given: GivenFixture): object {
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
const isAuthorized = ({ security }: Operation, credentials: Given['credentials']): boolean =>
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
