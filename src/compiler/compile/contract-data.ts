/** The plain data of a compiled contract: its files, its name, its operations and security schemes. */
import { relative } from 'node:path'
import type { Operation } from '@contract-first/engine/model'
import { objectOf, own } from './document/json-value.ts'
import type { ContractData } from './emit/contract-module.ts'
import type { LoadedContract } from './load/load.ts'
import { securitySchemesOf } from './operations/security-schemes.ts'

/** @param folder folder of the generated code; paths in the data are relative to it */
export function contractData(
  contract: LoadedContract,
  operations: readonly Operation[],
  folder: string
): ContractData {
  const sources = contract.files.map(({ path, sha256 }) => ({
    file: urlReference(relative(folder, path)),
    sha256
  }))
  const info = objectOf(own(contract.document, 'info'))
  const [title, version] = [String(own(info, 'title')), String(own(info, 'version'))]
  const securitySchemes = securitySchemesOf(contract.document)
  return { sources, title, version, operations, securitySchemes }
}

function urlReference(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/')
}
