/** Compiles a contract: one OpenAPI document into the files under generated/. */
import { fileURLToPath } from 'node:url'
import { type ContractProblem, type JsonObject, sortProblems } from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import { exampleRequest, pasteable } from '../../tools/samples/requests/example-request.ts'
import { formatsModules, importPath } from '../source/own-formats.ts'
import { type CompileObserver, checkedOperations, withContract } from './checked-operations.ts'
import { componentSchemas } from './component-schemas.ts'
import { bundleModules } from './emit/bundle.ts'
import { clientDeclaration, clientModule } from './emit/client-module.ts'
import { codeLanguage, packageType } from './emit/code-language.ts'
import {
  buildId,
  type ContractData,
  contractData,
  contractFile,
  contractYaml,
  hasBanner,
  securitySchemesOf,
  withBanners
} from './emit/contract-module.ts'
import {
  documentFile,
  operationsDeclaration,
  operationsFile,
  requestsFile
} from './emit/operations-module.ts'
import { checkExamples } from './examples.ts'
import { compileSender } from './sender.ts'
import { requestShapes } from './shapes/serializers.ts'
import { compileTypes } from './types/types.ts'

export interface Compiled extends Omit<ContractData, 'sources'> {
  /** Text by file name; all files belong in one folder. */
  readonly files: ReadonlyMap<string, string>
  /** Absolute paths of the contract's files, the root file first. */
  readonly sources: readonly string[]
  /** The bundled document; integers beyond 2^53 are bigint. */
  readonly document: JsonObject
  /** Text that a service offers as its contract. */
  readonly yaml: string
  /** Warnings about the contract. */
  readonly problems: readonly ContractProblem[]
}

const clientFeatures = fileURLToPath(import.meta.resolve('@contract-first/engine/client-features'))
const serializerRuntime = fileURLToPath(import.meta.resolve('@contract-first/engine/runtime/serializers'))

export interface CompileSettings extends CompileObserver {
  /** False to write no client. */
  readonly client?: boolean | undefined
}

/** File that names the build; it is written last. */
const root = 'contract.ts'

/**
 * @param path the root file of the contract
 * @param folder folder for the files; they name the contract's files relative to it
 * @throws {ContractError} with every problem found
 */
export async function compileContract(
  path: string,
  folder: string,
  { onPhase = () => {}, client = true, ...observer }: CompileSettings = {}
): Promise<Compiled> {
  return withContract(path, { ...observer, onPhase }, (contract) =>
    compile(contract, folder, { client, onPhase })
  )
}

async function compile(
  contract: LoadedContract,
  folder: string,
  { client: hasClient, onPhase }: { readonly client: boolean; readonly onPhase: (phase: string) => void }
): Promise<Compiled> {
  onPhase('checking the operations')
  const { validators, serializers, declared, operations, problems } = checkedOperations(contract)
  const formats = formatsModules(contract.formats, folder)
  const ownFormats = contract.formats && {
    ...contract.formats,
    from: importPath(contract.formats, folder)
  }
  const bundle = (modules: ReadonlyMap<string, string>) => bundleModules(new Map([...modules, ...formats]))
  onPhase('writing the routes and serializers')
  const language = codeLanguage(folder)
  const components = componentSchemas(contract, validators, `validators.${language}`)
  const sender = compileSender(contract)
  const has = {
    client: hasClient,
    schemas: components.names.length > 0,
    sender: sender.operations.length > 0
  }
  onPhase('writing the types')
  const types = compileTypes(contract, operations, {
    folder,
    components: components.names,
    hasClient,
    sender,
    ...(ownFormats && { formats: ownFormats })
  })
  onPhase('writing the validators')
  const yaml = contractYaml(contract)
  const example = exampleRequest({
    operations: pasteable(operations, securitySchemesOf(contract.model)),
    model: contract.model,
    validators: validators.functions()
  })
  const data = { ...contractData(contract, operations, folder), ...(example && { example }) }
  const client = clientModule({
    ...data,
    language,
    featuresModule: clientFeatures,
    formats: contract.formats?.formats
  })
  const [clientCode, schemasCode, senderCode, serializersCode, validatorsCode] = await Promise.all([
    hasClient ? bundle(new Map([['index', client]])) : '',
    has.schemas ? bundle(components.modules) : '',
    has.sender ? bundle(sender.modules(language, clientFeatures)) : '',
    bundle(serializers.modules(serializerRuntime)),
    bundle(validators.modules())
  ])
  const bodies = new Map([
    ...(await packageType(folder)),
    [root, contractFile(data, { id: '', files: [], language, has })],
    ...(hasClient ? [[`client.${language}`, clientCode] as const] : []),
    ...(hasClient && language === 'js' ? [['client.d.ts', clientDeclaration(operations)] as const] : []),
    [`document.${language}`, documentFile(yaml)],
    ...(language === 'js' ? [['operations.d.ts', operationsDeclaration(has)] as const] : []),
    [
      `operations.${language}`,
      operationsFile(operations, {
        hasClient,
        schemas: components.names,
        sent: sender.operations.map(({ operationId }) => operationId),
        language,
        ...(ownFormats && { formats: ownFormats })
      })
    ],
    [`requests.${language}`, requestsFile(requestShapes(declared))],
    ...(has.schemas ? [[`schemas.${language}`, schemasCode] as const] : []),
    ...(has.sender ? [[`sender.${language}`, senderCode] as const] : []),
    [`serializers.${language}`, serializersCode],
    ['types.ts', types],
    [`validators.${language}`, validatorsCode]
  ])
  const id = buildId(bodies)
  const named = [...bodies.keys()].filter(hasBanner)
  bodies.set(root, contractFile(data, { id, files: named, language, has }))
  const files = withBanners(bodies, contract, { id, language })
  const sources = contract.files.map((file) => file.path)
  return {
    ...data,
    files,
    sources,
    document: contract.document,
    yaml,
    problems: sortProblems([
      ...problems,
      ...components.problems,
      ...sender.problems,
      ...checkExamples(contract.model)
    ])
  }
}
