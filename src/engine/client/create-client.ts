/** Makes a client of a contract: one function for each operation, on `fetch`. */
import type { Checker, ClientOperation } from '../model/client-operation.ts'
import type { Contract } from '../model/compiled-contract.ts'
import { format } from '../model/format.ts'
import type { Client, ClientOperations, ClientOptions, GivenFor } from './client-types.ts'
import { chosenSecurity, withCredentials } from './credentials.ts'
import { checkerOf, Problems, RequestMismatch, ResponseMismatch } from './mismatch.ts'
import { type RequestValues, type WrittenRequest, writeRequest } from './request.ts'
import { type Answer, readResponse } from './response.ts'

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
  const calls = loaders.map(([name, load]) => {
    let ready: Ready | undefined
    const call = async (values: Call = {}) => {
      ready ??= prepared(await load())
      return answered(ready, options as ClientOptions, values)
    }
    return [name, call] as const
  })
  return Object.fromEntries(calls) as Client<Source>
}

interface Ready extends ClientOperation {
  readonly checker: Checker
}

const prepared = (operation: ClientOperation): Ready => ({ ...operation, checker: checkerOf(operation) })

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

async function answered(client: Ready, options: ClientOptions, call: Call): Promise<Answer> {
  const { operation, features, checker } = client
  let broken: unknown
  const onError = (error: unknown) => {
    broken = error
  }
  try {
    const request = writeRequest(client, call, { checker, features, onError })
    const response = await sent(client, options, { request, signal: call.signal })
    return await answerOf(client, response)
  } catch (error) {
    const cause = broken ?? error
    throw cause instanceof Problems ? new RequestMismatch(operation.operationId, cause) : cause
  }
}

async function answerOf({ operation, features, checker }: Ready, response: Response): Promise<Answer> {
  const rejection = (error: unknown) =>
    error instanceof Problems ? new ResponseMismatch(operation.operationId, response.status, error) : error
  try {
    return await readResponse(operation, response, { checker, features, rejection })
  } catch (error) {
    if (!response.bodyUsed) await response.body?.cancel().catch(() => undefined)
    throw rejection(error)
  }
}

interface Sending {
  readonly request: WrittenRequest
  readonly signal: AbortSignal | undefined
}

/** Sends the request; once more where a function may give another credential than the one that was refused. */
async function sent(
  { operation, securitySchemes }: ClientOperation,
  options: ClientOptions,
  { request: { body, ...head }, signal }: Sending
): Promise<Response> {
  const { fetch: send = fetch, baseUrl = '', headers: common, security = {} } = options
  const chosen = chosenSecurity(operation, securitySchemes, security)
  const { method, operationId } = operation
  const isStream = body instanceof ReadableStream
  const attempt = async (rejected: boolean): Promise<Response> => {
    const { target, headers } = await withCredentials(head, chosen, { operationId, rejected })
    return send(`${String(baseUrl).replace(/\/+$/, '')}${target}`, {
      method,
      headers: { ...common, ...headers },
      // A redirect is a response like any other: declared, or a mismatch. Credentials do not follow it.
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(isStream && { duplex: 'half' }),
      ...(signal && { signal })
    })
  }
  const response = await attempt(false)
  const mayRetry = !isStream && chosen.some(({ given }) => typeof given === 'function')
  if (response.status !== 401 || !mayRetry) return response
  await response.body?.cancel()
  return attempt(true)
}
