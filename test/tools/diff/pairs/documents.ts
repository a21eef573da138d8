/** Makes small documents, and compares them in process. */
import { resolve } from 'node:path'
import { buildContract, type Contract } from '../../../../src/contract/contract.ts'
import { loadContract } from '../../../../src/contract/load/load.ts'
import { compareContracts } from '../../../../src/tools/diff/operations/compare-contracts.ts'
import type { Report } from '../../../../src/tools/diff/operations/rules.ts'

type Node = Readonly<Record<string, unknown>>

export interface Parts {
  readonly components?: Node
}

const head = { openapi: '3.1.0', info: { title: 'Things', version: '1' } }

/** Returns a document with one operation. */
export const withOperation = (operation: Node, more: Node = {}): Node => ({
  ...head,
  paths: { '/things': { post: { responses: { 200: { description: 'OK' } }, ...operation } } },
  ...more
})

const content = (schema: unknown) => ({ 'application/json': { schema } })

/** Returns a document whose request or answer has the schema. */
export function withSchema(
  role: 'request' | 'response',
  schema: unknown,
  { components = {} }: Parts = {}
): Node {
  const operation =
    role === 'request'
      ? { requestBody: { content: content(schema) } }
      : { responses: { 200: { description: 'OK', content: content(schema) } } }
  return { ...withOperation(operation), components }
}

const place = { file: 'openapi.yaml', pointer: '', line: 1, column: 1 }

/** Returns the model of a document as it is written. */
export const contractOf = (document: Node): Contract => buildContract(document as never, () => place)

export const compared = (old: Node, now: Node, today = new Date('2026-01-01')): Report =>
  compareContracts(contractOf(old), contractOf(now), today)

/** Returns the document as the compiler reads it. */
export async function loaded(document: Node): Promise<Node> {
  const path = resolve('openapi.json')
  const tree = { realPath: () => path, names: () => [], read: async () => JSON.stringify(document) }
  return (await loadContract(path, undefined, { tree })).document
}

/** Returns one line for each change: `breaking: request-maximum-lowered`. */
export const ruleLines = (report: Report): string[] =>
  Object.entries(report).flatMap(([list, changes]) => changes.map(({ rule }) => `${list}: ${rule}`))
