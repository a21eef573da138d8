/**
 * Chooses the language of generated tables and functions. The default is JavaScript, because Node takes longer to strip
 * types from them than to compile them, and the type checker would have to read them: 0.8 s and 3.4 s of CPU for a
 * thousand operations. Projects whose `tsc` rewrites imports of `.ts` get TypeScript, because `tsc` does not copy
 * JavaScript.
 */

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ts from 'typescript'

export type CodeLanguage = 'js' | 'ts'

/** @param folder folder of the generated code; the nearest tsconfig.json at or above it decides */
export function codeLanguage(folder: string): CodeLanguage {
  const path = ts.findConfigFile(folder, ts.sys.fileExists)
  if (path === undefined) return 'js'
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  const withoutSources = { ...ts.sys, readDirectory: () => [] }
  const { options } = ts.parseJsonConfigFileContent(config, withoutSources, dirname(path))
  return options.rewriteRelativeImportExtensions === true && options.noEmit !== true ? 'ts' : 'js'
}

/** Marks generated files as ES modules, unless a package.json exists (Node.js, "Determining module system"). */
const text = '{ "type": "module" }\n'

/** @returns name and text of a package.json for the folder; an empty list when one above it already says the same */
export async function packageType(folder: string): Promise<[string, string][]> {
  const own = await packageFile(folder)
  const isForeign = own !== undefined && own !== text
  return isForeign || (await isModulePackage(dirname(folder))) ? [] : [['package.json', text]]
}

async function isModulePackage(folder: string): Promise<boolean> {
  const found = await packageFile(folder)
  if (found !== undefined) return /"type"\s*:\s*"module"/.test(found)
  return dirname(folder) !== folder && isModulePackage(dirname(folder))
}

async function packageFile(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
}
