/** Files that a generation writes, compares with the last ones, or refuses to write. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { generate } from '../../../src/compiler/compile/generate.ts'
import { ContractError } from '../../../src/contract/diagnostics/problem.ts'
import { createClient, injectFetch } from '../../../src/engine/client.ts'
import { createContractServer } from '../../../src/engine/server.ts'

t.setTimeout(900_000)

const contractOf = (maximum: string): string => `openapi: 3.1.0
info: { title: t, version: '1' }
paths: { /a: { get: { operationId: a, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/A' } } } } } } } }
components: { schemas: { A: { type: integer, format: int64, maximum: ${maximum} } } }
`

/** Returns a folder with the contract `c.yaml` and other files, and the options of its generation. */
function project(t: Test, text = contractOf('1'), files: Record<string, string> = {}) {
  const folder = t.testdir({ 'c.yaml': text, ...files })
  return { folder, contract: join(folder, 'c.yaml'), out: join(folder, 'out') }
}

t.test('documents are compared to the last digit of a number', async (t) => {
  const { folder, contract, out } = project(t, contractOf('9007199254740993'))
  const maximum = (document: unknown) => Object(document).components.schemas.A.maximum
  t.equal((await generate({ contract, out })).documents.before, undefined)
  await writeFile(contract, contractOf('9007199254740992'))
  const check = await generate({ contract, out, check: true })
  t.equal(maximum(check.documents.before), 9007199254740993n)
  t.equal(Number(maximum(check.documents.after)), 9007199254740992)
  await cp(out, join(folder, 'copy'), { recursive: true })
  const others = await generate({ contract, out: join(folder, 'copy'), check: true })
  t.same(others.documents, check.documents, 'also since a run of another process')
  t.same([...check.differing], ['contract.ts', 'client.js', ...check.differing.slice(2)])
  t.match(await readFile(join(out, 'document.js'), 'utf8'), '9007199254740993', 'nothing was written')
  t.match((await generate({ contract, out })).differing, check.differing)
  t.same((await generate({ contract, out })).differing, [])
  for (const text of ['', 'not a document', 'export const yaml = `a: {`', 'export const yaml = `[]`']) {
    await writeFile(join(out, 'document.js'), text)
    t.equal((await generate({ contract, out })).documents.before, undefined, `everything is new: ${text}`)
  }
})

t.test('the text of the contract stands in one file', async (t) => {
  const { compiled } = await generate(project(t, `${contractOf('1')}x-word: heliotrope\n`))
  const holding = [...compiled.files].filter(([, text]) => text.includes('heliotrope'))
  t.strictSame(
    holding.map(([name, text]) => [name, text.split('heliotrope').length]),
    [['document.js', 2]]
  )
})

t.test('the folder and its parents are made, or the error names the folder', async (t) => {
  const { folder, contract } = project(t, contractOf('1'), { file: '' })
  await generate({ contract, out: join(folder, 'a/b/c') })
  t.ok((await readdir(join(folder, 'a/b/c'))).includes('contract.ts'))
  for (const [out, code] of [
    ['/proc/x/y', 'ENOENT'],
    [join(folder, 'file'), 'EEXIST'],
    [join(folder, 'file/b/c'), 'ENOTDIR']
  ] as const)
    await t.rejects(generate({ contract, out }), { code }, out)
})

t.test('onFile gets every file before it is read, and a contract with errors writes nothing', async (t) => {
  const { folder, ...options } = project(t, contractOf('1').replace('#/components', 'gone.yaml#'))
  const files: string[] = []
  await t.rejects(generate({ ...options, onFile: (path) => files.push(path) }), ContractError)
  t.same(
    files,
    ['c.yaml', 'gone.yaml'].map((name) => join(folder, name))
  )
  t.same(await readdir(folder), ['c.yaml'])
})

t.test('generated files outside of a package are a package of ES modules', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'generate-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const [contract, out] = [join(folder, 'c.yaml'), join(folder, 'out')]
  await writeFile(contract, contractOf('1'))
  t.ok((await generate({ contract, out })).differing.includes('package.json'))
  t.same((await generate({ contract, out, check: true })).differing, [], 'it is its own')
})

t.test('a strict run refuses exactly what the compiler warns about', async (t) => {
  const { folder, out } = project(t, contractOf('1'), {
    'warned.yaml': contractOf('1').replace('operationId: a, ', ''),
    'wrong.yaml': contractOf('1').replace('operationId: a', 'security: [{ none: [] }]')
  })
  const errorsOf = async (name: string, strict: boolean) => {
    const problems = await generate({ contract: join(folder, name), out, strict }).then(
      () => [],
      (error: ContractError) => error.problems
    )
    return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message.slice(0, 20))
  }
  t.strictSame(await errorsOf('c.yaml', true), [], 'style is no warning')
  t.strictSame(await errorsOf('warned.yaml', false), [])
  t.strictSame(await errorsOf('warned.yaml', true), ['GET /a has no operat'])
  for (const strict of [true, false])
    t.strictSame(
      await errorsOf('wrong.yaml', strict),
      ['security scheme none'],
      'a missing operationId may follow from the error'
    )
})

t.test('code in another language replaces the earlier code', async (t) => {
  const { folder, ...options } = project(t, contractOf('1'), { 'tsconfig.json': '{}' })
  await generate(options)
  const emits = '{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }'
  await writeFile(join(folder, 'tsconfig.json'), emits)
  await writeFile(join(options.out, 'mine.js'), '// by hand')
  const names = ['client', 'document', 'operations', 'requests', 'schemas', 'serializers', 'validators']
  const left = [...names.map((name) => `${name}.js`), 'client.d.ts', 'operations.d.ts'].sort()
  const check = await generate({ ...options, check: true })
  t.same(check.differing.slice(-left.length).sort(), left)
  t.same((await generate(options)).differing, check.differing.slice(0, -left.length))
  const files = (await readdir(options.out)).filter((name) => /\.[jt]s$/.test(name)).sort()
  t.same(files, ['mine.js', ...[...names, 'contract', 'types'].map((name) => `${name}.ts`)].sort())
  t.same((await generate({ ...options, check: true })).differing, [])
})

t.test('the client can be left out: its files go, and a call of it says why', async (t) => {
  const paths = project(t, contractOf('5'))
  await generate(paths)
  await generate({ ...paths, client: false })
  const names = await readdir(paths.out)
  t.notOk(names.some((name) => name.startsWith('client')))
  for (const name of names)
    t.notMatch(
      await readFile(join(paths.out, name), 'utf8'),
      /client\.js|ContractClient|ClientOperation|Answer\b/,
      name
    )
  const { default: contract } = await import(pathToFileURL(join(paths.out, 'contract.ts')).href)
  const handlers = { a: () => ({ status: 200, body: 3n }) }
  const options = { contract, security: {}, handlers, errorBody: () => undefined }
  const app = await createContractServer(options as never)
  t.equal((await app.inject('/a')).body, '3')
  const client = createClient(contract, { fetch: injectFetch(app) }) as never as {
    a: () => Promise<unknown>
  }
  await t.rejects(client.a(), { message: 'package.json has "contract": { "client": false }' })
  t.strictSame((await generate({ ...paths, client: false, check: true })).differing, [])
})
