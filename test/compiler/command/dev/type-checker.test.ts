/** The type checker of `npm run dev`: the first lines of tsc's messages, and its process. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { TypeChecker } from '../../../../src/compiler/command/dev/type-checker.ts'
import { generate } from '../../../../src/compiler/compiler.ts'
import { until } from '../../../time.ts'
import { processesIn } from './dev-session.ts'

t.setTimeout(900_000)

const contract = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: { required: true, content: &order { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses:
        '201': { description: d, headers: { Location: { required: true, schema: &text { type: string } } }, content: *order }
        '409': { description: d, content: { application/json: { schema: { type: object, properties: { title: *text } } } } }
components:
  schemas:
    Order:
      type: object
      required: [id, name]
      properties: { id: { type: integer, format: int64 }, name: *text, note: *text, tags: { type: array, items: { type: object, required: [name], properties: { name: *text } } } }
`

const settings = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext'],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true
  },
  include: ['src']
}

/** Results of handlers as stubs are, with a mark before the place of each mistake, and tsc's message. */
const results: readonly (readonly [marked: string, message: RegExp])[] = [
  [
    "{ status: 201, headers, body: { «id: '1', name: 'x' } }",
    /^Type 'string' is not assignable to type 'bigint'/
  ],
  ["{ status: 201, headers, body: { id: 1n, «nmae: 'x' } }", /'nmae' does not exist in type /],
  ["{ status: 201, headers, body: { id: 1n, name: 'x', «nots: '' } }", /'nots' does not exist in type /],
  [
    "{ status: 201, headers, body: { id: 1n, name: 'x', tags: [{ «name: 3 }] } }",
    /^Type 'number' is not assignable/
  ],
  [
    "{ «status: 200, body: { title: 'x' } }",
    /^Type '200' is not assignable to type '201 \| 409'\. \(TS2322\)$/
  ],
  ['{ status: 409, body: { «title: 5 } }', /^Type 'number' is not assignable to type 'string'\. \(TS2322\)$/],
  ['«{ status: 201, headers: { Location: 5 }, body }', /The types of 'headers.Location' are incompatible/]
]

function started(t: Test, folder: string): TypeChecker {
  const checker = new TypeChecker(folder)
  t.teardown(() => checker.stop())
  return checker
}

t.test('a mistake in a handler as stubs are stands at its column, surplus properties too', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contract, 'tsconfig.json': JSON.stringify(settings), src: {} })
  await generate({ contract: join(folder, 'openapi.yaml'), out: join(folder, 'generated') })
  const lines = results.map(
    ([marked], index) =>
      `export const h${index}: Create = async ({ body }): Promise<CreateOrderResponse> => (${marked})`
  )
  const head = `import type { CreateOrderResponse, Handlers } from '../generated/types.ts'
type Create = Handlers['createOrder']
const headers = { Location: '/orders/1' }
`
  writeFileSync(join(folder, 'src/handlers.ts'), head + lines.join('\n').replaceAll('«', ''))
  const problems = (await started(t, folder).check()) ?? []
  t.match(
    problems.map(({ line, column, message }) => ({ line, column, message })),
    results.map(([, message], index) => ({
      ...{ line: index + 4, column: Number(lines[index]?.indexOf('«')) + 1, message }
    }))
  )
  t.equal(problems.length, results.length)
  for (const { message } of problems) t.notMatch(message, '\n')
})

t.test(
  'the error of a file that tsc cannot read comes alone, and that of tsconfig.json has no other place',
  async (t) => {
    const folder = t.testdir({ 'tsconfig.json': JSON.stringify(settings), src: { 'a.ts': 'const = 1\n' } })
    const checker = started(t, folder)
    const message = 'Variable declaration expected. (TS1134)'
    t.match(await checker.check(), [{ file: join(folder, 'src/a.ts'), line: 1, column: 7, message }])
    writeFileSync(join(folder, 'src/a.ts'), 'export const a = 1\n')
    t.strictSame(await checker.check(), [])
    const settingsFile = join(folder, 'tsconfig.json')
    writeFileSync(settingsFile, '{ "include": ["nothing"] }')
    const none = /^No inputs were found .*\(TS18003\)$/s
    t.match(await checker.check(), [{ file: settingsFile, line: 1, column: 1, message: none }])
    rmSync(join(folder, 'tsconfig.json'))
    t.match(await checker.check(), [{ message: /^Cannot read file .*\(TS5083\)$/s }])
  }
)

t.test('the TypeScript of the project checks it, and its failure is an error', async (t) => {
  const typescript = { 'index.js': `throw new TypeError('broken')`, 'package.json': '{ "main": "index.js" }' }
  const folder = t.testdir({ 'tsconfig.json': '{}', node_modules: { typescript } })
  t.match(await started(t, folder).check(), [
    { file: join(folder, 'tsconfig.json'), message: 'the type checker failed: TypeError: broken' }
  ])
  const checker = started(t, folder)
  const replaced = checker.check()
  await checker.stop()
  t.equal(await replaced, undefined)
  writeFileSync(join(folder, 'node_modules/typescript/index.js'), 'process.exit(3)')
  t.match(await started(t, folder).check(), [{ message: 'the type checker failed: it has ended' }])
})

t.test(
  'a process checks again what has changed since, and a check of a running one replaces it',
  async (t) => {
    const text = (name: string, value: string) =>
      `import { ${name} } from './${name}.ts'\nexport const own: ${value} = ${name}\n`
    const folder = t.testdir({
      'tsconfig.json': JSON.stringify(settings),
      src: { 'user.ts': text('used', 'string') }
    })
    const checker = started(t, folder)
    const write = (name: string, code: string) => writeFileSync(join(folder, name), code)
    const messages = async () => (await checker.check())?.map(({ message }) => message)
    t.match(await messages(), [/Cannot find module '.\/used.ts'/], 'a module that is missing')
    write('src/used.ts', 'export const used = 5\n')
    t.strictSame(
      await messages(),
      ["Type 'number' is not assignable to type 'string'. (TS2322)"],
      'and is there, beside a file that is the same'
    )
    write('src/used.ts', "export const used = ''\n")
    t.strictSame(await messages(), [])
    const strictless = { ...settings.compilerOptions, strict: false, exactOptionalPropertyTypes: false }
    write('src/user.ts', 'export const own: string = null\n')
    t.strictSame(await messages(), ["Type 'null' is not assignable to type 'string'. (TS2322)"])
    write('tsconfig.json', JSON.stringify({ ...settings, compilerOptions: strictless }))
    t.strictSame(await messages(), [], 'other settings')
    rmSync(join(folder, 'src/used.ts'))
    write('src/user.ts', text('used', 'string'))
    const replaced = checker.check()
    t.match(await messages(), [/Cannot find module/], 'a file that is gone')
    t.equal(await replaced, undefined)
  }
)

t.test(
  'a signal to the process is no failure of a check, and the next check starts another one',
  async (t) => {
    const folder = t.testdir({ 'tsconfig.json': JSON.stringify(settings), src: { 'a.ts': 'export {}\n' } })
    const checker = started(t, folder)
    const kill = async () => {
      await until(() => processesIn(folder).length > 0)
      const [pid] = processesIn(folder)
      process.kill(Number(pid), 'SIGINT')
      // This process has seen the end when the system has forgotten the other one.
      await until(() => !existsSync(`/proc/${pid}`))
    }
    const [ended] = await Promise.all([checker.check(), kill()])
    t.equal(ended, undefined, 'while it checks')
    t.strictSame(await checker.check(), [])
    await kill()
    t.strictSame(await checker.check(), [], 'between two checks')
  }
)
