/** Checks a small server against a small contract: takes paths and an answer, returns the findings. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { type CheckOptions, checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { listening } from './listening.ts'

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  bytes?: Buffer
) => void

export const error = { description: 'wrong' }
export const ok = { description: 'ok', content: { 'application/json': { schema: {} } } }
export const taking = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })

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
