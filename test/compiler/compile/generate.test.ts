import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { generate } from '../../../src/compiler/compile/generate.ts'
import { ContractError } from '../../../src/contract/diagnostics/problem.ts'
import { createClient, injectFetch } from '../../../src/engine/client.ts'
import { createContractServer } from '../../../src/engine/server.ts'

t.setTimeout(900_000)

const contractOf = (maximum: string): string => `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/A' } } }
components:
  schemas:
    A: { type: integer, format: int64, maximum: ${maximum} }
`

t.test('documents are compared to the last digit of a number', async (t) => {
  const folder = t.testdir({ 'c.yaml': contractOf('9007199254740993') })
  const [contract, out] = [join(folder, 'c.yaml'), join(folder, 'out')]
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
})

t.test('the text of the contract stands in one file', async (t) => {
  const folder = t.testdir({ 'c.yaml': `${contractOf('1')}x-word: heliotrope\n` })
  const { compiled } = await generate({ contract: join(folder, 'c.yaml'), out: join(folder, 'out') })
  const holding = [...compiled.files].filter(([, text]) => text.includes('heliotrope'))
  t.same(
    holding.map(([name]) => name),
    ['document.js']
  )
  t.equal(String(holding).split('heliotrope').length, 2, 'once')
})

t.test('the folder and its parents are made, or the error names the folder', async (t) => {
  const folder = t.testdir({ 'c.yaml': contractOf('1'), file: '' })
  const contract = join(folder, 'c.yaml')
  await generate({ contract, out: join(folder, 'a/b/c') })
  t.ok((await readdir(join(folder, 'a/b/c'))).includes('contract.ts'))
  const refused: [string, string][] = [
    ['/proc/x/y', 'ENOENT'],
    [join(folder, 'file'), 'EEXIST'],
    [join(folder, 'file/b'), 'ENOTDIR'],
    [join(folder, 'file/b/c'), 'ENOTDIR']
  ]
  for (const [out, code] of refused) await t.rejects(generate({ contract, out }), { code }, out)
})

t.test('without an earlier document everything is new', async (t) => {
  const folder = t.testdir({ 'c.yaml': contractOf('1') })
  const out = join(folder, 'out')
  await mkdir(out)
  for (const text of ['', 'not a document', 'export const yaml = `a: {`', 'export const yaml = `[]`']) {
    await writeFile(join(out, 'document.js'), text)
    const { documents } = await generate({ contract: join(folder, 'c.yaml'), out })
    t.equal(documents.before, undefined)
  }
})

t.test('onFile gets every file before it is read, and a contract with errors writes nothing', async (t) => {
  const folder = t.testdir({ 'c.yaml': contractOf('1').replace('#/components', 'gone.yaml#') })
  const files: string[] = []
  const failed = generate({
    contract: join(folder, 'c.yaml'),
    out: join(folder, 'out'),
    onFile: (path) => files.push(path)
  })
  await t.rejects(failed, ContractError)
  t.same(
    files,
    ['c.yaml', 'gone.yaml'].map((name) => join(folder, name))
  )
  t.same(await readdir(folder), ['c.yaml'])
})

t.test('generated files outside of a package are a package of ES modules', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'generate-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'c.yaml'), contractOf('1'))
  const [contract, out] = [join(folder, 'c.yaml'), join(folder, 'out')]
  t.ok((await generate({ contract, out })).differing.includes('package.json'))
  t.same((await generate({ contract, out, check: true })).differing, [], 'it is its own')
  for (const [where, text] of [
    [out, '{ "name": "theirs" }'],
    [folder, '{ "type": "module" }']
  ] as const) {
    await rm(join(out, 'package.json'), { force: true })
    await writeFile(join(where, 'package.json'), text)
    const { compiled } = await generate({ contract, out, check: true })
    t.notOk(compiled.files.has('package.json'), `not beside or below ${text}`)
  }
})

