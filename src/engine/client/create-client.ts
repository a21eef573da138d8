/** Makes a client of a contract: one function for each operation, on `fetch`. */
import type { Checker, ClientOperation } from '../model/client-operation.ts'
import type { Contract, SecurityScheme } from '../model/compiled-contract.ts'
import { format } from '../model/format.ts'
import { addCredential, chosenSecurity, type GivenCredential, type GivenSecurity } from './credentials.ts'
import { checkerOf, Problems, RequestMismatch, ResponseMismatch } from './mismatch.ts'
import { checkHeaders, lowerCased, type RequestValues, type WrittenRequest, writeRequest } from './request.ts'
import { type Answer, type AnswerBounds, readResponse, shownText } from './response.ts'

/** Operations by the names that the client gives them. */
export type ClientOperations = Readonly<Record<string, ClientOperation>>

export type TypesOf<Source> = Source extends Contract<infer Types> ? Types : never

/** One function for each operation. */
export type Client<Source> = [TypesOf<Source>] extends [never]
  ? { readonly [Name in keyof Source]: Source[Name] extends ClientOperation<infer Call> ? Call : never }
  : TypesOf<Source> extends { readonly client: infer Calls }
    ? Calls
    : never

type CredentialOf<Handler> = Handler extends (credential: infer Value, ...others: never) => unknown
  ? Value
  : never

/** Credentials by security scheme. */
type GivenFor<Source> = [TypesOf<Source>] extends [never]
  ? GivenSecurity
  : {
      readonly [Name in keyof TypesOf<Source>['security']]?:
        | GivenCredential<CredentialOf<NonNullable<TypesOf<Source>['security'][Name]>>>
        | Inherited<Name>
        | undefined
    }

/** Member that an object without a credential for a scheme of this name inherits. */
type Inherited<Name> = Name extends 'constructor' ? typeof Object.prototype.constructor : never

/** Function with the signature of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions<Security = GivenSecurity> {
  /** URL of the service, with its base path; without one, the origin of the page. */
  readonly baseUrl?: string | URL | undefined
  /** By default the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined
  readonly security?: Security | undefined
  /** Headers of every request; those of a call take precedence. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Largest body of an answer in bytes, decoded; 64 MiB by default. A stream has no bound but that of its items. */
  readonly maxAnswerBytes?: number | undefined
  /** Longest item of a stream in characters; 16 Mi by default. */
  readonly maxItemLength?: number | undefined
}

interface Call extends RequestValues {
  readonly signal?: AbortSignal | undefined
}

/** Returns the operation with its code, which may have to be loaded. */
type Load = () => ClientOperation | Promise<ClientOperation>

/**
 * @param source a contract, whose compiled code is loaded by the first call, or some exports of `generated/client.js`, so
 * that a bundle has no others
 * @throws {Error} for code that another version of the compiler has written
 */
export function createClient<const Source extends Contract | ClientOperations>(
  source: Source,
  options: ClientOptions<GivenFor<Source>> = {}
): Client<Source> {
  const loaders = isContract(source) ? ofContract(source) : Object.entries(source).flatMap(ofOperation)
  const {
    baseUrl = '',
    maxAnswerBytes = 2 ** 26,
    maxItemLength = 2 ** 24,
    ...others
  } = options as ClientOptions
  const settings = { ...others, maxAnswerBytes, maxItemLength, baseUrl: String(baseUrl).replace(/\/+$/, '') }
  const calls = loaders.map(([name, load]) => [name, callOf(load, settings)] as const)
  return Object.fromEntries(calls) as Client<Source>
}

const isContract = (source: Contract | ClientOperations): source is Contract =>
  Array.isArray(source.operations)

function ofContract(contract: Contract): readonly (readonly [string, Load])[] {
  assertFormat(contract)
  const load = async (operationId: string) => (await contract.client())[operationId] as ClientOperation
  return contract.operations.map(({ operationId }) => [operationId, () => load(operationId)])
}

/** Leaves out `$build`, for a client of the whole module. */
function ofOperation([name, operation]: readonly [string, ClientOperation]): readonly (readonly [
  string,
  Load
])[] {
  if (typeof operation === 'string') return []
  assertFormat(operation)
  return [[name, () => operation]]
}

function assertFormat(code: { readonly format: string }): void {
  if (code.format !== format) throw new Error('run contract generate: another version wrote this code')
}

type Settings = ClientOptions &
  AnswerBounds & {
    /** Without a slash at its end. */
    readonly baseUrl: string
  }

/** Most promises of a call are those of `fetch`: a further one costs more than most steps. */
function callOf(load: Load, settings: Settings): (call?: Call) => Promise<Answer> {
  let loaded: (ClientOperation & { readonly checker: Checker }) | undefined
  return async (call = {}) => {
    if (loaded === undefined) {
      const code = await load()
      loaded = { ...code, checker: checkerOf(code) }
    }
    const { operation, features, checker } = loaded
    let broken: unknown
    const onError = (error: unknown) => {
      broken = error
    }
    let response: Response | undefined
    const rejection = (error: unknown, text?: string) =>
      error instanceof Problems && response
        ? new ResponseMismatch(operation.operationId, response, error, text)
        : error
    const { maxAnswerBytes, maxItemLength } = settings
    const chunks: Uint8Array[] = []
    const context = { checker, features, onError, rejection, chunks, maxAnswerBytes, maxItemLength }
    try {
      const request = writeRequest(loaded, call, context)
      response = await sent(loaded, settings, request, call.signal)
      return await readResponse(operation, response, context)
    } catch (error) {
      const text = response && (await shownText(response, context))
      const cause = broken ?? rejection(error, text)
      throw cause instanceof Problems ? new RequestMismatch(operation.operationId, cause) : cause
    }
  }
}

/** Sends the request; once more where a function may give another credential than the one that was refused. */
async function sent(
  { operation, securitySchemes }: ClientOperation,
  { fetch: send = fetch, baseUrl, headers: common, security = {} }: Settings,
  { body, target, headers }: WrittenRequest,
  signal: AbortSignal | undefined
): Promise<Response> {
  const { method, operationId } = operation
  const chosen = chosenSecurity(operation, securitySchemes, security)
  const isStream = body instanceof ReadableStream
  const mayRetry = !isStream && chosen.some(({ scheme }) => typeof security[scheme] === 'function')
  for (let rejected = false; ; rejected = true) {
    const head = { target, headers: { ...lowerCased(common), ...headers } }
    for (const { scheme, scopes } of chosen) {
      const given = security[scheme]
      const isAsked = typeof given === 'function'
      const credential = isAsked ? await given({ operation: operationId, scopes, rejected }) : given
      addCredential(head, securitySchemes[scheme] as SecurityScheme, credential)
    }
    checkHeaders(head.headers)
    // A redirect is a response like any other: declared, or a mismatch. Credentials do not follow it.
    const init: RequestInit = { method, headers: head.headers, redirect: 'manual' }
    if (body !== undefined) init.body = body
    if (isStream) Object.assign(init, { duplex: 'half' })
    if (signal) init.signal = signal
    const response = await send(baseUrl + head.target, init)
    if (response.status !== 401 || rejected || !mayRetry) return response
    await response.body?.cancel()
  }
}
