/** Makes `/openapi.json` with @fastify/swagger at the first request: its packages would delay the start by 5 %. */

import type { Contract } from '@contract-first/engine/server'
import type { StaticDocumentSpec } from '@fastify/swagger'

declare global {
  interface JSON {
    /** ES2026, section 25.5.2: makes `JSON.stringify` write the text as it is. */
    rawJSON(text: string): unknown
  }
}

/** @returns the text of the bundled document, its numbers as the contract spells them */
export async function openapiJson(contract: Contract): Promise<string> {
  const [{ default: fastify }, { default: swagger }, text] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    contract.document()
  ])
  const app = fastify()
  await app.register(swagger, { mode: 'static', specification: { document: parse(text, asSpelled) } })
  await app.ready()
  return `${JSON.stringify(app.swagger(), null, 2)}\n`
}

/** Keeps the text of a number that a double does not represent, such as the bounds of int64. */
const asSpelled = (_key: string, value: unknown, { source }: { readonly source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && source !== String(value) ? JSON.rawJSON(source) : value

/** Types the third parameter of a reviver, which TypeScript lacks (https://tc39.es/proposal-json-parse-with-source). */
const parse = JSON.parse as (text: string, reviver: typeof asSpelled) => StaticDocumentSpec['document']
