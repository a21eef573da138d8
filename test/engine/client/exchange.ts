/** The compiled contract of contract.yaml, and clients of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import type { Test } from 'tap'
import { type ClientOptions, createClient } from '../../../src/engine/client.ts'
import * as features from '../../../src/engine/client-features.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { compiled, type Json } from '../serve.ts'

export interface Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: unknown
  readonly mediaType: string | undefined
}

export type Calls = Record<string, (call?: object) => Promise<Answer>>

export const compiledExchange = (t: Test): Promise<Contract> =>
  compiled(t, load(readFileSync(join(import.meta.dirname, 'contract.yaml'), 'utf8')) as Json)

export const clientOf = (source: object, options: ClientOptions = {}): Calls =>
  createClient(source as never, options) as never

/** Returns the operations with the features of src/ instead of those that the compiler has bundled. */
export async function fromSource(contract: Contract): Promise<object> {
  const operations = Object.entries(await contract.client()).filter(([name]) => name !== '$build')
  return Object.fromEntries(operations.map(([name, operation]) => [name, { ...Object(operation), features }]))
}
