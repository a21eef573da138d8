import { readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import t from 'tap'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { generatedFolder } from '../../../src/engine/server/build-check.ts'
import { contractRoutes, createContractServer } from '../../../src/engine/server.ts'
import { compiled, serve, taking } from '../serve.ts'

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
    [{ contract: undefined }, module],
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

t.test('generatedFolder', async (t) => {
  const nowhere = { url: undefined, sources: [{ file: '../a.yaml', sha256: '' }] } as unknown as Contract
  const bundled = { name: 'generated/', command: 'npm run generate && npm run build' }
  t.same(generatedFolder(nowhere), bundled, 'in a bundle of CommonJS')
  t.same(generatedFolder({ ...nowhere, url: 'file:///dist/chunk-A.js' }), bundled, 'in a bundle')
  const rows: readonly (readonly [string, string | undefined, string, string])[] = [
    ['generated/contract.ts', '../openapi.yaml', 'generated/', 'npm run generate'],
    ['other/generated/contract.ts', '../openapi.yaml', 'generated/', 'npm run generate'],
    ['generated/contract.ts', undefined, 'generated/', 'npm run generate'],
    ['pets/contract.ts', '../pets.yaml', 'pets/', 'npm run generate -- --contract pets.yaml --out pets'],
    [
      'generated/contract.ts',
      '../a.yaml',
      'generated/',
      'npm run generate -- --contract a.yaml --out generated'
    ],
    [
      'pets/contract.ts',
      '../openapi.yaml',
      'pets/',
      'npm run generate -- --contract openapi.yaml --out pets'
    ],
    ['contract.ts', 'a.yaml', './', 'npm run generate -- --contract a.yaml --out .'],
    [
      'my pets/contract.ts',
      "it's.yaml",
      'my pets/',
      "npm run generate -- --contract 'my pets/it'\\''s.yaml' --out 'my pets'"
    ]
  ]
  for (const [file, source, name, command] of rows) {
    const sources = source === undefined ? [] : [{ file: source, sha256: '' }]
    const contract = { url: pathToFileURL(file).href, sources } as unknown as Contract
    t.same(generatedFolder(contract), { name, command }, file)
  }
})
