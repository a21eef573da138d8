/** Servers that esbuild and tsc have built from generated code. Each runs in a folder without its sources. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type BuildOptions, build } from 'esbuild'
import t, { type Test } from 'tap'
import { writeFiles } from '../../src/compiler/compile/emit/write.ts'
import { compileCached } from '../contracts/compile-cache.ts'
import { run } from '../e2e/running.ts'
import { until } from '../time.ts'
import { keptVerdict, projectDigest, textsDigest } from '../type-verdicts.ts'

t.setTimeout(900_000)

/** Number of operations for which a server loads their code at the first request. */
const count = 301
const numberFrom = (minimum: number) => {
  return { type: 'object', required: ['n'], properties: { n: { type: 'integer', format: 'int64', minimum } } }
}
const schemas = { Small: numberFrom(0), Large: numberFrom(count - 1) }
const paths = Array.from({ length: count }, (_, number) => {
  const name = number === count - 1 ? 'Large' : 'Small'
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  const responses = { 200: { description: 'the same', content } }
  return [
    `/o${number}`,
    { post: { operationId: `o${number}`, requestBody: { required: true, content }, responses } }
  ]
})
const many = {
  ...{ openapi: '3.1.0', info: { title: 'Many', version: '1' } },
  ...{ paths: Object.fromEntries(paths), components: { schemas } }
}

const server = `
import { createContractServer } from '@contract-first/engine/server'
import many from './many/contract.ts'
import own from './own/contract.ts'

const common = {
  errorBody: ({ message }: { message: string }) => ({ error: 4000, message }),
  checkedAtBuild: true
}

async function main(): Promise<void> {
  const plants = await createContractServer({
    ...common,
    contract: own,
    security: { bearerAuth: async (token) => ({ token }) },
    handlers: { createPlant: async ({ body }) => ({ status: 200, body }) }
  })
  const echo = async ({ body }: { body: unknown }) => ({ status: 200, body })
  const ids = Array.from({ length: ${count} }, (_, number) => \`o\${number}\`)
  const others = await createContractServer({
    ...common,
    contract: many,
    handlers: Object.fromEntries(ids.map((id) => [id, echo])),
    security: {}
  })
  const urls = await Promise.all([plants, others].map((app) => app.listen({ host: '127.0.0.1', port: 0 })))
  console.log(JSON.stringify(urls))
}

void main()
`

const service = `
import { defineService, runMain } from '@contract-first/service'
import contract from './own/contract.ts'

const service = defineService({
  contract,
  security: { bearerAuth: async (token) => ({ token }) },
  handlers: () => ({ createPlant: async ({ body }) => ({ status: 200, body }) }),
  errorBody: ({ message }) => ({ error: 4000, message }),
  errorLabel: () => '4000',
  errorReason: () => '',
  checkedAtBuild: true
})

void runMain({
  manifest: { version: '1' },
  contract: async () => contract,
  service: async () => service
})
`

/** Exports of the engine that the server uses. */
const engine = `
interface Options {
  readonly contract: { readonly format: string; readonly operations: readonly object[] }
  readonly handlers: Readonly<Record<string, (request: { readonly body: unknown }) => Promise<object>>>
  readonly security: Readonly<Record<string, (credential: string) => Promise<object>>>
  readonly errorBody: (failure: { readonly message: string }) => object
  readonly checkedAtBuild: boolean
}
interface App { listen(options: { readonly host: string; readonly port: number }): Promise<string> }
export declare function createContractServer(options: Options): Promise<App>
`

/** Writes a project of this contract and of one with many operations, compiled, and of a server for both. */
async function writeConsumer(folder: string, compilerOptions: object): Promise<void> {
  await mkdir(folder)
  await cp('openapi.yaml', join(folder, 'own.yaml'))
  const tsconfig = JSON.stringify({ compilerOptions, files: ['main.ts'] })
  const files = { 'many.json': JSON.stringify(many), 'tsconfig.json': tsconfig, 'main.ts': server }
  for (const [name, text] of Object.entries({ ...files, 'service.ts': service, 'engine.d.ts': engine }))
    await writeFile(join(folder, name), text)
  for (const file of ['own.yaml', 'many.json']) {
    const out = join(folder, file.replace(/\..*/, ''))
    await writeFiles(await compileCached(join(folder, file), out), out)
  }
}

const folder = t.testdir({})
/** Folders of generated code in JavaScript and in TypeScript. */
const [javascript, typescript] = [join(folder, 'javascript'), join(folder, 'typescript')]
await writeConsumer(javascript, { noEmit: true })
await writeConsumer(typescript, {
  ...{ target: 'esnext', module: 'nodenext', lib: ['esnext'], types: ['node'], outDir: 'dist' },
  ...{ declaration: true, rewriteRelativeImportExtensions: true, strict: true, verbatimModuleSyntax: true },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
  ...{ noUnusedLocals: true, noUnusedParameters: true },
  // Another test checks the types of the engine, which take most of the time.
  paths: { '@contract-first/engine/server': ['./engine.d.ts'] }
})

/** Fastify's packages are CommonJS, which calls \`require\`. */
const requireBanner =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/** Makes a folder without any file of the project, as a bundle is deployed. */
async function emptyFolder(t: Test): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'built-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

interface BuiltServer {
  /** Creates a plant. */
  readonly plants: (body: string) => Promise<object>
  /** Calls the last of many operations. */
  readonly many: (body: string) => Promise<object>
}

