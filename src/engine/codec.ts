/** Entry point of one operation's codec, which reads and writes its JSON bodies as the server does. */
import { basename } from 'node:path'
import {
  type CompiledCode,
  type Contract,
  type ContractTypes,
  declaredResponse,
  type RequestContent
} from './model/compiled-contract.ts'
import { declaredOnly } from './runtime/serializers.ts'
import { wireValues } from './runtime/wire-values.ts'
import { checkedJson, readJson } from './schemas/component-schemas.ts'
import { bodyMismatch, decodeUtf8, malformedBody } from './server/body/parse.ts'
import { BootError, checkBuild } from './server/boot-checks.ts'
import { depthFailure } from './server/errors/failure.ts'

export { isSameValue } from './json/exact-values.ts'
export { exactStringify } from './runtime/serializers.ts'

type RequestOf<Handler> = Handler extends (request: infer Request) => unknown ? Request : never
type ResponseOf<Handler> = Handler extends (request: never) => infer Response ? Awaited<Response> : never
type Json = `${string}json${string}`

/** Types of one operation, derived from the type of its handler. */
export type OperationIds<Types extends ContractTypes> = keyof Types['handlers'] & string
export type MediaTypes<Handler> = Extract<RequestOf<Handler>, { readonly mediaType: Json }>['mediaType']
export type RequestBody<Handler, MediaType> =
  Extract<RequestOf<Handler>, { readonly mediaType: MediaType }> extends { readonly body: infer Body }
    ? Body
    : never
export type Statuses<Handler> = Extract<ResponseOf<Handler>, { status: number }>['status']
export type ResponseBody<Handler, Status> =
  ResponseOf<Handler> extends infer Response
    ? Response extends { readonly status: infer Each; readonly body: infer Body }
      ? Status extends Each
        ? Body
        : never
      : never
    : never

/** Bodies that a codec reads and writes. */
export interface CodecOf<OperationId, MediaType, Status> {
  readonly operationId: OperationId
  /** Media type of the request body. */
  readonly mediaType: MediaType
  /** Status of the response. */
  readonly status: Status
  /** File that loads the codec; a BootError names it. */
  readonly file: string
}

export interface OperationCodec<Body, Response> {
  /** SHA-256 of the schema of the request body; annotations and the order of keys do not change it. */
  readonly digest: string
  /**
   * Parses and validates a request body.
   * @throws {FailureError} that lists every problem
   */
  readonly parse: (bytes: Buffer) => Body
  /**
   * Reads a request body that may follow an earlier contract: converts int64 to bigint and validates nothing.
   * @throws {MalformedJson} when the text is not JSON
   */
  readonly read: (json: string | Buffer) => Body
  /**
   * Copies the properties that the request schema declares, in the order of their declaration.
   * @throws {FailureError} when the body is nested too deeply
   */
  readonly declared: (body: Body) => Body
  /** @returns the JSON text of a response, as the server sends it */
  readonly serialize: (response: Response) => string
}

/**
 * Loads the codec of an operation.
 * @throws {BootError} when the contract has no such operation, media type or status; `tsc` reports that first
 */
export async function operationCodec<
  Types extends ContractTypes,
  OperationId extends OperationIds<Types>,
  MediaType extends MediaTypes<Types['handlers'][OperationId]>,
  Status extends Statuses<Types['handlers'][OperationId]>
>(
  contract: Contract<Types>,
  of: CodecOf<OperationId, MediaType, Status>
): Promise<
  OperationCodec<
    RequestBody<Types['handlers'][OperationId], MediaType>,
    ResponseBody<Types['handlers'][OperationId], Status>
  >
> {
  checkBuild(contract)
  const [code, { shapes, bodies }] = await Promise.all([contract.load(), contract.requests()])
  const { content, serialize } = declaredBodies(contract, of, code)
  const request = bodies[of.operationId]?.[of.mediaType]
  if (request === undefined) throw refusal(contract, of, `declares no JSON as ${of.mediaType}`)
  const validate = code.validators[String(content.validate)]
  const wire = wireValues(code.formats)
  const form = { validate, int64: content.int64, code, shapes, shape: request.shape }
  return {
    digest: request.digest,
    parse: (bytes) => {
      try {
        const read = checkedJson(decodeUtf8(bytes), form, 'body')
        if ('findings' in read) throw bodyMismatch(read.findings.problems, read.findings.omitted)
        return read.value as never
      } catch (error) {
        throw depthFailure('body', malformedBody(error))
      }
    },
    read: (json) => readJson(typeof json === 'string' ? json : decodeUtf8(json), form) as never,
    declared: (body) => {
      try {
        return declaredOnly(wire === undefined ? body : wire(body), shapes, request.shape) as never
      } catch (error) {
        throw depthFailure('body', error)
      }
    },
    serialize
  }
}

function declaredBodies(
  contract: Contract,
  of: CodecOf<string, string, number>,
  { serializers }: CompiledCode
): { content: RequestContent; serialize: (response: unknown) => string } {
  const operation = contract.operations.find(({ operationId }) => operationId === of.operationId)
  if (operation === undefined) throw refusal(contract, of, 'is missing')
  const content = operation.requestBody?.content.find(({ mediaType }) => mediaType === of.mediaType)
  if (content === undefined) throw refusal(contract, of, `takes no ${of.mediaType}`)
  const contents = declaredResponse(operation, of.status)?.content ?? []
  const [serialize] = contents.flatMap(({ serialize }) => serializers[String(serialize)] ?? [])
  if (serialize === undefined) throw refusal(contract, of, `answers no JSON with status ${of.status}`)
  return { content, serialize }
}

function refusal(contract: Contract, of: CodecOf<string, string, number>, problem: string): BootError {
  return new BootError(
    `operation ${of.operationId} ${problem} in ${basename(String(contract.sources[0]?.file))}; ${of.file} asks for it`
  )
}
