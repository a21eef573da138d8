import { readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import t from 'tap'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { generatedFolder } from '../../../src/engine/server/build-check.ts'
import { contractRoutes, createContractServer } from '../../../src/engine/server.ts'
import { until } from '../../time.ts'
import { compiled, request, serve, taking } from '../serve.ts'
import { document as failing, shaped } from './errors/failing-contract.ts'

t.setTimeout(900_000)

const document = { paths: { '/things': taking('takeThing', {}) } }
const handlers = { takeThing: () => ({ status: 200, body: {} }) }

t.test('code that is older than its contract does not start', async (t) => {
  const own = await compiled(t, document)
  const [source] = own.sources
  const file = new URL(source?.file ?? '', own.url)
  const folder = relative('', fileURLToPath(new URL('.', own.url)))
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"Test"', '"Changed"'))
  const command = `npm run generate -- --contract ${relative('', fileURLToPath(file))} --out ${folder}`
  await t.rejects(serve(t, own, { handlers }), {
    name: 'BootError',
    message: `contract.json has changed since ${folder}/ was written: run "${command}"`
  })
  t.ok(await serve(t, own, { handlers, checkedAtBuild: true }), 'unless the build has compared them')
  t.ok(await serve(t, { ...own, url: undefined }, { handlers }), 'or there is no file to compare')
  await writeFile(file, text.replaceAll('\n', '\r\n'))
  t.ok(await serve(t, own, { handlers }), 'line endings do not matter')
  t.ok(
    await serve(t, { ...own, sources: [{ file: 'gone.json', sha256: '' }] }, { handlers }),
    'a file that is gone cannot have changed'
  )
  await t.rejects(serve(t, { ...own, format: 'other' }, { handlers }), {
    name: 'BootError',
    message: `the generated code in ${folder}/ is of another version of the engine: run "${command}"`
  })
})

t.test('options that only TypeScript would miss are named, in a server and in a plugin', async (t) => {
  const contract = await compiled(t, document)
  const whole = { contract, handlers, security: {}, errorBody: () => ({}) }
  const [module, operations, schemes, body] = [
    'contract: give the default export of generated/contract.ts',
    'handlers: give an object with a function for each operationId',
    'security: give an object with a function for each security scheme, or {}',
    'errorBody: give a function that returns the body of an error'
  ]
  for (const [given, message] of [
    [{ contract: { default: contract } }, module],
    [{ contract: null, handlers: null }, `${module}\n${operations}`],
    [{ security: undefined }, schemes],
    [{ security: 'a', errorBody: {} }, `${schemes}\n${body}`]
  ] as const) {
    const options = { ...whole, ...given } as never
    const refused = { name: 'BootError', message }
    await t.rejects(createContractServer(options), refused)
    const app = Fastify()
    await t.rejects(async () => app.register(contractRoutes, options), refused)
  }
})

t.test('a refusal names the folder and the command that writes it', async (t) => {
  const nowhere = { url: undefined, sources: [{ file: '../a.yaml', sha256: '' }] } as unknown as Contract
  const bundled = { name: 'generated/', command: 'npm run generate && npm run build' }
  t.same(generatedFolder(nowhere), bundled, 'in a bundle of CommonJS')
  t.same(generatedFolder({ ...nowhere, url: 'file:///dist/chunk-A.js' }), bundled, 'in a bundle')
  /** File of the code, that of the contract, and the options of the command. */
  const rows: readonly (readonly [file: string, source: string, options: string])[] = [
    ['generated/contract.ts', '../openapi.yaml', ''],
    ['pets/contract.ts', '../pets.yaml', ' -- --contract pets.yaml --out pets'],
    ['generated/contract.ts', '../a.yaml', ' -- --contract a.yaml --out generated'],
    ['contract.ts', 'a.yaml', ' -- --contract a.yaml --out .'],
    ['my pets/contract.ts', "it's.yaml", " -- --contract 'my pets/it'\\''s.yaml' --out 'my pets'"]
  ]
  for (const [file, source, options] of rows) {
    const { command } = generatedFolder({
      ...nowhere,
      url: pathToFileURL(file).href,
      sources: [{ file: source }]
    } as never)
    t.equal(command, `npm run generate${options}`, file)
  }
  const bare = { ...nowhere, url: pathToFileURL('generated/contract.ts').href, sources: [] }
  t.same(generatedFolder(bare), { name: 'generated/', command: 'npm run generate' })
})

t.test('a contract of more than 300 operations loads its code with the first request', async (t) => {
  const contract = await compiled(t, failing)
  const narrow = contract.operations.find(({ operationId }) => operationId === 'narrow')
  const operations = Array.from({ length: 301 }, (_, index) => {
    const path = `/o${index}`
    const operation = index === 300 ? narrow : contract.operations[0]
    return { ...operation, operationId: `o${index}`, path, url: path }
  })
  const many = Object.fromEntries(
    operations.map(({ operationId }) => [operationId, () => ({ status: 200, body: operationId })])
  )
  const large = { ...contract, operations } as typeof contract
  const good = await serve(t, large, { handlers: many, errorBody: shaped })
  const warned = () => good.log.some(({ level }) => level === 40)
  t.notOk(warned(), 'it has not read the code')
  for (const name of ['o7', 'o8']) t.equal((await good.ask(request(`GET /${name}`))).value, name)
  await until(warned)
  t.ok(warned(), 'an error body that breaks the contract is found in the code')
  const load = () => Promise.reject(new Error('secret'))
  const { ask, log } = await serve(t, { ...large, load }, { handlers: many, errorBody: shaped })
  const failed = await ask(request('GET /o7'))
  t.same([failed.status, failed.value], [500, { type: 'internal', status: 500 }])
  t.ok(log.some(({ err }) => Object(err).message === 'secret'))
})