/** @throws {Error} with the output of a server that ends without having printed its URLs */
async function startBuilt(t: Test, file: string): Promise<BuiltServer> {
  const child = spawn(process.execPath, [file], { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (data) => (errors += data))
  const ended = once(child, 'close').then(() => Promise.reject(new Error(errors)))
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  const [plants, many] = JSON.parse(String(line)) as [string, string]
  const post = (url: string) => async (body: string) => {
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    return { status: response.status, body: await response.text() }
  }
  return { plants: post(`${plants}/plants`), many: post(`${many}/o300`) }
}

async function checkAnswers(t: Test, { plants, many }: BuiltServer): Promise<void> {
  t.same(await plants('{"id":1,"name":"a"}'), { status: 200, body: '{"name":"a"}' })
  t.match(await plants('{"id":1}'), { status: 400, body: /body\/name is required/ })
  t.same(await many('{"n":9007199254740993}'), { status: 200, body: '{"n":9007199254740993}' })
  t.match(await many('{"n":299}'), { status: 400, body: /body\/n must be >= 300/ })
}

/** Starts the server while the validators of many operations are missing: the first request loads them. */
async function checkLazyLoading(t: Test, path: string, entry: string): Promise<void> {
  // The packages are those of the project: other tests write below them.
  const exclude = (name: string) => basename(name) === 'node_modules'
  const files = globSync('**/validators*js', { cwd: path, exclude }).map((name) => join(path, name))
  const texts = await Promise.all(files.map((name) => readFile(name, 'utf8')))
  const late = String(files.find((_, index) => texts[index]?.includes('request_Large')))
  await rename(late, `${late}.away`)
  const server = await startBuilt(t, join(path, entry))
  await rename(`${late}.away`, late)
  await checkAnswers(t, server)
}

async function bundle(outdir: string, options: BuildOptions, entry = 'main.ts'): Promise<void> {
  const { warnings } = await build({
    entryPoints: [join(javascript, entry)],
    bundle: true,
    platform: 'node',
    outdir,
    logLevel: 'silent',
    ...options
  })
  const unexpected = warnings.filter(({ id }) => id !== 'empty-import-meta')
  if (unexpected.length > 0) throw new Error(JSON.stringify(unexpected))
}

t.test('CommonJS requires generated code, the engine and the service', async (t) => {
  const require = createRequire(import.meta.url)
  t.equal(require('../../generated/contract.ts').default.title, 'Plant Store')
  for (const door of ['engine/server', 'engine/errors', 'engine/codec', 'service'])
    t.ok(Object.keys(require(`@contract-first/${door}`)).length > 0, door)
})

t.test('esbuild: ES modules, with every package', async (t) => {
  const path = await emptyFolder(t)
  await bundle(path, {
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    banner: { js: requireBanner }
  })
  await checkLazyLoading(t, path, 'main.mjs')
})

t.test('esbuild: one file of CommonJS, with every package', async (t) => {
  const path = await emptyFolder(t)
  await bundle(path, { format: 'cjs', outExtension: { '.js': '.cjs' } })
  t.same(await readdir(path), ['main.cjs'])
  await checkAnswers(t, await startBuilt(t, join(path, 'main.cjs')))
})

t.test('esbuild: a service in one file, with its docs page', async (t) => {
  const path = await emptyFolder(t)
  const options: BuildOptions = { format: 'cjs', outExtension: { '.js': '.cjs' }, external: ['pino-pretty'] }
  await bundle(path, options, 'service.ts')
  const { output } = run(t, { PORT: '0' }, [], join(path, 'service.cjs'))
  const listening = /listening at (http:[^"]+)/
  await until(() => listening.test(output()))
  const url = listening.exec(output())?.[1]
  const textOf = async (file: string) => (await fetch(`${url}/${file}`)).text()
  t.equal(await textOf('openapi.yaml'), await readFile('openapi.yaml', 'utf8'))
  t.match(await textOf('docs'), '<title>Plant Store</title>')
  t.equal(await textOf('docs/style.css'), await readFile('src/service/docs/page/style.css', 'utf8'))
  t.ok((await textOf('docs/scalar.js')).length > 1_000_000)
})

t.test('tsc: a strict project that takes no JavaScript', async (t) => {
  const path = await emptyFolder(t)
  const key = projectDigest() + textsDigest(typescript)
  const { problems, files } = await keptVerdict('bundling', key, compileConsumer)
  t.equal(problems, '')
  for (const [name, text] of files) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  await writeFile(join(path, 'package.json'), '{ "type": "module" }')
  await symlink(resolve('node_modules'), join(path, 'node_modules'))
  await checkLazyLoading(t, path, 'main.js')
})

/** Compiles with the settings of the consumer; file names are relative. */
async function compileConsumer(): Promise<{ problems: string; files: [name: string, text: string][] }> {
  const { default: ts } = await import('typescript')
  const { config } = ts.readConfigFile(join(typescript, 'tsconfig.json'), ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, typescript)
  const program = ts.createProgram(fileNames, { ...options, outDir: '/out' })
  const files: [string, string][] = []
  const { diagnostics } = program.emit(undefined, (name, text) => files.push([relative('/out', name), text]))
  const found = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
  const host = { ...ts.sys, getNewLine: () => '\n', getCanonicalFileName: String }
  return { problems: ts.formatDiagnostics(found, host), files }
}
