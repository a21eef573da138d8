/** Servers that esbuild and tsc have built from generated code. Each runs in a folder without its sources. */
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import t, { type Test } from 'tap'
import { run } from '../e2e/running.ts'
import { until } from '../time.ts'
import { keptVerdict, projectDigest, textsDigest } from '../type-verdicts.ts'
import { type BuiltServer, startBuilt } from './built-server.ts'
import { writeConsumer } from './consumer.ts'

t.setTimeout(900_000)

const folder = t.testdir({})
/** Folders of generated code in JavaScript and in TypeScript. */
const [javascript, typescript] = [join(folder, 'javascript'), join(folder, 'typescript')]
await writeConsumer(javascript, { noEmit: true })
await writeConsumer(typescript, {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext'],
  types: ['node'],
  outDir: 'dist',
  declaration: true,
  rewriteRelativeImportExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
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

/** Makes the installed packages reachable for a folder. */
const linkPackages = (path: string) => symlink(resolve('node_modules'), join(path, 'node_modules'))

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
  await linkPackages(path)
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
