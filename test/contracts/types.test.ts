/** The generated types of every contract here compile under the project's own settings, and say what test/types expects. */
import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { contractFiles } from './contract-files.ts'
import { type Generated, generate } from './drive.ts'

const project = resolve(import.meta.dirname, '../..')

t.test('types', async (t) => {
  const generated = new Map<string, Generated>()
  for (const [name, path] of contractFiles()) generated.set(name, await generate(t, path))
  const roots = await Promise.all([...generated].map(([name, { folder }]) => checksOf(name, folder)))
  const found = diagnose(roots.flat())
  for (const [name, { folder }] of generated) {
    const own = found.filter(({ file }) => file.startsWith(folder))
    t.strictSame(
      own.map(({ file, text }) => `${relative(folder, file)}: ${text}`),
      [],
      name
    )
  }
})

/** The files to check: the contract, a server for it, and what is expected of it in particular. */
async function checksOf(name: string, folder: string): Promise<string[]> {
  const server = join(folder, 'server-check.ts')
  await writeFile(server, serverCheck)
  const particular = join(project, 'test/types', `${name}.ts`)
  const copy = join(folder, basename(particular))
  const exists = await copyFile(particular, copy).then(
    () => true,
    () => false
  )
  return exists ? [server, copy] : [server]
}

/** Handlers are what the contract asks for, no more and no less, whatever the contract. */
const serverCheck = `import contract, { type Handlers, type SecurityHandlers } from './contract.ts'
import { createContractServer, type Handlers as HandlersOf } from ${JSON.stringify(join(project, 'src/contract/server.ts'))}
declare const handlers: Handlers
declare const security: SecurityHandlers
const errorBody = () => ({})
export const server = createContractServer({ contract, handlers, security, errorBody })
export const same: HandlersOf<typeof contract> = handlers
// @ts-expect-error a handler for no operation
export const surplus = createContractServer({ contract, handlers: { ...handlers, surplus: () => ({ status: 200 }) }, security, errorBody })
// @ts-expect-error a security handler for no scheme
export const scheme = createContractServer({ contract, handlers, security: { ...security, surplus: () => true }, errorBody })
`

interface Found {
  readonly file: string
  readonly text: string
}

function diagnose(files: readonly string[]): Found[] {
  const path = join(project, 'tsconfig.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    project
  )
  const typeRoots = [join(project, 'node_modules/@types')]
  const program = ts.createProgram([...files], { ...options, typeRoots })
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1
    return {
      file: file?.fileName ?? '',
      text: `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }
  })
}
