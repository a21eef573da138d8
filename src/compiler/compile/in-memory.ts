/**
 * Compiles a contract for the process that serves it: no file is written, no types are made, and each validator and
 * serializer is made at its first call. A contract of a thousand operations is therefore served within seconds.
 */
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type ContractProblem,
  type JsonObject,
  type Contract as Model,
  type OwnFormats,
  sortProblems
} from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import * as features from '@contract-first/engine/client-features'
import {
  type ClientOperation,
  type CompiledCode,
  type Contract,
  format,
  type Operation
} from '@contract-first/engine/model'
import { type CompileObserver, checkedOperations, withContract } from './checked-operations.ts'
import { acceptOf } from './emit/client-module.ts'
import { contractData, contractYaml } from './emit/contract-module.ts'
import { requestShapes } from './shapes/serializers.ts'
import { PatternChecks } from './validators/schema-problems.ts'

export interface InMemory {
  readonly contract: Contract
  /** The bundled document; integers beyond 2^53 are bigint. */
  readonly document: JsonObject
  readonly model: Model
  /** Files as they were read, the root file first. */
  readonly files: LoadedContract['files']
  /** Warnings about the contract. */
  readonly problems: readonly ContractProblem[]
}

/**
 * Compiles a contract with serializers that also write undeclared properties. Neither examples nor the time of patterns are
 * checked.
 * @throws {ContractError} with every problem found
 */
export function compileInMemory(path: string, observer: CompileObserver = {}): Promise<InMemory> {
  return withContract(path, observer, compiled)
}

async function compiled(contract: LoadedContract): Promise<InMemory> {
  const { document, model, files } = contract
  const { validators, serializers, operations, declared, problems } = checkedOperations(
    contract,
    new PatternChecks(0)
  )
  const formats = formatsOf(contract.formats?.formats)
  const code = { validators: validators.functions(), serializers: serializers.functions(), ...formats }
  const yaml = contractYaml(contract)
  const folder = dirname(files[0].path)
  const data = contractData(contract, operations, folder)
  return {
    contract: {
      ...data,
      format,
      url: pathToFileURL(join(folder, 'contract.ts')).href,
      yaml: async () => yaml,
      load: async () => code,
      requests: async () => requestShapes(declared),
      client: async () => clientOperations(data, code)
    },
    document,
    model,
    files,
    problems: sortProblems(problems)
  }
}

function formatsOf(own: OwnFormats | undefined): Pick<CompiledCode, 'formats'> {
  const formats = [...(own ?? [])].map(([name, { format }]) => [name, format] as const)
  return own === undefined ? {} : { formats: Object.fromEntries(formats) }
}

/** Returns the operations of a client, each with all features. */
function clientOperations(
  { operations, securitySchemes }: Pick<Contract, 'operations' | 'securitySchemes'>,
  { validators, formats }: Pick<CompiledCode, 'validators' | 'formats'>
): Readonly<Record<string, ClientOperation>> {
  const client = (operation: Operation) => ({
    format,
    securitySchemes,
    operation,
    accept: acceptOf(operation),
    validators,
    ...(formats && { formats }),
    features
  })
  return Object.fromEntries(operations.map((operation) => [operation.operationId, client(operation)]))
}
