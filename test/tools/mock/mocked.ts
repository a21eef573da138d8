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
