/**
 * Finds examples that are valid by their schemas but not by the types: types cannot express everything that a schema
 * can.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const settings: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
  // The types of Node lie beside the compiler: the new project is not installed yet.
  typeRoots: [fileURLToPath(new URL('..', import.meta.resolve('@types/node/package.json')))],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true
}

/** @returns the files in which the type checker finds an error */
export function untypedAnswers(folder: string, files: readonly string[]): ReadonlySet<string> {
  const paths = files.map((file) => join(folder, file))
  const program = ts.createProgram(paths, settings)
  const isWrong = (path: string) => program.getSemanticDiagnostics(program.getSourceFile(path)).length > 0
  return new Set(files.filter((_file, index) => isWrong(String(paths[index]))))
}
