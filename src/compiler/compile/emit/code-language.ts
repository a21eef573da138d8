/**
 * Chooses the language of generated tables and functions. The default is JavaScript, because Node takes longer to strip
 * types from them than to compile them, and the type checker would have to read them: 0.8 s and 3.4 s of CPU for a
 * thousand operations. Projects whose `tsc` rewrites imports of `.ts` get TypeScript, because `tsc` does not copy
 * JavaScript.
 */
import { dirname } from 'node:path'
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
