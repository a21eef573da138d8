/** Texts of generated/contract.ts, operations.js and requests.js: plain data and loaders, which import nothing of the engine. */
import type { Operation, SecurityScheme, Source } from '../../model/compiled-contract.ts'
import type { RequestBodies } from '../../model/declared-shape.ts'
import { format } from '../../model/format.ts'
import type { Int64Plan } from '../../model/int64-plan.ts'
import { literal } from './js-literal.ts'

export interface ContractData {
  readonly sources: readonly Source[]
  readonly title: string
  readonly version: string
  readonly operations: readonly Operation[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

export function contractFile(data: ContractData, banner: string): string {
  const { sources, title, version, securitySchemes } = data
  return `${banner}
import { readFile } from 'node:fs/promises'
import type { Handlers, SecurityHandlers } from './types.ts'

export type * from './types.ts'

const beside = (file: string): URL => new URL(file, import.meta.url)
const { operations } = await import(beside('operations.js').href)

/** Served by createContractServer. */
export default {
  format: '${format}',
  url: import.meta.url,
  /** Every file of the contract, relative to this one, as it was when this was generated. */
  sources: ${literal(sources, 2)},
  title: ${literal(title)},
  version: ${literal(version)},
  // Checked by the compiler that wrote it; the type checker need not infer so much data.
  securitySchemes: ${literal(securitySchemes, 2)} as never,
  operations: operations as never,
  document: (): Promise<string> => readFile(beside('openapi.json'), 'utf8'),
  load: async () => {
    const [validators, serializers] = await Promise.all([
      import(beside('validators.js').href),
      import(beside('serializers.js').href)
    ])
    return { validators, serializers }
  },
  requests: () => import(beside('requests.js').href),
  /** For the type checker only. */
  types: undefined as { readonly handlers: Handlers; readonly security: SecurityHandlers } | undefined
}
`
}

/** The route table. It is JavaScript because Node takes longer to strip types from a long table than to read it. */
export function operationsFile({ operations }: ContractData, banner: string): string {
  const plans = [...new Set(operations.flatMap(plansOf))]
  const names = new Map(plans.map((shared, index) => [shared as object, `int64Plans${index + 1}`]))
  const shared = plans.map((value, index) => `const int64Plans${index + 1} = ${literal(value, 0)}\n`)
  const list = operations.map((operation) => `  ${literal(operation, 2, names)}`).join(',\n')
  return `${banner}\n${shared.join('')}export const operations = [\n${list}\n]\n`
}

/** Operations share the plans of the schemas that they share. */
function plansOf({ parametersInt64, requestBody }: Operation): Int64Plan['plans'][] {
  const plans = [parametersInt64, ...(requestBody?.content.map(({ int64 }) => int64) ?? [])]
  return plans.flatMap((plan) => (plan === undefined ? [] : [plan.plans]))
}

/** What the request bodies declare. The codec of an operation loads it; no server does. */
export function requestsFile({ shapes, bodies }: RequestBodies, banner: string): string {
  return `${banner}\nexport const shapes = ${literal(shapes)}\nexport const bodies = ${literal(bodies)}\n`
}
