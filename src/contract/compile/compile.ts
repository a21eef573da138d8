/** Compiles a contract: one OpenAPI document into the files under generated/. */
import { basename, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Operation } from '../model/compiled-contract.ts'
import { checkContract } from './checks/checks.ts'
import {
  addProblems,
  ContractError,
  type ContractProblem,
  hasErrors,
  reasonOf,
  sortProblems
} from './diagnostics/problem.ts'
import { titleOf } from './document/info.ts'
import { stringify } from './document/json-value.ts'
import { operationNodes } from './document/operation-objects.ts'
import { bundleModules } from './emit/bundle.ts'
import { bundledYaml } from './emit/bundled-yaml.ts'
import { type ContractData, contractFile, operationsFile, requestsFile } from './emit/contract-module.ts'
import { packageType } from './emit/package-type.ts'
import { type LoadedContract, loadContract } from './load/load.ts'
import { OperationReader } from './operations/read-operation.ts'
import { routed } from './operations/routes.ts'
import { securitySchemesOf } from './operations/security-schemes.ts'
import { requestShapes } from './serializers/request-shapes.ts'
import { Serializers } from './serializers/serializers.ts'
import { compileTypes } from './types/types.ts'
import { Validators } from './validators/validators.ts'

export interface Compiled {
  /** Text by file name; all of them belong into one folder. */
  readonly files: ReadonlyMap<string, string>
  /** Absolute paths of the contract's files, the root file first. */
  readonly sources: readonly string[]
  readonly operations: readonly Operation[]
  /** Warnings. */
  readonly problems: readonly ContractProblem[]
}

const serializerRuntime = fileURLToPath(new URL('../runtime/serializers.ts', import.meta.url))

export interface CompileObserver {
  /** Called with each file of the contract before it is read. */
  readonly onFile?: ((path: string) => void) | undefined
  /** Called with each phase as it begins. */
  readonly onPhase?: ((phase: string) => void) | undefined
}

/**
 * @param path the root file of the contract
 * @param folder where the files will be written; they name the contract's files relative to it
 * @throws {ContractError} with every problem found
 */
export async function compileContract(
  path: string,
  folder: string,
  { onFile, onPhase = () => {} }: CompileObserver = {}
): Promise<Compiled> {
  let found: readonly ContractProblem[] = []
  try {
    onPhase('reading the contract')
    const contract = await loadContract(path, onFile)
    found = contract.problems
    return await compile(contract, folder, onPhase)
  } catch (error) {
    throw error instanceof ContractError ? error : uncompilable(path, found, error)
  }
}

/** Reports the failure of a package as a problem of the contract: no contract ends in a stack trace. */
function uncompilable(path: string, found: readonly ContractProblem[], cause: unknown): ContractError {
  const message = `this contract cannot be compiled: ${reasonOf(cause)}`
  const problem = { severity: 'error', file: resolve(path), line: 1, column: 1, message } as const
  const error = new ContractError([...found, problem])
  error.cause = cause
  return error
}

async function compile(
  contract: LoadedContract,
  folder: string,
  onPhase: (phase: string) => void
): Promise<Compiled> {
  onPhase('checking the operations')
  const validators = new Validators(contract)
  const serializers = new Serializers(contract.document)
  const found = addProblems(contract.problems, checkContract(contract))
  const reader = new OperationReader(contract, validators, serializers)
  const nodes = operationNodes(contract.document)
  const unrouted = nodes.map((node) => reader.read(node))
  const problems = addProblems(found, [...reader.problems, ...validators.problems])
  refuse(problems)
  onPhase('writing the routes and serializers')
  const operations = await routed(unrouted)
  const banner = bannerOf(contract)
  const data = contractData(contract, operations, folder)
  const serializersCode = await bundleModules(serializers.modules(serializerRuntime), banner)
  onPhase('writing the types')
  const types = compileTypes(contract.document, unrouted, securitySchemesOf(contract.document) as never)
  onPhase('writing the validators')
  const files = new Map([
    ...(await packageType(folder)),
    ['contract.ts', contractFile(data, banner)],
    ['openapi.json', `${stringify(contract.document, 2)}\n`],
    ...(contract.files.length > 1 ? [['openapi.yaml', bundledYaml(contract.document)] as const] : []),
    ['operations.js', operationsFile(data, banner)],
    ['requests.js', requestsFile(requestShapes(contract.document, nodes), banner)],
    ['serializers.js', serializersCode],
    ['types.ts', `${banner}\n${types}`],
    ['validators.js', await bundleModules(validators.modules(), banner)]
  ])
  const sources = contract.files.map((file) => file.path)
  return { files, sources, operations, problems: sortProblems(problems) }
}

function refuse(problems: readonly ContractProblem[]): void {
  if (hasErrors(problems)) throw new ContractError(sortProblems(problems))
}

function bannerOf({ files }: LoadedContract): string {
  const digests = files.map(({ path, sha256 }) => `//   ${sha256}  ${basename(path)}`)
  return [
    '// Generated by `npm run generate` from the contract below; never edited. SHA-256:',
    ...digests
  ].join('\n')
}

function contractData(
  contract: LoadedContract,
  operations: readonly Operation[],
  folder: string
): ContractData {
  const sources = contract.files.map(({ path, sha256 }) => ({
    file: urlReference(relative(folder, path)),
    sha256
  }))
  const title = titleOf(contract.document, 'title')
  const version = titleOf(contract.document, 'version')
  const securitySchemes = securitySchemesOf(contract.document)
  return { sources, title, version, operations, securitySchemes }
}

function urlReference(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/')
}
