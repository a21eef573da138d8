/** `npm run new` in process: its files, its output, and its refusals. */
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import t, { type Test } from 'tap'
import type { Mistake } from '../../../src/cli/command.ts'
import { paintFor } from '../../../src/cli/format.ts'
import { grammar, readNewOptions } from '../../../src/tools/new/command/new.ts'
import type { NewCommand } from '../../../src/tools/new/command/run.ts'
import { type NewSurroundings, runNew } from '../../../src/tools/new/command/run.ts'
import { commandOutcome } from '../../cli/command-outcome.ts'
import { typeProblems } from './type-problems.ts'

t.setTimeout(900_000)

const contracts = resolve(import.meta.dirname, '../../projects/contracts')
const paint = paintFor({}, {})
const surroundings: NewSurroundings = {
  paints: { output: paint, errors: paint },
  vendor: async () => undefined,
  install: async () => undefined,
  makeRepository: async () => 'a repository with a first commit'
}

const make = (options: Partial<NewCommand> & Pick<NewCommand, 'folder' | 'contract'>) =>
  runNew({ mock: false, ...options }, surroundings)

async function refusal(t: Test, command: Parameters<typeof make>[0], more: Partial<NewSurroundings> = {}) {
  const error = await runNew({ mock: false, ...command }, { ...surroundings, ...more }).catch(
    (thrown) => thrown
  )
  t.equal(error.constructor.name, 'Mistake')
  return (error as Mistake).problems.join('\n')
}

const textOf = (folder: string) => (path: string) => readFile(join(folder, path), 'utf8')

t.test('a project has a handler for each operation, by tag, and the other files of a service', async (t) => {
  const folder = join(t.testdir({}), 'museum')
  const { output, errors, exitCode } = await make({ folder, contract: join(contracts, 'museum.yaml') })
  t.equal(exitCode, 0)
  const read = textOf(folder)
  t.equal(errors, '')
  t.match(output, /made +.*museum\n/)
  t.match(
    output,
    /handlers +8 operations in 3 folders of src\/handlers, each answers 501 until you write it\n/
  )
  t.match(output, /failures +every failure has a body that the contract declares\n/)
  t.match(output, /security +src\/security\.ts refuses every client until you write MuseumLogin\n/)
  t.match(output, /test +a valid request for every operation\n/)
  t.match(output, /git +a repository with a first commit\n/)
  t.match(output, /Next:\n\n {2}cd .*museum\n {2}npm start\n$/)
  t.strictSame((await readdir(folder)).sort(), [
    '.dockerignore',
    '.editorconfig',
    '.gitattributes',
    '.github',
    '.gitignore',
    '.npmrc',
    '.nvmrc',
    '.vscode',
    'Dockerfile',
    'README.md',
    'biome.json',
    'generated',
    'openapi.yaml',
    'package.json',
    'redocly.yaml',
    'src',
    'test',
    'tsconfig.json'
  ])
  t.equal(await read('openapi.yaml'), await readFile(join(contracts, 'museum.yaml'), 'utf8'))
  t.match(await read('src/handlers/events/get-special-event.ts'), /new FailureError\('not-implemented'\)/)
  t.match(
    await read('src/handlers/handlers.ts'),
    /\n {4}buyMuseumTickets: buyMuseumTickets\(store\),\n {4}getTicketCode: getTicketCode\(store\)\n {2}\}/
  )
  t.match(await read('src/security.ts'), /\n {2}MuseumLogin: \(\) => undefined\n/)
  t.match(await read('src/store/migrations.ts'), /\n {2}\/\/ '001-items': \{\n/, 'an example, and no table')
  t.match(JSON.parse(await read('package.json')), {
    name: 'museum',
    description: 'City Museum',
    private: true
  })
  t.ok((await read('src/main.ts')).split('\n').length <= 15)
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { name, parentPath } of files.filter((file) => file.isFile()))
    t.notMatch(await readFile(join(parentPath, name), 'utf8'), /plant/i, name)
})

