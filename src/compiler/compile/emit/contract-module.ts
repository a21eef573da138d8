/**
 * The plain data of a compiled contract, the text of generated/contract.ts that holds it, the text of the contract, and the
 * first lines of generated files with the id of the build.
 */
import { createHash } from 'node:crypto'
import { basename, relative } from 'node:path'
import type {
  SecurityScheme as DeclaredScheme,
  JsonObject,
  Contract as Model
} from '@contract-first/contract'
import type { LoadedContract } from '@contract-first/contract/load'
import {
  buildLine,
  type Contract,
  firstLine,
  format,
  type Operation,
  type SecurityScheme
} from '@contract-first/engine/model'
import { dump } from 'js-yaml'
import { commentText, sourceOf } from '../../source/values.ts'
import { basePathOf } from '../operations/fastify-path.ts'
import type { CodeLanguage } from './code-language.ts'

/** Values that the compiler writes into a contract. */
export type ContractData = Pick<
  Contract,
  'sources' | 'title' | 'version' | 'basePath' | 'operations' | 'securitySchemes' | 'example'
>

/** Modules that some contracts do not have. */
export interface OptionalModules {
  readonly client: boolean
  readonly schemas: boolean
  readonly sender: boolean
}

interface ContractBuild {
  readonly id: string
  /** Names of all files of the build with first lines. */
  readonly files: readonly string[]
  readonly language: CodeLanguage
  readonly has: OptionalModules
}

export function contractFile(data: ContractData, { id, files, language, has }: ContractBuild): string {
  const { sources, title, version, basePath, securitySchemes, example } = data
  const shown = example && `\n  example: ${sourceOf(example, { indent: 2, used: 10 })},`
  return `import * as routes from './operations.${language}'
import type { ContractTypes${has.schemas ? ', SchemaCodecs' : ''} } from './types.ts'

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
  version: ${sourceOf(version)},${basePath === undefined ? '' : `\n  basePath: ${sourceOf(basePath)},`}
  // Checked by the compiler that wrote it; the type checker need not infer so much data.
  securitySchemes: ${sourceOf(securitySchemes, { indent: 2, used: 27 })} as never,${shown ?? ''}
  operations: routes.operations,
  yaml: routes.yaml,
  load: routes.load,
  requests: routes.requests,
  client: ${has.client ? 'routes.client' : noClient},${has.sender ? '\n  sender: routes.sender,' : ''}${has.schemas ? schemaMembers : ''}
  /** For the type checker only. */
  types: undefined as ContractTypes | undefined
}
`
}

const noClient = `(): never => {
    throw new Error('package.json has "contract": { "client": false }')
  }`

const schemaMembers = `
  /** Component schemas for values outside HTTP. The first call loads their code; a bundle or a browser awaits loadSchemas first. */
  schemas: routes.schemas as SchemaCodecs,
  loadSchemas: routes.loadSchemas as () => Promise<SchemaCodecs>,`

/** @returns the declared schemes by name, with what the server needs to know of each (OpenAPI 3.2.0, section 4.27) */
export function securitySchemesOf({ components }: Model): Record<string, SecurityScheme> {
  const schemes = [...components.securitySchemes].map(([name, each]) => [name, securityScheme(each)] as const)
  return Object.fromEntries(schemes)
}

function securityScheme({ type, scheme, in: place, parameter }: DeclaredScheme): SecurityScheme {
  if (type === 'http') return { type, scheme: String(scheme).toLowerCase() }
  if (type === 'apiKey') return { type, in: place as 'header', name: String(parameter) }
  return { type: type as 'oauth2' }
}

/** @param folder folder of the generated code; paths in the data are relative to it */
export function contractData(
  contract: LoadedContract,
  operations: readonly Operation[],
  folder: string
): ContractData {
  const sources = contract.files.map(({ path, sha256 }) => ({
    file: urlReference(relative(folder, path)),
    sha256,
    ...(path === contract.formats?.path && { formats: true as const })
  }))
  const { model } = contract
  const { title, version } = model
  const securitySchemes = securitySchemesOf(model)
  const basePath = basePathOf(model)
  return { sources, title, version, ...(basePath && { basePath }), operations, securitySchemes }
}

function urlReference(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/')
}

/** Marks the digits of a bigint, which the YAML writer does not know: a private-use character. */
const mark = '\u{F0000}'
const marked = new RegExp(`${mark}(-?\\d+)`, 'gu')

export function bundledYaml(document: JsonObject): string {
  const text = JSON.stringify(document, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${mark}${value}` : value
  )
  return dump(JSON.parse(text), { lineWidth: -1 }).replaceAll(marked, '$1')
}

/** @returns the file in YAML 1.2; for a contract in several files, one document in which every reference resolves */
export function contractYaml({ files: [root], indented, bundle }: LoadedContract): string {
  return bundle === undefined ? (indented ?? root.text) : bundledYaml(bundle)
}

/** Texts of generated files by name, without their first lines. */
type Bodies = ReadonlyMap<string, string>

/** Declares the id in code, so that the boot can compare what is loaded, in a bundle too; last, so that no cut file has it. */
export const buildConstant = '$build'

/** Returns a digest of the code: two builds with the same id are the same. */
export function buildId(bodies: Bodies): string {
  const hash = createHash('sha256')
  for (const [name, text] of bodies) if (hasBanner(name)) hash.update(`${name}\0${text}\0`)
  return hash.digest('hex').slice(0, 16)
}

/** Returns the files with their first lines. JSON has none, because it has no comments. */
export function withBanners(
  bodies: Bodies,
  { files }: LoadedContract,
  { id, language }: { readonly id: string; readonly language: CodeLanguage }
): Map<string, string> {
  const digests = files.map(({ path, sha256 }) => `//   ${sha256}  ${commentText(basename(path))}`)
  const banner = [firstLine, buildLine(id), ...digests].join('\n')
  const file = ([name, text]: readonly [string, string]) =>
    [
      name,
      hasBanner(name) ? `${banner}\n${checked(name, text, language)}${declarationIn(name, id)}` : text
    ] as const
  return new Map([...bodies].map(file))
}

export const hasBanner = (name: string): boolean => /\.[jt]s$/.test(name)

/** The type checker skips code that the compiler wrote from a checked contract. */
const checked = (name: string, text: string, language: CodeLanguage): string =>
  language === 'js' || typeModules.has(name) ? text : `// @ts-nocheck\n${text}`

const declarationIn = (name: string, id: string): string =>
  typeModules.has(name) ? '' : `export const ${buildConstant} = '${id}'\n`

/** Files that the type checker reads; `contract.ts` holds the id as data. */
const typeModules: ReadonlySet<string> = new Set([
  'client.d.ts',
  'contract.ts',
  'operations.d.ts',
  'types.ts'
])
