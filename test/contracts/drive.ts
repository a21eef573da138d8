/** Compiles a contract of this folder outside the project, boots it, and exchanges requests with it over real sockets. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import { createContractServer } from '../../src/engine/server.ts'
import { compileCached, type Files } from './compile-cache.ts'
import type { Exchange } from './exchanges.ts'

export interface Generated {
  readonly folder: string
  readonly files: Files
  readonly contract: Contract
}

/** @param path path of the root file, relative to this folder */
export async function generate(t: Test, path: string): Promise<Generated> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const files = await compileCached(resolve(import.meta.dirname, path), folder)
  await writeFiles(files, folder)
  const module = await import(pathToFileURL(join(folder, 'contract.ts')).href)
  return { folder, files, contract: module.default }
}

/** Arguments of the handler of the last request. */
interface Seen extends Record<string, unknown> {
  operation?: string
}

export interface Served {
  readonly app: FastifyInstance
  readonly exchange: (exchange: Exchange) => Promise<Outcome>
}

export interface Outcome {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly seen: Seen
}

/** Serves a contract: handlers record their arguments and return what the exchange says; the credential `good` is valid. */
export async function serve(t: Test, contract: Contract, options: object = {}): Promise<Served> {
  let seen: Seen = {}
  let answer: Exchange['answer']
  const handlers = named(
    contract.operations.map(({ operationId }) => operationId),
    (operation) => (given: object) => {
      const { params, query, headers, cookies, body, mediaType, principal } = given as Seen
      seen = { operation, params, query, headers, cookies, body, mediaType, principal }
      return answer ?? { status: 204 }
    }
  )
  const security = named(Object.keys(contract.securitySchemes), (scheme) => (credential: unknown) => {
    const text = typeof credential === 'string' ? credential : (credential as { username: string }).username
    return text === 'good' ? scheme : undefined
  })
  const app = await createContractServer({
    contract,
    handlers,
    security,
    errorBody: ({ code, message, problems }) => ({
      ...{ code, message },
      problems: problems.map(({ pointer, keyword }) => `${pointer} ${keyword}`)
    }),
    ...options
  })
  t.teardown(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    exchange: async (exchange) => {
      seen = {}
      answer = exchange.answer
      const response = await send(port, exchange)
      const body = (await buffer(response)).toString('utf8')
      return { status: response.statusCode ?? 0, headers: response.headers, body, seen }
    }
  }
}

/** Returns an object with these own members, `__proto__` included. */
export function named<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  const members: Record<string, T> = {}
  for (const name of names) Object.defineProperty(members, name, { value: make(name), enumerable: true })
  return members
}

async function send(port: number, { send: line, headers = {}, body }: Exchange): Promise<IncomingMessage> {
  const space = line.indexOf(' ')
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const payload = body === undefined || isRaw ? body : JSON.stringify(body)
  const type = body === undefined || isRaw ? {} : { 'content-type': 'application/json' }
  const isSized = payload !== undefined && headers['transfer-encoding'] === undefined
  const length = isSized ? { 'content-length': String(Buffer.byteLength(payload)) } : {}
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method: line.slice(0, space),
    path: line.slice(space + 1),
    headers: { ...type, ...length, ...headers },
    agent: false
  })
  outgoing.end(payload)
  const [response] = await once(outgoing, 'response')
  return response
}
