/** Type-checks generated contracts under the project's own settings. */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import ts from 'typescript'

const project = resolve(import.meta.dirname, '../..')
const engine = join(project, 'src/contract/server.ts')
const service = join(project, 'src/service/service.ts')

/** @returns the files to check: a server for the contract, and test/types/NAME.ts if there is one */
export async function checksOf(name: string, folder: string): Promise<string[]> {
  const server = join(folder, 'server-check.ts')
  await writeFile(server, serverCheck)
  const particular = join(project, 'test/types', `${name}.ts`)
  const copy = join(folder, basename(particular))
  const text = await readFile(particular, 'utf8').catch(() => undefined)
  const exists = text !== undefined
  if (exists) await writeFile(copy, text.replace("'ENGINE'", JSON.stringify(engine)))
  return exists ? [server, copy] : [server]
}

/** The server takes exactly the handlers that the contract declares, and so does a service. */
const serverCheck = `import contract, { type Handlers, type SecurityHandlers } from './contract.ts'
import { createContractServer, type Handlers as HandlersOf } from ${JSON.stringify(engine)}
import { defineService, type ServiceStore } from ${JSON.stringify(service)}
declare const handlers: Handlers
declare const security: SecurityHandlers
const errorBody = () => ({})
export const server = createContractServer({ contract, handlers, security, errorBody })
export const same: HandlersOf<typeof contract> = handlers
// @ts-expect-error a handler for no operation
export const surplus = createContractServer({ contract, handlers: { ...handlers, surplus: () => ({ status: 200 }) }, security, errorBody })
// @ts-expect-error a security handler for no scheme
export const scheme = createContractServer({ contract, handlers, security: { ...security, surplus: () => true }, errorBody })
export const service = defineService({ contract, handlers: () => handlers, security, errorBody })
export const maker = defineService({ contract, handlers: () => handlers, security: () => security, errorBody })
// @ts-expect-error handlers of a store that is never opened
export const stored = defineService({ contract, handlers: (_store: ServiceStore) => handlers, security, errorBody })
// @ts-expect-error no handlers
export const without = defineService({ contract, handlers: () => undefined, security, errorBody })
`

export interface TypeProblem {
  readonly file: string
  readonly text: string
}

const settings = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile).config
const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, project)
const host = ts.createCompilerHost(options)
// As tsc does: comments decide nothing.
host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors

/** The files of the project and of its packages, which do not change while the tests run. */
const parsed = new Map<string, ts.SourceFile | undefined>()
const { getSourceFile } = host
host.getSourceFile = (name, ...more) => {
  if (!name.startsWith(project)) return getSourceFile(name, ...more)
  if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...more))
  return parsed.get(name)
}

/** @returns the problems of the files and of what they import beyond the project, which `npm run typecheck` checks */
export function diagnose(files: readonly string[]): TypeProblem[] {
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
      text: `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }
  })
}
