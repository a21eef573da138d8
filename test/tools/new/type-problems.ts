/** Type-checks new projects. */
import { join } from 'node:path'
import { keptVerdict, projectDigest, textsDigest } from '../../type-verdicts.ts'

/**
 * Compiles projects in one program, with the settings that all of them have: each program reads the packages anew. The
 * folder lies below this project, so that the projects find the packages here.
 */
export const typeProblems = (folder: string, projects: readonly string[]): Promise<string[]> =>
  keptVerdict(folder, projectDigest() + textsDigest(folder), () =>
    compiledProblems(projects.map((name) => join(folder, name)))
  )

async function compiledProblems(folders: readonly string[]): Promise<string[]> {
  const { default: ts } = await import('typescript')
  const parsed = folders.map((folder) => {
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
    return ts.parseJsonConfigFileContent(config, ts.sys, folder)
  })
  const fileNames = parsed.flatMap((each) => each.fileNames)
  const program = ts.createProgram(fileNames, { ...parsed[0]?.options })
  return fileNames
    .flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}
