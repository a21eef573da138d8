/**
 * Chooses the language of generated tables and functions. The default is JavaScript, because Node takes longer to strip
 * types from them than to compile them, and the type checker would have to read them: 0.8 s and 3.4 s of CPU for a
 * thousand operations. Projects whose `tsc` rewrites imports of `.ts` get TypeScript, because `tsc` does not copy
 * JavaScript.
 */

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { System } from 'typescript'
import { ts } from '../../source/typescript.ts'

export type CodeLanguage = 'js' | 'ts'

/**
 * @param folder folder of the generated code; the nearest tsconfig.json at or above it decides
 * @param onFile is called with each file that is looked for
 */
export function codeLanguage(folder: string, onFile: (path: string) => void = () => {}): CodeLanguage {
  const observed =
    <Result>(look: (path: string) => Result) =>
    (path: string) => {
      onFile(path)
      return look(path)
    }
  const sys: System = {
    ...ts.sys,
    fileExists: observed(ts.sys.fileExists),
    readFile: observed(ts.sys.readFile),
    readDirectory: () => []
  }
  const path = ts.findConfigFile(folder, sys.fileExists)
  if (path === undefined) return 'js'
  const { config } = ts.readConfigFile(path, sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, sys, dirname(path))
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

/** Returns the files that decide the language and the package type, and those that would if they existed. */
export function settingFiles(folder: string): readonly string[] {
  const found = new Set<string>()
  codeLanguage(folder, (path) => found.add(path))
  for (let each = folder; ; each = dirname(each)) {
    found.add(join(each, 'package.json'))
    if (dirname(each) === each) return [...found]
  }
}

async function packageFile(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
}
