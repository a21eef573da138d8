/** The type checker, under the project's own settings. Loading it takes longer than most tests. */
import { join, resolve } from 'node:path'
import ts from 'typescript'

const project = resolve(import.meta.dirname, '../..')

export interface TypeProblem {
  readonly file: string
  readonly text: string
}

const settings = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile).config
const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, project)
const host = ts.createCompilerHost(options)
// tsc does the same: comments do not matter to it.
host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors

/** Parsed files of the project and of its packages, which do not change while the tests run. */
const parsed = new Map<string, ts.SourceFile | undefined>()
const { getSourceFile } = host
host.getSourceFile = (name, ...more) => {
  if (!name.startsWith(project)) return getSourceFile(name, ...more)
  if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...more))
  return parsed.get(name)
}

/** @returns the problems of the files and of what they import beyond the project, which `npm run typecheck` checks */
export function problemsOf(files: readonly string[]): TypeProblem[] {
  const typeRoots = [join(project, 'node_modules/@types')]
  const program = ts.createProgram([...files], { ...options, typeRoots }, host)
  const sources = program.getSourceFiles().filter(({ fileName }) => !fileName.startsWith(project))
  const found = [
    ...[
      program.getConfigFileParsingDiagnostics(),
      program.getOptionsDiagnostics(),
      program.getGlobalDiagnostics()
    ],
    ...sources.map((source) => program.getSyntacticDiagnostics(source)),
    ...sources.map((source) => program.getSemanticDiagnostics(source))
  ]
  return found.flat().map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1
    return {
      file: file?.fileName ?? '',
      text: `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    }
  })
}
