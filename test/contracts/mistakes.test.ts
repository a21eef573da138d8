/** First lines of what the type checker prints for usual mistakes in handlers, wherever the handlers stand. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { generate } from './drive.ts'
import { diagnose } from './type-check.ts'

const contract = `openapi: 3.1.0
info: { title: Desk, version: '1' }
security: [{ token: [] }]
paths:
  /tickets:
    get:
      operationId: list
      responses:
        '200':
          description: ok
          headers: { X-Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: &ticket { type: object, required: [id, title], properties: { id: { type: string, readOnly: true }, title: { type: string } } } } } }
        default: &problem { description: problem, content: { application/json: { schema: { type: object, required: [problem], properties: { problem: { type: string } } } } } }
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: { schema: *ticket } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: *ticket } } }
        '404': { description: none, content: { application/json: { schema: { type: object, required: [missing], properties: { missing: { type: string } } } } } }
        default: *problem
    put:
      operationId: upload
      requestBody: { required: true, content: { multipart/form-data: { schema: { type: object, required: [photo], properties: { photo: &bytes { type: string, format: binary } } } } } }
      responses: &done { '204': { description: done } }
    patch:
      operationId: attach
      requestBody: { required: true, content: { multipart/form-data: { x-stream: true, schema: { type: object, required: [photo, pages], properties: { photo: *bytes, pages: { type: array, items: *bytes } } } } } }
      responses: *done
  /backups:
    put: { operationId: restore, requestBody: { required: true, content: { application/octet-stream: { x-stream: true } } }, responses: *done }
    post: { operationId: load, requestBody: { required: true, content: { application/jsonl: { schema: *ticket } } }, responses: *done }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`

interface Row {
  readonly group: string
  readonly name: string
  readonly handler: string
  /** Part of the first line. */
  readonly message: string
  /** True for a mistake in the result. */
  readonly inResult: boolean
}

const rows: readonly Row[] = readFileSync(join(import.meta.dirname, 'mistakes.txt'), 'utf8')
  .split('\n## ')
  .slice(1)
  .flatMap((section) => {
    const [group = ''] = section.split(':')
    const pairs = section.matchAll(/^(\w+) (.+)\n {2}(result: )?(.+)$/gm)
    return [...pairs].map(([, name = '', handler = '', result, message = '']) => ({
      ...{ group, name, handler, message },
      inResult: result !== undefined
    }))
  })

const engine = JSON.stringify(resolve(import.meta.dirname, '../../src/engine/server.ts'))
const service = JSON.stringify(resolve(import.meta.dirname, '../../src/service/service.ts'))
const head = `import contract, { type CreateResponse, type Handlers, type UploadResponse } from './contract.ts'
import { contractOptions, contractRoutes, createContractServer } from ${engine}
import { defineService } from ${service}
interface User { readonly id: string }
declare const right: Handlers<User>
declare const find: () => Promise<{ id: string; title: string }[]>
declare const app: Awaited<ReturnType<typeof createContractServer>>
const options = { contract, security: { token: async (id: string): Promise<User> => ({ id }) }, errorBody: () => ({}) }
`
/** Places of handlers: TypeScript shows the wrong part of an expression; otherwise the handler, or all that a maker returns. */
const places: readonly (readonly [place: string, code: string, kind: 'declared' | 'option' | 'made'])[] = [
  ['apart', 'export const apartROW: Handlers<User> = { ALL }', 'declared'],
  ['made', 'export function makeROW(): Handlers<User> { return { ALL } }', 'declared'],
  ['satisfies', 'export const satisfyingROW = { ALL } satisfies Handlers<User>', 'declared'],
  ['server', 'await createContractServer({ ...options, handlers: { ALL } })', 'option'],
  [
    'plugin',
    "await app.register(contractRoutes, contractOptions({ ...options, handlers: { ALL }, prefix: '/v1' }))",
    'option'
  ],
  ['service', 'defineService({ ...options, handlers: () => ({ ALL }) })', 'option'],
  ['promise', 'defineService({ ...options, handlers: async () => ({ ALL }) })', 'made'],
  ['block', 'defineService({ ...options, handlers: () => { return { ALL } } })', 'made']
]
const write = (code: string, all: string, row: string) => code.replace('ALL', () => all).replace('ROW', row)

