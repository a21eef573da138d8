/** The module of a project's own formats: where it is imported, when it is read again, and what is refused. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type ContractError, generate } from '../../../src/compiler/compiler.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { serve } from '../../engine/serve.ts'

const contractOf = (schema: object) => ({
  openapi: '3.1.0',
  info: { title: 'Own formats', version: '1' },
  paths: {
    '/prices': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'least', in: 'query', schema }],
        responses: { 204: { description: 'done' } }
      }
    }
  }
})
const money = { type: 'string', format: 'money' }
const engine = JSON.stringify(
  pathToFileURL(join(import.meta.dirname, '../../../src/engine/runtime/own-format.ts')).href
)
const module = `import { defineFormat } from ${engine}
export const amount = defineFormat('money', { check: (text: string) => /^\\d+\\.\\d\\d [A-Z]{3}$/.test(text) })
export const other = 1
`

/** Writes a contract and the module beside it. */
function project(t: Test, text = module, schema: object = money) {
  const folder = t.testdir({
    'openapi.json': JSON.stringify(contractOf(schema)),
    src: { 'formats.ts': text },
    generated: {}
  })
  return {
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

t.test('generated code imports the module, whose change then stops the boot', async (t) => {
  const files = project(t)
  await generate(files)
  const validators = await readFile(join(files.out, 'validators.js'), 'utf8')
  t.match(validators, 'import { amount } from "../src/formats.ts"')
  t.match(validators, 'amount.check(')
  const module = await import(pathToFileURL(join(files.out, 'contract.ts')).href)
  const contract: Contract = module.default
  t.match(contract.sources[1], { file: '../src/formats.ts', formats: true })
  await writeFile(files.formats, '// changed\n')
  await t.rejects(serve(t, contract, { handlers: { list: () => undefined } }), {
    name: 'BootError',
    message: /^formats\.ts has changed since .*generated\/ was written: run/
  })
})

t.test('code of a contract without formats does not import it', async (t) => {
  const { formats: _, ...files } = project(t, module, {})
  t.notMatch((await generate(files)).compiled.files.get('validators.js'), 'formats.ts')
})

t.test('an edit of the module is compiled in the same process', async (t) => {
  const files = project(t)
  const seen: string[] = []
  await generate({ ...files, onFile: (path) => seen.push(path) })
  t.ok(seen.includes(files.formats), 'is watched')
  await writeFile(files.formats, module.replace("'money'", "'moneys'"))
  const { compiled } = await generate(files)
  const unknown = 'format `money` is not known and is not enforced; did you mean moneys?'
  t.ok(compiled.problems.some(({ message }) => message === unknown))
})

t.test('defaults are checked', async (t) => {
  const { problems } = (await generate(project(t, module, { ...money, default: '1' }))).compiled
  t.ok(problems.some(({ message }) => message.includes('default of parameter least does not fit')))
})

const define = (name: string, parts = '{ check: () => true }') =>
  `import { defineFormat } from ${engine}\nexport const a = defineFormat(${name}, ${parts} as never)\n`
const refused: readonly (readonly [text: string, reason: RegExp])[] = [
  ['export const a = 1', /it exports no format: export const money = defineFormat\(…\)/],
  ["throw new Error('no')", /used: no$/],
  ['export const = 1', /used: /],
  [define("'money'", '{}'), /format money lacks check, a function/],
  [define("'date-time'"), /format date-time is the engine's own: give yours another name/],
  [define("'int64'"), /format int64 is the engine's own/],
  [define("''"), /a format needs a name/],
  [
    `${module}export const third = defineFormat('money', amount)`,
    /format money is defined twice, as amount and third/
  ]
]

t.test('a module that cannot be used is an error with its file', async (t) => {
  for (const [text, message] of refused) {
    const files = project(t, text)
    t.match(await problemsOf(files), [{ file: files.formats, line: 1, message }], text)
  }
  const formats = join(t.testdirName, 'none.ts')
  t.match(await problemsOf({ ...project(t), formats }), [{ file: formats, message: /ENOENT/ }])
})

t.test('a module in the folder of the generated code is imported from there', async (t) => {
  const files = project(t)
  const formats = join(files.out, 'own.ts')
  await mkdir(files.out, { recursive: true })
  await writeFile(formats, module)
  await generate({ ...files, formats })
  t.match(await readFile(join(files.out, 'validators.js'), 'utf8'), 'from "./own.ts"')
})
