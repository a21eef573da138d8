/** Formats of a project's own: from their module to what a client sees. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type ContractError, compileInMemory, generate } from '../../../src/compiler/compiler.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { request, serve } from '../../engine/serve.ts'

const money = { type: 'string', format: 'money' }
const color = { type: 'string', format: 'color' }
const list = { type: 'array', items: { oneOf: [money, color, { type: 'integer' }] } }
const json = (schema: object) => ({ 'application/json': { schema } })

const document = (more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Own formats', version: '1' },
  paths: {
    '/prices/{price}': {
      put: {
        operationId: 'put',
        parameters: [
          { name: 'price', in: 'path', required: true, schema: money },
          { name: 'least', in: 'query', schema: { ...money, default: '1.00 EUR' } },
          { name: 'X-Fee', in: 'header', schema: money }
        ],
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Order' }) },
        responses: {
          200: { description: 'ok', headers: { 'X-Fee': { schema: money } }, content: json(list) }
        }
      }
    }
  },
  components: {
    schemas: {
      Order: { type: 'object', properties: { lines: list, other: { type: 'string', format: 'colour' } } }
    }
  },
  ...more
})

const engine = JSON.stringify(
  pathToFileURL(join(import.meta.dirname, '../../../src/engine/runtime/own-format.ts')).href
)
const module = `import { defineFormat } from ${engine}
export const amount = defineFormat('money', { check: (text: string) => /^\\d+\\.\\d\\d [A-Z]{3}$/.test(text) })
export const color = defineFormat('color', { check: (text: string) => text.startsWith('#') })
export const other = 1
`

/** Writes a contract and the module beside it. */
async function project(t: Test, text = module, contract: object = document()) {
  const folder = t.testdir({
    'openapi.json': JSON.stringify(contract),
    src: { 'formats.ts': text },
    generated: {}
  })
  return {
    folder,
    contract: join(folder, 'openapi.json'),
    formats: join(folder, 'src/formats.ts'),
    out: join(folder, 'generated')
  }
}

const problemsOf = (files: Parameters<typeof generate>[0]) =>
  generate(files).then(
    () => [],
    ({ problems }: ContractError) => problems
  )

const loaded = async (out: string): Promise<Contract> =>
  (await import(pathToFileURL(join(out, 'contract.ts')).href)).default

t.test('texts of a format are checked wherever the contract has it', async (t) => {
  const files = await project(t)
  await generate(files)
  const inMemory = await compileInMemory(files.contract, { formats: files.formats })
  for (const contract of [await loaded(files.out), inMemory.contract]) {
    let fee: unknown
    let lines: unknown
    const handlers = { put: () => ({ status: 200, body: lines, headers: { 'X-Fee': fee } }) }
    const { ask, log } = await serve(t, contract, {
      handlers,
      errorBody: ({ problems }) => problems.map(({ pointer, keyword }) => `${pointer} ${keyword}`)
    })
    const put = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const all = {
        'Content-Type': 'application/json',
        'Content-Length': String(JSON.stringify(body).length)
      }
      const { status, value } = await ask(
        request(`PUT ${path}`, JSON.stringify(body), { ...all, ...headers })
      )
      return [status, value]
    }
    fee = '1.00 EUR'
    lines = ['2.00 EUR', '#fff', 3]
    const good = '/prices/1.00%20EUR'
    t.strictSame(await put(`${good}?least=1.00+EUR`, { lines, other: 'x' }, { 'X-Fee': '2.50 EUR' }), [
      200,
      lines
    ])
    t.strictSame(await put('/prices/1EUR?least=1', { lines: [1, '1', '#'] }, { 'X-Fee': '2' }), [
      400,
      ['/params/price format', '/query/least format', '/headers/x-fee format', '/lines/1 oneOf']
    ])
    fee = '1'
    t.same((await put(good, {}))[0], 500)
    t.match(log.at(-1)?.['msg'], /header x-fee: body must be a valid money/)
    fee = undefined
    lines = ['x']
    t.same((await put(good, {}))[0], 500)
  }
})