interface Mistake {
  readonly title: string
  readonly code: string
  /** Part of the first line. */
  readonly part: string
}
/** Part of the first line where TypeScript shows the whole. */
const notAssignable = 'is not assignable to type'
const inHandlers = rows.flatMap(({ group, name, handler, message, inResult }, index): Mistake[] => {
  const row = `_${group}_${index}`
  const file = `export function fileROW(): Handlers<User>['${name}'] { return ALL }`
  return [
    ...places.map(([place, code, kind]) => ({
      title: `${place}: ${handler}`,
      code: write(code, `...right, ${name}: ${handler}`, row),
      part: kind === 'made' && inResult ? notAssignable : message
    })),
    { title: `a file: ${handler}`, code: write(file, handler, row), part: message }
  ]
})

const withoutUpload = 'list create attach restore load'
  .split(' ')
  .map((name) => `${name}: right.${name}`)
  .join()
/** A function that makes handlers may make more of them: the boot refuses these. */
const inNames = places.flatMap(([place, code]): Mistake[] => {
  const isMade = code.startsWith('defineService')
  const missing = isMade ? notAssignable : "Property 'upload' is missing in type"
  const surplus = "Object literal may only specify known properties, but 'uplaod' does not exist in type"
  return [
    { title: `${place}: no handler`, code: write(code, withoutUpload, 'Missing'), part: missing },
    ...(isMade
      ? []
      : [
          {
            title: `${place}: a misspelt handler`,
            code: write(code, '...right, uplaod: right.upload', 'Misspelt'),
            part: surplus
          }
        ])
  ]
})
/** TypeScript begins with the whole type here. */
const secondLine = 'satisfies: no handler'

t.setTimeout(900_000)
t.test('the first line names what is wrong', async (t) => {
  t.testdir({ 'desk.yaml': contract })
  const { folder } = await generate(t, join(t.testdirName, 'desk.yaml'))
  const path = join(folder, 'mistakes.ts')
  const mistakes = [...inHandlers, ...inNames]
  await writeFile(path, [head.trimEnd(), ...mistakes.map(({ code }) => code)].join('\n'))
  const problems = await diagnose('mistakes', [path])
  const first = head.split('\n').length
  for (const [row, { title, part }] of mistakes.entries()) {
    const prefix = `${first + row}: `
    const found = problems
      .filter(({ text }) => text.startsWith(prefix))
      .map(({ text }) => text.slice(prefix.length))
    t.equal(found.length, 1, `${title}: ${found.join('; ')}`)
    const line = found[0]?.split('\n')[title === secondLine ? 1 : 0]
    t.ok(line?.includes(part), `${title}: ${line}`)
    t.notMatch(found[0]?.split('\n')[0], /\b(?:Answer|Literals|Inferred|ResultOf|Sentences|Misfits)</, title)
  }
  t.equal(problems.length, mistakes.length, 'one problem for each mistake')
})

t.test('an error of register without a name says which function names it', async (t) => {
  t.testdir({ 'desk.yaml': contract })
  const { folder } = await generate(t, join(t.testdirName, 'desk.yaml'))
  const file = join(folder, 'register.ts')
  const wrong = 'handlers: { ...right, upload: async () => ({ status: 205 }) }'
  const calls = [
    'await app.register(contractRoutes, { ...options, handlers: right })',
    "await app.register(contractRoutes, contractOptions({ ...options, handlers: right, prefix: '/v1' }))",
    "await app.register(contractRoutes, contractOptions({ ...options, handlers: { ...right, upload: ({ principal }) => ({ status: principal.id === '' ? 204 : 204 }) } }))",
    `await app.register(contractRoutes, { ...options, ${wrong} })`,
    'await app.register(contractRoutes, {})',
    'await app.register(contractRoutes)'
  ]
  const unused = 'void [find, defineService]; export type Unused = CreateResponse | UploadResponse'
  await writeFile(file, [head.trimEnd(), ...calls, unused].join('\n'))
  const problems = await diagnose('register', [file])
  const first = head.split('\n').length
  t.same(
    problems.map(({ text }) => Number(text.split(':')[0]) - first),
    [3, 4, 5]
  )
  t.match(
    problems[0]?.text,
    /is not assignable to type '"an option is wrong: contractOptions\(\{ … \}\) around the options names it"'/
  )
})
