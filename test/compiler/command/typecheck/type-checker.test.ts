/** The type checker of `npm run dev` on the usual mistakes in the handlers of a contract with lists, headers and unions. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { TypeChecker } from '../../../../src/compiler/command/typecheck/type-checker.ts'
import { generate } from '../../../../src/compiler/compiler.ts'
import { until } from '../../../time.ts'
import { processesIn } from '../dev/dev-session.ts'

t.setTimeout(900_000)

const contract = `openapi: 3.1.0
info: { title: Shop, version: '1' }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas:
    Order:
      type: object
      required: [id, name, tags]
      properties:
        id: { type: integer, format: int64 }
        name: { type: string }
        note: { type: string }
        size: { enum: [small, large] }
        tags:
          type: array
          items: { type: object, required: [name], properties: { name: { type: string }, x-kind: { type: string } } }
        counts: { type: object, additionalProperties: { type: integer } }
        parent: { $ref: '#/components/schemas/Order' }
    Problem: { type: object, required: [title], properties: { title: { type: string } } }
security: [{ bearer: [] }]
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses:
        '201':
          description: d
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
        '409': { description: d, content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
    get:
      operationId: list-orders
      responses:
        '200':
          description: d
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } }
            text/csv: { schema: { type: string } }
        default: { description: d, content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
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

const head = `import type { CreateOrderResponse, Handlers as Of, Schemas } from '../generated/types.ts'
type Handlers = Of<{ id: string }>
type Create = Handlers['createOrder']
type List = Handlers['list-orders']
const headers = { Location: '/orders/1' }
declare const given: { create: Create; list: List; order: Schemas['Order'] }
`

/** Bodies of files, and the problems of each: the line after the head, and the message. */
const rows: Readonly<Record<string, readonly [text: string, ...problems: readonly string[]]>> = {
  right: [
    `export const make = (): Create => async ({ body, principal }) =>
  principal.id === '' ? { status: 409, body: { title: 'x' } } : { status: 201, body, headers }`
  ],
  'wrong-property': [
    'export const make = (): Create => async ({ body }) => ({ status: 201, body: { ...given.order, name: body.id }, headers })',
    '1 createOrder, 201, body.name: expected string, given bigint'
  ],
  'wrong-item': [
    `export function make(): Create {
  return async ({ body: { id, name, tags: others } }) => {
    const more = () => { return 5 }
    more()
    return { status: 201, body: { id, name, tags: [{ name }, ...others, { name: 3 }] }, headers }
  }
}`,
    '5 createOrder, 201, body.tags[2].name: expected string, given number'
  ],
  'wrong-list': [
    `const rows = (): { id: bigint; name: string; tags: { name: string; 'x-kind': number }[] }[] => []
export const make = (): List => async () => ({ status: 200, body: rows() })
export const other = (): List => async () => ({ status: 200, body: [{ ...given.order, tags: 5 }] })
export const third = (): List => async () => ({ status: 200, body: [{ ...given.order, tags: { a: 1 } }] })`,
    '2 list-orders, 200, body[].tags[]["x-kind"]: expected string, given number',
    '3 list-orders, 200, body[0].tags: expected { name: string; "x-kind"?: string; }[], given number',
    '4 list-orders, 200, body[0].tags: expected { name: string; "x-kind"?: string; }[], given { a: number; }'
  ],
  'wrong-map': [
    "export const make: Create = async () => ({ status: 201, body: { ...given.order, counts: { a: 1, b: 'x' } }, headers })",
    '1 createOrder, 201, body.counts.b: expected number, given string'
  ],
  'wrong-enum': [
    `export const make: Create = async () => ({ status: 201, body: { ...given.order, size: 'huge' }, headers })
export const other: Create = async ({ body: { name } }) => {
  const order = { ...given.order, size: name }
  return { status: 201, body: order, headers }
}`,
    '1 createOrder, 201, body.size: expected "small" | "large", given "huge"',
    '3 createOrder, 201, body.size: expected "small" | "large", given string'
  ],
  'missing-property': [
    `export const make: Create = async ({ body: { id, name } }) => {
  const order = { id, name }
  return { status: 201, body: order, headers }
}
export const other: Create = async ({ body: { id, name, tags } }) => {
  return { status: 201, body: { id, nmae: name, tags }, headers }
}
const partial = (): { id?: bigint; name: string; tags: [] } => ({ name: '', tags: [] })
export const third: Create = async () => ({ status: 201, body: partial(), headers })`,
    '2 createOrder, 201, body.tags: missing, expected { name: string; "x-kind"?: string; }[]',
    '6 createOrder, 201, body.name: missing, expected string; nmae is not declared',
    '9 createOrder, 201, body.id: expected bigint, but it may be missing'
  ],
  undefined: [
    'export const make: Create = async ({ body: { note } }) => ({ status: 201, body: { ...given.order, note }, headers })',
    '1 createOrder, 201, body.note: given string | undefined: leave it out where it is undefined'
  ],
  'excess-property': [
    `export const order: Schemas['Order'] = { id: 1n, name: '', tags: [{ name: '', nam: 5 }] }
export const make: Create = async (): Promise<CreateOrderResponse> =>
  ({ status: 409, body: { title: '', detial: '' } })
export const other: Create = (): CreateOrderResponse => ({ 'content-type': 'x', status: 409, body: { title: '' } })`,
    '1 tags[0].nam: not declared; did you mean name?',
    '3 createOrder, 409, body.detial: not declared',
    '4 createOrder, 409, ["content-type"]: not declared'
  ],
  'wrong-status': [
    `export const make: Create = async ({ body }) => {
  if (body.note) return { status: 409, body: { title: 'x' } }
  return { status: 200, body, headers }
}
export const other: Create = async ({ body }) => ({ body, headers })
const failure = (title: string) => ({ status: 409, body: { title } })
export const third: Create = async () => failure('x')
export const fourth: List = async () => ({ status: 200, body: { title: 5 } })`,
    '3 createOrder, status: expected 201 | 409, given 200',
    '5 createOrder, status: missing, expected 201 | 409',
    '6 createOrder, status: expected 201 | 409, given number: "as const" is missing',
    '8 list-orders, 200, body: expected { id: bigint; name: string; note?: string; size?: "small" | "large"; tags: { nam…, given { title: number; }'
  ],
  'wrong-header': [
    `export const make: Create = async ({ body }) => ({ status: 201, body, headers: { Location: 5 } })
export const other: Create = async ({ body }) => ({ status: 201, body })`,
    '1 createOrder, 201, headers.Location: expected string, given number',
    '2 createOrder, 201, headers: missing, expected { [name: string]: unknown; Location: string; }'
  ],
  'nothing-returned': [
    `export const make: Create = async ({ body }) => {
  if (body.note) return { status: 201, body, headers }
  if (body.size) return
}
export const other: Create = async () => {}`,
    '1 createOrder: expected CreateOrderResponse, given undefined',
    '5 createOrder: expected CreateOrderResponse, given void'
  ],
  'async-forgotten': [
    `export const make: Create = ({ body }) => {
  const order = await Promise.resolve(body)
  return { status: 201, body: order, headers }
}
export const other: Create = async ({ body }) => ({ status: 201, body: Promise.resolve(body), headers })
export const third: Create = async ({ body }) => ({ status: 201, body: Promise.resolve(5), headers })
export const fourth: Create = () => ({ status: 201, then() {} })`,
    '2 createOrder: the function of an await needs "async"',
    '5 createOrder, 201, body: given a promise: await is missing',
    '6 createOrder, 201, body: expected { id: bigint; name: string; note?: string; size?: "small" | "large"; tags: { nam…, given Promise<number>',
    '7 createOrder, 201, body: missing, expected { id: bigint; name: string; note?: string; size?: "small" | "large"; tags: { nam…; then is not declared'
  ],
  'wrong-principal': [
    `export const make = (): Of<{ uid: string }> => ({ createOrder: given.create, 'list-orders': given.list })
export const other: Create = async ({ principal: { name } }) => ({ status: 409, body: { title: name } })
const strict = async (request: { principal: { uid: string } }) => ({ status: 409, body: { title: request.principal.uid } }) as const
export const third: Handlers = { createOrder: strict, 'list-orders': given.list }`,
    '1 createOrder, principal.id: missing, expected string',
    '1 list-orders, principal.id: missing, expected string',
    "2 createOrder: Property 'name' does not exist on type '{ id: string; }'. (TS2339)",
    '4 createOrder, principal.uid: missing, expected string'
  ],
  'missing-handler': [
    `export function make(): Handlers {
  return { createOrder: given.create }
}
export const other = (): Handlers => ({ createOrder: given.create, listOrders: given.list })
export const third = { createOrder: given.create, 'list-orders': { status: 200 } } satisfies Handlers
export const fourth: Handlers = {
  async createOrder({ body }) {
    return { status: 201, body, headers: {} }
  },
  'list-orders': async () => ({ status: 200, body: '' })
}
export const fifth = (): Handlers['createOrdr'] => given.create
export const sixth: Handlers = {} as { createOrder: Create; 'list-orders': () => number }`,
    '2 list-orders: it has no handler',
    '4 listOrders: not declared; did you mean list-orders?',
    '5 list-orders, status: not declared',
    '8 createOrder, 201, headers.Location: missing, expected string',
    "12 Property 'createOrdr' does not exist on type 'Handlers'. (TS2339)",
    '13 list-orders: expected ListOrdersResponse, given number'
  ],
  'other-values': [
    `export const text: string = 5
export const order: Schemas['Order'] = { ...given.order, tags: [{ name: 5 }] }
export class Box { width(): number { return 'x' } }
const send = (_order: Schemas['Order']): void => {}
send({ ...given.order, id: 1 })
export let late: Schemas['Order']
late = { ...given.order, id: 1 }
export const cyclic: Schemas['Order'] = { ...given.order, parent: { ...given.order, name: 1 } }
interface A { next: A; a: string }
interface B { next: B; a: string; b: string }
export const linked = (a: A): B => a
interface Endless<T> { next: Endless<T[]>; value: T }
export const endless = (a: Endless<string>): Endless<number> => a
export const call: { x: string } = () => 5
export const takes: (x: string) => string = (x: number) => String(x)
export const takesMore: (x: string) => string = (x: string, y: string) => x + y
export const either: string[] | { a: { b: string } } = { a: { b: 5 } }
export const mapped: { a: string } = {} as Record<'a', number>
const strays = { b: 1, c: 2 }
export const two: { a: string } = strays
declare function take(a: string): void
declare function take(a: number, b: number): void
take(true)
type Only<T extends { a: string }> = T
export type Wrong = Only<{ a: number }>
`,
    '1 expected string, given number',
    '2 tags[0].name: expected string, given number',
    '3 expected number, given string',
    '5 id: expected bigint, given number',
    '7 id: expected bigint, given number',
    '8 parent.name: expected string, given number',
    '11 b: missing, expected string',
    `13 ${'next.'.repeat(29)}next: expected Endless<number${'[]'.repeat(30)}>, given Endless<string${'[]'.repeat(30)}>`,
    '14 x: missing, expected string',
    '15 expected number, given string',
    '16 expected (x: string) => string, given (x: string, y: string) => string',
    '17 a.b: expected string, given number',
    '18 a: expected string, given number',
    '19 a: missing, expected string',
    '23 expected string | number, given boolean',
    "25 Type 'number' is not assignable to type 'string'. (TS2344)"
  ]
}

