/** Text of generated/contract.ts: plain data, which imports nothing of the engine. */
import {
  type ExampleRequest,
  format,
  type Operation,
  type SecurityScheme,
  type Source
} from '@contract-first/engine/model'
import { sourceOf } from '../../source/values.ts'
import { buildConstant } from './banner.ts'
import type { CodeLanguage } from './code-language.ts'

export interface ContractData {
  readonly sources: readonly Source[]
  readonly title: string
  readonly version: string
  readonly operations: readonly Operation[]
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  readonly example?: ExampleRequest
}

/** The build of a contract module. */
export interface ContractBuild {
  readonly id: string
  /** Names of all files of the build with first lines. */
  readonly files: readonly string[]
  readonly language: CodeLanguage
}

export function contractFile(data: ContractData, { id, files, language }: ContractBuild): string {
  const { sources, title, version, securitySchemes, example } = data
  const shown = example && `\n  example: ${sourceOf(example, { indent: 2, used: 10 })},`
  return `import * as routes from './operations.${language}'
import type { Handlers, SecurityHandlers } from './types.ts'

export type * from './types.ts'

/** Served by createContractServer. */
export default {
  format: '${format}',
  url: import.meta.url,
  /** The boot refuses files of other builds. */
  build: {
    id: '${id}',
    files: ${sourceOf(files, { indent: 4, used: 7 })},
    loaded: { 'operations.${language}': routes.${buildConstant} }
  },
  /** Every file of the contract, relative to this one, as it was when this was generated. */
  sources: ${sourceOf(sources, { indent: 2, used: 10 })},
  title: ${sourceOf(title)},
  version: ${sourceOf(version)},
  // Checked by the compiler that wrote it; the type checker need not infer so much data.
  securitySchemes: ${sourceOf(securitySchemes, { indent: 2, used: 27 })} as never,${shown ?? ''}
  operations: routes.operations,
  yaml: routes.yaml,
  load: routes.load,
  requests: routes.requests,
  /** For the type checker only. */
  types: undefined as { readonly handlers: Handlers; readonly security: SecurityHandlers } | undefined
}
`
}