t.test('a strict run refuses exactly what the compiler warns about', async (t) => {
  const folder = t.testdir({
    'good.yaml': contractOf('1'),
    'warned.yaml': contractOf('1').replace('operationId: a', 'description: a'),
    'wrong.yaml': contractOf('1').replace('operationId: a', 'security: [{ none: [] }]')
  })
  const run = (name: string, strict: boolean) =>
    generate({ contract: join(folder, name), out: join(folder, name, '../out'), strict }).catch(
      (error) => error
    )
  t.match(await run('good.yaml', true), { compiled: {} }, 'style is no warning')
  t.match(await run('warned.yaml', false), { compiled: {} })
  const errorsOf = async (name: string, strict: boolean) => {
    const { problems } = (await run(name, strict)) as ContractError
    return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message.slice(0, 20))
  }
  t.strictSame(await errorsOf('warned.yaml', true), ['GET /a has no operat'])
  t.strictSame(
    await errorsOf('wrong.yaml', true),
    ['security scheme none'],
    'a missing operationId may follow from the error'
  )
  t.strictSame(await errorsOf('wrong.yaml', false), ['security scheme none'])
})

t.test('code in another language replaces the earlier code', async (t) => {
  const folder = t.testdir({ 'c.yaml': contractOf('1'), 'tsconfig.json': '{}' })
  const [contract, out] = [join(folder, 'c.yaml'), join(folder, 'out')]
  const first = await generate({ contract, out, check: true })
  t.ok(first.differing.includes('operations.js'))
  await generate({ contract, out })
  const emits = '{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }'
  await writeFile(join(folder, 'tsconfig.json'), emits)
  await writeFile(join(out, 'mine.js'), '// by hand')
  const left = [
    'client.d.ts',
    'client.js',
    'document.js',
    'operations.d.ts',
    'operations.js',
    'requests.js',
    'schemas.js',
    'serializers.js',
    'validators.js'
  ]
  const check = await generate({ contract, out, check: true })
  t.same(check.differing.slice(-left.length).sort(), left)
  t.same((await generate({ contract, out })).differing, check.differing.slice(0, -left.length))
  const files = (await readdir(out)).filter((name) => /\.[jt]s$/.test(name)).sort()
  t.same(files, [
    'client.ts',
    'contract.ts',
    'document.ts',
    'mine.js',
    'operations.ts',
    'requests.ts',
    'schemas.ts',
    'serializers.ts',
    'types.ts',
    'validators.ts'
  ])
  t.same((await generate({ contract, out, check: true })).differing, [])
})

t.test('the client can be left out: its files go, and a call of it says why', async (t) => {
  const folder = t.testdir({ 'c.yaml': contractOf('5') })
  const paths = { contract: join(folder, 'c.yaml'), out: join(folder, 'out') }
  await generate(paths)
  await generate({ ...paths, client: false })
  const texts = await Promise.all(
    (await readdir(paths.out)).map(async (name) => [name, await readFile(join(paths.out, name), 'utf8')])
  )
  t.strictSame(
    texts.filter(([name]) => String(name).startsWith('client')),
    []
  )
  for (const [name, text] of texts)
    t.notMatch(text, /client\.js|ContractClient|ClientOperation|Answer\b/, String(name))
  const { default: contract } = await import(pathToFileURL(join(paths.out, 'contract.ts')).href)
  const handlers = { a: () => ({ status: 200, body: 3n }) }
  const app = await createContractServer({
    contract,
    security: {},
    handlers,
    errorBody: () => undefined
  } as never)
  t.equal((await app.inject('/a')).body, '3')
  const client = createClient(contract, { fetch: injectFetch(app) }) as unknown as {
    a: () => Promise<unknown>
  }
  await t.rejects(client.a(), { message: 'package.json has "contract": { "client": false }' })
  t.strictSame((await generate({ ...paths, client: false, check: true })).differing, [])
})