t.test(
  'generated code imports the module, and that of a contract without formats does not change',
  async (t) => {
    const files = await project(t)
    await generate(files)
    const validators = await readFile(join(files.out, 'validators.js'), 'utf8')
    t.match(validators, /import \{ amount(, color)? \} from "\.\.\/src\/formats\.ts"/)
    t.match(validators, 'amount.check(')
    const contract = await loaded(files.out)
    t.equal(contract.sources.length, 2)
    t.match(contract.sources[1], { file: '../src/formats.ts', formats: true })
    const { formats: _, ...without } = files
    const plain = document({ paths: {}, components: {} })
    await writeFile(files.contract, JSON.stringify(plain))
    const first = (await generate(without)).compiled.files.get('validators.js')
    t.notMatch(first, 'formats.ts')
  }
)

t.test('a module that has changed since it was compiled stops the boot', async (t) => {
  const files = await project(t)
  await generate(files)
  await writeFile(files.formats, `${module}// changed\n`)
  await t.rejects(serve(t, await loaded(files.out), { handlers: { put: () => undefined } }), {
    name: 'BootError',
    message: /^formats\.ts has changed since .*generated\/ was written: run/
  })
})

t.test('an edit of the module is compiled in the same process', async (t) => {
  const files = await project(t)
  const seen: string[] = []
  await generate({ ...files, onFile: (path) => seen.push(path) })
  t.ok(seen.includes(files.formats), 'is watched')
  await writeFile(files.formats, module.replace("'color'", "'colour'"))
  const { compiled } = await generate(files)
  const unknown = 'format `color` is not known and is not enforced; did you mean colour?'
  t.ok(compiled.problems.some(({ message }) => message === unknown))
})

t.test('defaults and examples are checked', async (t) => {
  const files = await project(t)
  const wrong = document()
  Object.assign(wrong.paths['/prices/{price}'].put.parameters[1]?.schema ?? {}, { default: '1' })
  await writeFile(files.contract, JSON.stringify(wrong))
  const { problems } = (await generate(files)).compiled
  t.ok(
    problems.some(({ message }) => message.includes('default')),
    problems.map(({ message }) => message).join('\n')
  )
})

t.test('a module that cannot be used is an error with its file', async (t) => {
  const define = (name: string, parts: string) =>
    `import { defineFormat } from ${engine}\nexport const a = defineFormat(${name}, ${parts} as never)\n`
  const check = '{ check: () => true }'
  const rows: readonly (readonly [text: string, reason: RegExp])[] = [
    ['export const a = 1', /it exports no format: export const money = defineFormat\(…\)/],
    ["throw new Error('no')", /used: no$/],
    ['export const = 1', /used: /],
    [define("'money'", '{}'), /format money lacks check, a function/],
    [define("'date-time'", check), /format date-time is the engine's own: give yours another name/],
    [define("'int64'", check), /format int64 is the engine's own/],
    [define("''", check), /a format needs a name/],
    [
      `${module}export const third = defineFormat('money', ${check})`,
      /format money is defined twice, as amount and third/
    ]
  ]
  for (const [text, reason] of rows) {
    const files = await project(t, text)
    t.match(await problemsOf(files), [{ file: files.formats, line: 1, message: reason }], text)
  }
  const files = await project(t)
  const formats = join(files.folder, 'none.ts')
  t.match(await problemsOf({ ...files, formats }), [{ file: formats, message: /ENOENT/ }])
})

t.test('a module in the folder of the generated code is imported from there', async (t) => {
  const files = await project(t)
  const formats = join(files.out, 'own.ts')
  await mkdir(files.out, { recursive: true })
  await writeFile(formats, module)
  await generate({ ...files, formats })
  t.match(await readFile(join(files.out, 'validators.js'), 'utf8'), 'from "./own.ts"')
})
