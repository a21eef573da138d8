/** A server of a contract from a test: compiled as `npm run generate` does, listening on a real socket. */
import { mkdir, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyListenOptions,
  LogController
} from 'fastify'
import type { Test } from 'tap'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import type { ErrorBody } from '../../src/engine/server/errors/error-response.ts'
import {
  contractRoutes,
  createContractServer,
  type OnErrorResponse,
  type OnFailure
} from '../../src/engine/server.ts'
import { compileCached } from '../contracts/compile-cache.ts'
import { exchange, type Response } from './server/transport/raw-client.ts'

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }
// biome-ignore lint/suspicious/noConfusingVoidType: handlers of tests return what they want
type Function = (...values: never[]) => unknown | void

export interface Served {
  readonly app: FastifyInstance
  readonly port: number
  /** Parsed lines of the log. */
  readonly log: readonly Record<string, unknown>[]
  readonly ask: (text: string | Buffer) => Promise<Answer>
}

export interface Answer extends Response {
  /** Body, parsed if it is JSON. */
  readonly value: unknown
}

export interface Service {
  readonly handlers?: Readonly<Record<string, Function>>
  readonly security?: Readonly<Record<string, Function>>
  readonly errorBody?: ErrorBody
  readonly basePath?: string
  readonly checkedAtBuild?: boolean
  readonly refuseCrossSite?: boolean | { readonly origins: readonly string[] }
  readonly maxBodyBytes?: number
  readonly maxUnreadBytes?: number
  readonly heartbeat?: number
  readonly uploadFolder?: string
  readonly onFailure?: OnFailure
  readonly onErrorResponse?: OnErrorResponse
  readonly errorResponse?: (error: unknown, request: never) => unknown
  readonly around?: (request: never, handle: () => Promise<unknown>) => unknown
  readonly handlerFile?: (operationId: string) => string
  /** Is called before the contract is registered. */
  readonly plugins?: (app: FastifyInstance) => Promise<void>
  /** Is called before the server listens. */
  readonly extend?: (app: FastifyInstance) => unknown
  readonly fastify?: FastifyHttpOptions<Server>
  /** By default a port of 127.0.0.1. */
  readonly listenAt?: FastifyListenOptions
}

let folders = 0
/** Tests that have a folder of contracts. */
const compiling = new WeakSet<Test>()

/** @param document an OpenAPI document without its version and info, which are added */
export async function compiled(t: Test, document: Json): Promise<Contract> {
  // Removes what an interrupted run has left.
  const folder = compiling.has(t) ? t.testdirName : t.testdir({})
  const file = join(folder, compiling.has(t) ? `contract${folders}.json` : 'contract.json')
  compiling.add(t)
  const whole = { openapi: '3.1.0', info: { title: 'Test', version: '1' }, ...Object(document) }
  const text = JSON.stringify(whole, exactly, 1)
  await writeFile(file, text)
  const out = join(folder, `contract${folders++}`)
  await mkdir(out)
  await writeFiles(await compileCached(file, out, text), out)
  return (await import(pathToFileURL(join(out, 'contract.ts')).href)).default
}

const exactly = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value

const codeAndMessage: ErrorBody = ({ code, message }) => ({ code, message })

/** Options of a server or of a plugin. */
const optionsOf = (contract: Contract, { plugins, extend, fastify, listenAt, ...service }: Service) => ({
  ...{ contract, handlers: {}, security: {}, errorBody: codeAndMessage },
  handlerFile: (operationId: string) => `handlers/${operationId}.ts`,
  ...(service as object)
})

const logging = (log: Record<string, unknown>[]) => ({
  logger: { level: 'info', stream: { write: (line: string) => void log.push(JSON.parse(line)) } },
  logController: new LogController({ disableRequestLogging: true })
})

const contractOf = (t: Test, document: Json | Contract) =>
  isCompiled(document) ? document : compiled(t, document)

export async function serve(t: Test, document: Json | Contract, service: Service = {}): Promise<Served> {
  const log: Record<string, unknown>[] = []
  const options = optionsOf(await contractOf(t, document), service)
  const fastify = { ...logging(log), ...service.fastify }
  const extend = async (app: FastifyInstance) => service.plugins?.(app)
  const app = await createContractServer({ basePath: '', checkedAtBuild: false, ...options, fastify, extend })
  service.extend?.(app)
  return { ...(await listen(t, app, service.listenAt)), log }
}

/** Serves a contract in a Fastify of somebody else, below each of the prefixes. */
export async function servePlugins(
  t: Test,
  document: Json | Contract,
  service: Service = {},
  prefixes: readonly (string | undefined)[] = [undefined]
): Promise<Served> {
  const log: Record<string, unknown>[] = []
  const app = Fastify({ ...logging(log), ...service.fastify })
  await service.plugins?.(app)
  const options = optionsOf(await contractOf(t, document), service)
  for (const prefix of prefixes)
    await app.register(contractRoutes, { ...options, ...(prefix !== undefined && { prefix }) } as never)
  service.extend?.(app)
  return { ...(await listen(t, app, service.listenAt)), log }
}

/** Listens until the end of the test. */
export async function listen(
  t: Test,
  app: FastifyInstance,
  at: FastifyListenOptions = { host: '127.0.0.1', port: 0 }
): Promise<Omit<Served, 'log'>> {
  const address = await app.listen(at)
  t.teardown(async () => {
    app.server.closeAllConnections?.()
    await app.close()
  })
  const port = Number(/\d+$/.exec(address)?.[0])
  return { app, port, ask: (text) => ask(port, text) }
}

function isCompiled(document: Json | Contract): document is Contract {
  return Object.hasOwn(Object(document), 'load')
}

/** Sends one request as bytes, and returns the answer. */
export async function ask(port: number, text: string | Buffer): Promise<Answer> {
  const { responses } = await exchange(port, text.toString('latin1'), { wait: 5000, enough: 1 })
  const [response, ...others] = responses.filter(({ status }) => status >= 200)
  if (response === undefined || others.length > 0)
    throw new Error(`${responses.length} answers to ${text.slice(0, 80)}`)
  const body = Buffer.from(response.body, 'latin1').toString()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && body !== ''
  return { ...response, value: isJson ? JSON.parse(body) : body }
}

/** Returns a request with a body: `request('POST /x', '{}', { 'Content-Type': 'text/plain' })`. */
export function request(
  first: string,
  body?: string | Buffer,
  headers: Readonly<Record<string, string | undefined>> = {}
): Buffer {
  const bytes = Buffer.from(body ?? '')
  const all = {
    Host: 'localhost',
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
    ...headers
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`]
  )
  return Buffer.concat([Buffer.from(`${first} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes])
}

/** Returns an operation that requires a JSON body of the schema, and answers 200 with anything. */
export function taking(operationId: string, schema: Json): Json {
  return {
    post: {
      operationId,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
    }
  }
}

/** Returns the whole answer to HEAD, whose Content-Length is that of a body which is not sent. */
export async function headOf(port: number, name: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request(`HEAD /${name}`, undefined, { Connection: 'close' }))
  return Buffer.concat(await Array.fromAsync(socket)).toString()
}
