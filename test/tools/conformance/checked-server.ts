/** Servers of tests, and their check: `checked` takes paths of a contract and an answer, and returns the findings. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { type CheckOptions, checkConformance } from '../../../src/tools/conformance/conformance.ts'

/** Listens on a free port; the caller closes it. */
export async function listening(server: Server): Promise<{ url: URL; close: () => void }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), close }
}

/** Parses JSON independently of the engine; integers that a double cannot hold are bigints. */
export function exactJson(text: string): unknown {
  type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
  return parse(text, (_key, value, { source = '' }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
  )
}
export const written = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item
  )

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  bytes?: Buffer
) => void

export const error = { description: 'wrong' }
export const ok = { description: 'ok', content: { 'application/json': { schema: {} } } }
export const taking = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })

/** Returns declared responses: with JSON below 300, without content for 204 and for refusals. */
const responses = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, status === 204 || status > 299 ? error : ok]))
/** An operation GET with these responses. */
export const get = (...statuses: readonly number[]) => ({ get: { responses: responses(statuses) } })
/** An operation POST that takes an object with these properties. */
export const post = (properties: object, required: readonly string[], ...statuses: readonly number[]) => ({
  post: { requestBody: taking({ type: 'object', required, properties }), responses: responses(statuses) }
})

export async function checked(
  t: Test,
  paths: object,
  answer: Answer,
  options: Partial<CheckOptions> & { components?: object; openapi?: string } = {}
) {
  const { components = {}, openapi = '3.1.0', ...others } = options
  const document = { openapi, info: { title: 'T', version: '1' }, components, paths }
  const folder = t.testdir({ 'contract.json': JSON.stringify(document) })
  const compiled = await compileInMemory(join(folder, 'contract.json'))
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const body = String(bytes)
    asked.push(`${request.method} ${request.url} ${body}`)
    answer(request, response, body, bytes)
  })
  const { url, close } = await listening(server)
  t.teardown(close)
  const { report, ...rest } = await checkConformance({
    ...compiled,
    url,
    requests: 40,
    timeoutMs: 1000,
    ...others
  })
  const findings = report.findings.map(({ check, operation }) => `${check} ${operation}`)
  return {
    ...rest,
    report,
    findings,
    asked,
    again: () => checkConformance({ ...compiled, url, requests: 40, ...others })
  }
}

export const send = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {}
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

/** Answers 405 to undeclared methods. */
export const only =
  (methods: string, answer: Answer): Answer =>
  (request, response, body, bytes) => {
    if (!methods.split(', ').includes(String(request.method)))
      response.writeHead(405, { allow: methods }).end()
    else answer(request, response, body, bytes)
  }