t.test(
  'the store of a project opens its file, migrates it, and keeps what a transaction commits',
  async (t) => {
    const here = t.testdir({})
    const folder = join(here, 'shop')
    await make({ folder, contract: resolve('openapi.yaml') })
    const example = join(folder, 'src/store/migrations.ts')
    const written = (await readFile(example, 'utf8')).replaceAll(/^( +)\/\/ /gm, '$1')
    await writeFile(example, written)
    const { openStore } = await import(join(folder, 'src/store/store.ts'))
    const url = `sqlite:${join(here, 'data/shop.db')}`
    const refused = { message: /^DATABASE_URL names .*shop\.db, which cannot be opened: unable to open/ }
    await t.rejects(openStore(url, { makesFolders: false }), refused)
    for (const run of [1, 2]) {
      const { db, ready, close } = await openStore(url, { makesFolders: true })
      await db
        .insertInto('items')
        .values({ name: `kept ${run}` })
        .execute()
      const undone = db.transaction().execute(async (trx: typeof db) => {
        await trx.insertInto('items').values({ name: 'undone' }).execute()
        throw new Error('undone')
      })
      await t.rejects(undone, { message: 'undone' })
      t.equal((await db.selectFrom('items').selectAll().execute()).length, run)
      t.equal(await ready(), true)
      await close()
      t.equal(await ready(), false)
    }
    const other = openStore('postgres://localhost/shop', { makesFolders: true })
    await t.rejects(other, { message: 'DATABASE_URL names no SQLite file; expected sqlite:PATH' })
    const { NodeSqliteDialect } = await import(join(folder, 'src/store/node-sqlite.ts'))
    await writeFile(example, written.replaceAll('001-items', '001-orders'))
    const { migrate } = await import(`${example}?replaced`)
    const filled = new Kysely<unknown>({ dialect: new NodeSqliteDialect(join(here, 'data/shop.db')) })
    const gone =
      /^the database does not fit src\/store\/migrations\.ts: .*001-items is missing\. .*DATABASE_URL/
    await t.rejects(migrate(filled), { name: 'StartError', message: gone })
    await filled.destroy()
    const db = new Kysely<unknown>({ dialect: new NodeSqliteDialect(':memory:') })
    const up = async (trx: typeof db) => {
      await trx.schema.createTable('half').addColumn('id', 'integer').execute()
      throw new Error('half-way')
    }
    const provider = { getMigrations: async () => ({ '001-half': { up } }) }
    t.match(await new Migrator({ db, provider }).migrateToLatest(), { error: { message: 'half-way' } })
    t.strictSame(await db.introspection.getTables(), [], 'a migration that fails leaves nothing')
    await db.destroy()
  }
)

