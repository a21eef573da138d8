/** Process that checks the types of a project as `tsc --noEmit --incremental` does, and writes the problems as JSON. */
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuilderProgram, Diagnostic } from 'typescript'

const folder = process.cwd()
/** File of the results, for the next check. */
const [tsBuildInfoFile = ''] = process.argv.slice(2)

// The project and its `npm run typecheck` have the same TypeScript, which need not be that of the compiler.
const parentURL = pathToFileURL(resolve(folder, 'package.json')).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL } : context)
})
const { default: ts } = await import('typescript')
const { typeProblem } = await import('./type-problem.ts')

const faults: Diagnostic[] = []
const config = ts.getParsedCommandLineOfConfigFile(
  resolve(folder, 'tsconfig.json'),
  { noEmit: true, incremental: true, tsBuildInfoFile },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (fault) => faults.push(fault) }
)
const program = ts.createIncrementalProgram({
  rootNames: config?.fileNames ?? [],
  options: config?.options ?? {},
  configFileParsingDiagnostics: config?.errors ?? faults
})
const found = diagnosticsOf(program)
program.emit()
const checker = program.getProgram().getTypeChecker()
const problems = found.map((diagnostic) => typeProblem(diagnostic, { checker, folder }))
process.stdout.write(JSON.stringify(problems))

/** Wrong settings and wrong syntax have wrong types as a consequence, which are not reported. */
function diagnosticsOf(program: BuilderProgram): readonly Diagnostic[] {
  const causes = [...program.getConfigFileParsingDiagnostics(), ...program.getSyntacticDiagnostics()]
  if (causes.length > 0) return causes
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics()
  ]
}
