/** Serves the mock of a contract that a test writes, and sends requests to it. */
import { join } from 'node:path'
import type { Test } from 'tap'
import { compileInMemory, type InMemory } from '../../../src/compiler/compiler.ts'
import { stringify } from '../../../src/engine/json/exact-values.ts'
import { createMock, Listener, type Mock, type MockOptions } from '../../../src/tools/mock/mock.ts'

export interface Mocked extends Mock {
  readonly warnings: readonly string[]
  readonly get: (path: string, headers?: Record<string, string>, init?: RequestInit) => Promise<Answered>
  readonly listener: Listener
  /** Number of operations. */
  readonly operations: number
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** @param prepare adds files beside the contract */
export async function mocked(
  t: Test,
  document: object,
  seed: number | MockOptions = 1,
  prepare: (app: Mock['app'], compiled: InMemory) => Promise<void> = async () => {}
): Promise<Mocked> {
  const base = { openapi: '3.1.0', info: { title: 'x', version: '1' } }
  const folder = t.testdir({ 'openapi.json': stringify({ ...base, ...document }) })
  const warnings: string[] = []
  const compiled = await compileInMemory(join(folder, 'openapi.json'))
  const mock = await createMock(compiled, {
    ...(typeof seed === 'number' ? { seed } : seed),
    onWarning: (text) => warnings.push(text)
  })
  await prepare(mock.app, compiled)
  const listener = await Listener.open(mock.app, { host: '127.0.0.1', port: 0 })
  t.teardown(() => listener.close())
  const origin = `http://127.0.0.1:${listener.address.port}`
  return {
    ...mock,
    warnings,
    listener,
    operations: compiled.contract.operations.length,
    get: async (path, headers = {}, init = {}) => {
      const response = await fetch(origin + path, { ...init, headers })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
  }
}

/** A response with one content. */
export const json = (schema: unknown, more = {}) => ({
  description: 'x',
  content: { 'application/json': { schema, ...more } }
})

export const text = (mediaType: string, media: object = {}) => ({
  description: 'x',
  content: { [mediaType]: media }
})

/** A response: its JSON schema and more of the media type, a content of other media types, or nothing. */
export interface ShortResponse {
  readonly json?: unknown
  readonly content?: object
  readonly headers?: object
}

export function responseOf(given: ShortResponse | null): object {
  const { json: schema, content, headers, ...media } = given ?? {}
  const declared =
    schema === undefined ? { description: 'x', ...(content && { content }) } : json(schema, media)
  return { ...declared, ...(headers && { headers }) }
}

type Members = Readonly<Record<string, unknown>>
const isStatus = (name: string) => /^\d|^default$/.test(name)

/**
 * Returns path items. An operation has its responses by their statuses, may have an `id`, and the schema of its JSON body; a
 * path has the responses of its GET, or operations.
 */
export function pathsOf(short: Readonly<Record<string, Members>>, shared: readonly object[] = []): object {
  const operationOf = (operationId: string, { id = operationId, body, ...given }: Members) => {
    const [responses, members] = [true, false].map((wanted) =>
      Object.fromEntries(Object.entries(given).filter(([name]) => isStatus(name) === wanted))
    )
    const answers = Object.entries(responses ?? {}).map(([status, each]) => [
      status,
      responseOf(each as ShortResponse)
    ])
    const requestBody = body !== undefined && {
      requestBody: { content: { 'application/json': { schema: body } } }
    }
    return { operationId: id, responses: Object.fromEntries(answers), ...members, ...requestBody }
  }
  const items = Object.entries(short).map(([path, { parameters = shared, ...item }]) => {
    const name = path.replaceAll(/\W+/g, '_').slice(1)
    const methods = Object.keys(item).some(isStatus)
      ? [['get', operationOf(name, item)]]
      : Object.entries(item).map(([method, given]) => [
          method,
          operationOf(`${method}_${name}`, given as Members)
        ])
    return [path, { parameters, ...Object.fromEntries(methods) }]
  })
  return Object.fromEntries(items)
}

/** Returns a function that sends a body to `METHOD /path`. */
export const sending =
  ({ get }: Pick<Mocked, 'get'>, prefix = '') =>
  (line: string, body?: string, mediaType = 'application/json') => {
    const [method = '', path = ''] = line.split(' ')
    const headers = body === undefined ? {} : { 'content-type': mediaType }
    return get(prefix + path, headers, { method, ...(body !== undefined && { body }) })
  }
