/** Compiles a contract: one OpenAPI document into the files under generated/. */
import { fileURLToPath } from 'node:url'
import type { Operation } from '@contract-first/engine/internal/model/compiled-contract'
import { type CompileObserver, checkedOperations, withContract } from './checked-operations.ts'
import { contractData } from './contract-data.ts'
import { type ContractProblem, sortProblems } from './diagnostics/problem.ts'
import { stringify } from './document/json-value.ts'
import { bannerOf } from './emit/banner.ts'
import { bundleModules } from './emit/bundle.ts'
import { codeBanner, codeLanguage } from './emit/code-language.ts'
import { contractFile } from './emit/contract-module.ts'
import { contractYaml } from './emit/contract-yaml.ts'
import {
  documentFile,
  operationsDeclaration,
  operationsFile,
  requestsFile
} from './emit/operations-module.ts'
import { packageType } from './emit/package-type.ts'
import type { LoadedContract } from './load/load.ts'
import { routed } from './operations/routes.ts'
import { securitySchemesOf } from './operations/security-schemes.ts'
import { requestShapes } from './serializers/request-shapes.ts'
import { compileTypes } from './types/types.ts'

export type { CompileObserver } from './checked-operations.ts'

export interface Compiled {
  /** Text by file name; all files belong in one folder. */
  readonly files: ReadonlyMap<string, string>
  /** Absolute paths of the contract's files, the root file first. */
  readonly sources: readonly string[]
  readonly operations: readonly Operation[]
  /** Warnings about the contract. */
  readonly problems: readonly ContractProblem[]
}

const serializerRuntime = fileURLToPath(
  import.meta.resolve('@contract-first/engine/internal/runtime/serializers')
)

/**
 * @param path the root file of the contract
 * @param folder folder for the files; they name the contract's files relative to it
 * @throws {ContractError} with every problem found
 */
export async function compileContract(
  path: string,
  folder: string,
  { onFile, onPhase = () => {} }: CompileObserver = {}
): Promise<Compiled> {
  return withContract(path, { onFile, onPhase }, (contract) => compile(contract, folder, onPhase))
}

async function compile(
  contract: LoadedContract,
  folder: string,
  onPhase: (phase: string) => void
): Promise<Compiled> {
  onPhase('checking the operations')
  const { validators, serializers, nodes, unrouted, problems } = checkedOperations(contract)
  onPhase('writing the routes and serializers')
  const operations = await routed(unrouted)
  const banner = bannerOf(contract)
  const data = contractData(contract, operations, folder)
  const language = codeLanguage(folder)
  const unchecked = codeBanner(banner, language)
  const serializersCode = await bundleModules(serializers.modules(serializerRuntime), unchecked)
  onPhase('writing the types')
  const types = compileTypes(contract.document, unrouted, securitySchemesOf(contract.document) as never)
  onPhase('writing the validators')
  const json = `${stringify(contract.document, 2)}\n`
  const files = new Map([
    ...(await packageType(folder)),
    ['contract.ts', contractFile(data, banner, language)],
    [`document.${language}`, documentFile({ json, yaml: await contractYaml(contract) }, unchecked)],
    ['openapi.json', json],
    ...(language === 'js' ? [['operations.d.ts', operationsDeclaration(banner)] as const] : []),
    [`operations.${language}`, operationsFile(operations, unchecked, language)],
    [`requests.${language}`, requestsFile(requestShapes(contract.document, nodes), unchecked)],
    [`serializers.${language}`, serializersCode],
    ['types.ts', `${banner}\n${types}`],
    [`validators.${language}`, await bundleModules(validators.modules(), unchecked)]
  ])
  const sources = contract.files.map((file) => file.path)
  return { files, sources, operations, problems: sortProblems(problems) }
}
