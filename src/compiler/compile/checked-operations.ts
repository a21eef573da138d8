/** Loads a contract and reads its operations: the first half of every compilation, which finds every problem. */
import { resolve } from 'node:path'
import {
  addProblems,
  ContractError,
  type ContractProblem,
  type Operation as Declared,
  hasErrors,
  reasonOf,
  sortProblems,
  withoutConsequences
} from '@contract-first/contract'
import { checkContract, type LoadedContract, loadContract } from '@contract-first/contract/load'
import type { Operation } from '@contract-first/engine/model'
import { OperationReader } from './operations/read-operation.ts'
import { Serializers } from './shapes/serializers.ts'
import type { PatternChecks } from './validators/schema-problems.ts'
import { Validators } from './validators/validators.ts'

export interface CompileObserver {
  /** Folder whose files the contract may refer to; the folder of its root file by default. */
  readonly root?: string | undefined
  /** Absolute path of the module of the project's own formats. */
  readonly formats?: string | undefined
  /** Is called with each file of the contract before it is read. */
  readonly onFile?: ((path: string) => void) | undefined
  /** Is called with each phase as it begins. */
  readonly onPhase?: ((phase: string) => void) | undefined
}

/** @throws {ContractError} with every problem found, also when `compile` fails with another error */
export async function withContract<T>(
  path: string,
  { root, formats, onFile, onPhase = () => {} }: CompileObserver,
  compile: (contract: LoadedContract) => Promise<T>
): Promise<T> {
  let found: readonly ContractProblem[] = []
  try {
    onPhase('reading the contract')
    const contract = await loadContract(path, onFile, { root, formats })
    found = contract.problems
    return await compile(contract)
  } catch (error) {
    throw error instanceof ContractError ? error : uncompilable(path, found, error)
  }
}

/** Reports the failure of a package as a problem of the contract, so that no contract ends in a stack trace. */
function uncompilable(path: string, found: readonly ContractProblem[], cause: unknown): ContractError {
  const message = `this contract cannot be compiled: ${reasonOf(cause)}`
  const problem = { severity: 'error', file: resolve(path), line: 1, column: 1, message } as const
  const error = new ContractError([...found, problem])
  error.cause = cause
  return error
}

interface CheckedOperations {
  readonly validators: Validators
  readonly serializers: Serializers
  readonly declared: readonly Declared[]
  readonly operations: readonly Operation[]
  /** Warnings about the contract. */
  readonly problems: readonly ContractProblem[]
}

/**
 * Returns the operations of a loaded contract.
 * @param patterns checks for patterns that take long
 * @throws {ContractError} with every problem found
 */
export function checkedOperations(contract: LoadedContract, patterns?: PatternChecks): CheckedOperations {
  const validators = new Validators(contract, undefined, 'received', patterns)
  const serializers = new Serializers()
  const found = addProblems(contract.problems, checkContract(contract))
  const reader = new OperationReader(contract, validators, serializers)
  const declared = contract.model.operations
  const operations = declared.map((operation) => reader.read(operation))
  const problems = addProblems(found, [...reader.problems, ...validators.problems])
  if (hasErrors(problems)) throw new ContractError(sortProblems(withoutConsequences(problems)))
  return { validators, serializers, declared, operations, problems }
}