function started(t: Test, folder: string): TypeChecker {
  const checker = new TypeChecker(folder)
  t.teardown(() => checker.stop())
  return checker
}

async function shop(t: Test): Promise<string> {
  const folder = t.testdir({ 'openapi.yaml': contract, 'tsconfig.json': JSON.stringify(settings), src: {} })
  await generate({ contract: join(folder, 'openapi.yaml'), out: join(folder, 'generated') })
  return folder
}

t.test('a message names operation, status, property, the expected and the given type', async (t) => {
  const folder = await shop(t)
  const headLines = head.split('\n').length - 1
  for (const [name, [text]] of Object.entries(rows))
    writeFileSync(join(folder, `src/${name}.ts`), `${head}${text}\n`)
  const problems = (await started(t, folder).check()) ?? []
  for (const [name, [, ...wanted]] of Object.entries(rows)) {
    const found = problems.filter(({ file }) => relative(folder, file) === `src/${name}.ts`)
    t.strictSame(
      found.map(({ line, message }) => `${line - headLines} ${message}`),
      wanted,
      name
    )
  }
})

t.test(
  'the error of a file that tsc cannot read comes alone, and that of tsconfig.json has no other place',
  async (t) => {
    const folder = t.testdir({ 'tsconfig.json': JSON.stringify(settings), src: { 'a.ts': 'const = 1\n' } })
    const checker = started(t, folder)
    t.match(await checker.check(), [
      {
        file: join(folder, 'src/a.ts'),
        line: 1,
        column: 7,
        message: 'Variable declaration expected. (TS1134)'
      }
    ])
    writeFileSync(join(folder, 'src/a.ts'), 'export const a = 1\n')
    t.strictSame(await checker.check(), [])
    writeFileSync(join(folder, 'tsconfig.json'), '{ "include": ["nothing"] }')
    t.match(await checker.check(), [
      {
        file: join(folder, 'tsconfig.json'),
        line: 1,
        column: 1,
        message: /^No inputs were found .*\(TS18003\)$/s
      }
    ])
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
      ['expected string, given number'],
      'and is there, beside a file that is the same'
    )
    write('src/used.ts', "export const used = ''\n")
    t.strictSame(await messages(), [])
    const strictless = { ...settings.compilerOptions, strict: false, exactOptionalPropertyTypes: false }
    write('src/user.ts', 'export const own: string = null\n')
    t.strictSame(await messages(), ['expected string, given null'])
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
