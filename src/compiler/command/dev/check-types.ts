/** Process that checks the types of a project as `tsc --noEmit --incremental` does, as often as it is asked to. */
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuilderProgram, CompilerOptions, Diagnostic, SourceFile } from 'typescript'
import type { ContractProblem } from '../../compiler.ts'

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

/** Files as the last check has parsed them, by name and all settings. */
let parsed = new Map<string, SourceFile>()

// Each message asks for a check. The process ends with its channel.
process.on('message', () => {
  process.send?.(check())
  // What the check has made is garbage, a third of the memory until the next one.
  setImmediate(() => globalThis.gc?.())
})

function check(): readonly ContractProblem[] {
  const faults: Diagnostic[] = []
  const config = ts.getParsedCommandLineOfConfigFile(
    resolve(folder, 'tsconfig.json'),
    { noEmit: true, incremental: true, tsBuildInfoFile },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (fault) => faults.push(fault) }
  )
  const options = config?.options ?? {}
  const { host, used } = keepingHost(options)
  const program = ts.createIncrementalProgram({
    rootNames: config?.fileNames ?? [],
    options,
    configFileParsingDiagnostics: config?.errors ?? faults,
    host
  })
  const found = diagnosticsOf(program)
  program.emit()
  parsed = used
  return found.map(problemOf)
}

/** Lines of a message: the cause of a nested one is further down than is read. */
const maxLines = 3

function problemOf({ file, start = 0, messageText, code }: Diagnostic): ContractProblem {
  const place = file?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 }
  const lines = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n').slice(0, maxLines)
  return {
    severity: 'error',
    file: file?.fileName ?? resolve(folder, 'tsconfig.json'),
    line: place.line + 1,
    column: place.character + 1,
    message: `${lines.map((text) => text.trim()).join(' ')} (TS${code})`
  }
}

/** Returns a host that parses only files whose text has changed. */
function keepingHost(options: CompilerOptions) {
  // A parsed file also holds what the options have made of it.
  const made = JSON.stringify(options)
  const host = ts.createIncrementalCompilerHost(options)
  const used = new Map<string, SourceFile>()
  const { getSourceFile } = host
  host.getSourceFile = (name, settings, ...others) => {
    const key = `${made} ${JSON.stringify(settings)} ${name}`
    const known = parsed.get(key)
    const file = known?.text === host.readFile(name) ? known : getSourceFile(name, settings, ...others)
    if (file !== undefined) used.set(key, file)
    return file
  }
  return { host, used }
}

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
