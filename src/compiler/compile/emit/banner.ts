/** The first lines of generated files, and the id of the build that they name. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { LoadedContract } from '@contract-first/contract/load'
import { buildLine, firstLine } from '@contract-first/engine/model'
import { commentText } from '../../source/values.ts'
import type { CodeLanguage } from './code-language.ts'

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