t.test('with --mock handlers answer examples, and without it the project compiles, too', async (t) => {
  const root = t.testdir({})
  const foreign = (name: string) => resolve(import.meta.dirname, `../../contracts/${name}.yaml`)
  const read = textOf(root)

  t.comment('an example is cast when the type is narrower than the schema')
  const schema = { allOf: [{ type: 'integer' }, { type: 'integer', format: 'int64' }] }
  const content = { 'application/json': { schema, example: 5 } }
  const operation = { operationId: 'get', responses: { 200: { description: 'ok', content } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { '/a': { get: operation } }
  }
  await writeFile(join(root, 'both.json'), JSON.stringify(document))
  const both = { folder: join(root, 'both'), contract: join(root, 'both.json'), mock: true }
  t.match((await make(both)).output, /1 operation in 1 folder of src\/handlers, each answers an example of/)
  const handler = await read('both/src/handlers/a/get.ts')
  t.match(handler, 'return async (): Promise<GetResponse> => ({ status: 200, body: 5n } as never)\n')

  t.comment('a stream has its first items')
  await make({ folder: join(root, 'streams'), contract: foreign('streams'), mock: true })
  const stream = await read('streams/src/handlers/events/events.ts')
  t.match(stream, /body: \[\n +\{\n? *data: \{\n? *id: \d+n,/)
  t.notMatch(stream, / as never/)

  await make({ folder: join(root, 'unwritten'), contract: foreign('streams') })
  t.strictSame(await typeProblems(root, ['both', 'streams', 'unwritten']), [])
})

t.test('a contract of several files keeps its folders; names that collide are numbered', async (t) => {
  const folder = join(t.testdir({}), 'My Warehouse')
  const { output } = await make({ folder, contract: join(contracts, 'warehouse/openapi.yaml') })
  const read = textOf(folder)
  t.match(output, /\n {2}cd '.*My Warehouse'\n/)
  t.notMatch(output, /security/)
  t.strictSame((await readdir(join(folder, 'contract'), { recursive: true })).sort(), [
    'openapi.yaml',
    'paths',
    'paths/items.yaml',
    'schemas',
    'schemas/item.yaml',
    'schemas/problem.json'
  ])
  t.match(JSON.parse(await read('package.json')), {
    name: 'my-warehouse',
    contract: { file: 'contract/openapi.yaml' }
  })
  t.match(await read('generated/contract.ts'), /file: '\.\.\/contract\/openapi\.yaml'/)
  t.match(
    await read('src/handlers/handlers.ts'),
    /'Items\.List': itemsList\(store\),\n {4}items_list: itemsList2\(store\),\n {4}class: classOperation\(store\)\n/
  )
  t.match(await read('src/failures.ts'), /'items_list 400': itemsList400/)
  t.match(await read('src/security.ts'), /SecurityHandlers = \{\}/)
})

t.test('a failure without a fitting body, and an operation without a request, are reported', async (t) => {
  const impossible = { allOf: [{ type: 'string' }, { type: 'number' }] }
  const content = { 'application/json': { schema: impossible } }
  const missing = { description: 'x', content: { 'application/json': { schema: { type: 'string' } } } }
  const operation = {
    requestBody: { required: true, content },
    responses: { 400: { description: 'x', content }, 404: missing }
  }
  const here = t.testdir({
    'openapi.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Impossible', version: '1' },
      paths: { '/': { post: operation } }
    })
  })
  const { output } = await make({ folder: join(here, 'x'), contract: join(here, 'openapi.json') })
  t.match(output, /failures +1 failure without a body that the contract declares\n/)
  t.match(output, /\nwithout a body that fits:\n\n {2}post 400: body must be number\n/)
  t.match(output, /test +no valid request was found for post: write it into test\/fixtures\.ts\n/)
})

t.test(
  'a folder that is taken, a missing file and a wrong contract are refused, and nothing is written',
  async (t) => {
    const here = t.testdir({
      full: { file: 'mine' },
      'broken.yaml':
        'openapi: 3.1.0\ninfo: { title: x, version: a }\npaths: { /x: { get: { responses: { 200: { $ref: "#/none" } } } } }\n'
    })
    const contract = join(contracts, 'museum.yaml')
    t.match(
      await refusal(t, { folder: join(here, 'full'), contract }),
      /full cannot be made: it is not empty; name a folder/
    )
    t.match(
      await refusal(t, { folder: join(here, 'broken.yaml'), contract }),
      /there is a file of this name; name a folder/
    )
    t.match(
      await refusal(t, { folder: join(here, 'new'), contract: join(here, 'none.yaml') }),
      /there is no such file; --contract/
    )
    t.match(await refusal(t, { folder: process.cwd(), contract }), /^\. cannot be made: it is not empty/)
    t.match(await refusal(t, { folder: '/', contract }), /^\/ cannot be made: it is not empty/)
    const report = await refusal(t, { folder: join(here, 'new'), contract: join(here, 'broken.yaml') })
    t.match(report, /broken\.yaml:3:\d+ .*#\/none/)
    t.match(report, /nothing was written$/)
    t.strictSame((await readdir(here, { recursive: true })).sort(), ['broken.yaml', 'full', 'full/file'])
  }
)

t.test(
  'the copies of a contract refer to each other, and other users read them as little as the originals',
  async (t) => {
    const here = t.testdir({
      api: {
        'openapi.yaml': `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things: { get: { operationId: things, responses: { '200': { $ref: ../shared/ok.yaml } } } }
`
      },
      shared: { 'ok.yaml': 'description: OK' }
    })
    const contract = join(here, 'api/openapi.yaml')
    await chmod(join(here, 'shared/ok.yaml'), 0o600)
    const folder = join(here, 'new')
    await t.rejects(make({ folder, contract }), {
      message: /api\/openapi.yaml:4:\d+ .* it is outside of the folder of the contract/
    })
    await make({ folder, contract, root: here })
    t.equal((await stat(join(folder, 'contract/shared/ok.yaml'))).mode & 0o777, 0o600)
    t.match(JSON.parse(await textOf(folder)('package.json')), {
      contract: { file: 'contract/api/openapi.yaml', root: 'contract' }
    })
    t.match(await textOf(folder)('generated/contract.ts'), 'contract/shared/ok.yaml')
  }
)

t.test(
  'a project whose packages npm does not install is kept, and the next step installs them',
  async (t) => {
    const folder = join(t.testdir({}), 'museum')
    const offline = { ...surroundings, install: async () => 'npm error code ENOTFOUND' }
    const command = { folder, contract: join(contracts, 'museum.yaml'), mock: false }
    const { output, errors, exitCode } = await runNew(command, offline)
    t.equal(exitCode, 1)
    t.equal(errors, 'npm has not installed the packages:\nnpm error code ENOTFOUND\n')
    t.match(
      output,
      /Next:\n\n {2}cd .*museum\n {2}npm install\n {2}npm run format\n {2}git init && .*\n {2}npm start\n$/
    )
    t.match(await textOf(folder)('src/main.ts'), 'runMain')
  }
)

t.test('each step is reported when it begins', async (t) => {
  const steps: string[] = []
  const command = { folder: join(t.testdir({}), 'x'), contract: resolve('openapi.yaml'), mock: false }
  const onStep = (step: string) => steps.push(step)
  await runNew(command, { ...surroundings, onStep })
  t.strictSame(steps, [
    'compiling openapi.yaml',
    'packing the engine, the service and the compiler',
    'writing the project',
    'installing its packages with npm',
    'making its first commit'
  ])
})

t.test('a project of the registry has no vendor/, and no file names it', async (t) => {
  const folder = join(t.testdir({}), 'museum')
  const vendor = () => Promise.reject(new Error('packed'))
  const command = { folder, contract: join(contracts, 'museum.yaml'), mock: false, registry: true }
  await runNew(command, { ...surroundings, vendor })
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of files.filter((file) => file.isFile()))
    t.notMatch(await readFile(join(parentPath, name), 'utf8'), 'vendor', name)
  const { dependencies, devDependencies } = JSON.parse(await textOf(folder)('package.json'))
  const range = /^\^\d+\.\d+\.\d+$/
  t.match(dependencies, { '@contract-first/engine': range, '@contract-first/service': range })
  t.match(devDependencies, { '@contract-first/compiler': range, '@contract-first/contract': range })
  t.match(await textOf(folder)('README.md'), '**Update the engine**: `npm update\n  @contract-first/engine ')
})

t.test('a defect half-way keeps its stack and leaves nothing behind', async (t) => {
  const here = t.testdir({})
  const failing = { ...surroundings, vendor: async () => Promise.reject(new Error('no tarball')) }
  const command = { folder: join(here, 'new'), contract: join(contracts, 'museum.yaml'), mock: false }
  await t.rejects(runNew(command, failing), { message: 'no tarball' })
  t.strictSame(await readdir(here), [])
})

t.test('the command line', async (t) => {
  const read = (...args: string[]) => commandOutcome(args, grammar, readNewOptions)
  const served = { contract: resolve('openapi.yaml'), root: resolve('.') }
  t.strictSame(read('museum'), { folder: resolve('museum'), ...served, mock: false, registry: false })
  t.match(read('museum', '--registry'), { registry: true })
  t.match(read('m', '--contract', 'a.yaml', '--mock'), { contract: resolve('a.yaml'), mock: true })
  t.match(read(), {
    exitCode: 2,
    text: 'no folder is named; expected DIR, --contract, --root, --mock, --registry, --help'
  })
  t.match(read('a', 'b'), { exitCode: 2, text: /^one folder is made, not 2: a, b; expected DIR/ })
  t.match(read('a', '--name=x'), { exitCode: 2, text: /^--name is not an option/ })
  t.match(read('--help'), { exitCode: 0, text: /^usage: / })
})
