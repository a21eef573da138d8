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
/** TypeScript shows the wrong part of an expression; otherwise the whole handler, or all that a maker returns. */
type Kind = 'declared' | 'option' | 'maker'
type Write = (members: string, row: string) => string
const places: readonly (readonly [place: string, kind: Kind, write: Write])[] = [
  ['apart', 'declared', (members, row) => `export const apart${row}: Handlers<User> = { ${members} }`],
  [
    'made',
    'declared',
    (members, row) => `export function make${row}(): Handlers<User> { return { ${members} } }`
  ],
  [
    'satisfies',
    'declared',
    (members, row) => `export const satisfying${row} = { ${members} } satisfies Handlers<User>`
  ],
  ['server', 'option', (members) => `await createContractServer({ ...options, handlers: { ${members} } })`],
  [
    'plugin',
    'option',
    (members) =>
      `await app.register(contractRoutes, contractOptions({ ...options, handlers: { ${members} }, prefix: '/v1' }))`
  ],
  ['service', 'option', (members) => `defineService({ ...options, handlers: () => ({ ${members} }) })`],
  [
    'service, a promise',
    'maker',
    (members) => `defineService({ ...options, handlers: async () => ({ ${members} }) })`
  ],
  [
    'service, a block',
    'maker',
    (members) => `defineService({ ...options, handlers: () => { return { ${members} } } })`
  ]
]

interface Mistake {
  readonly title: string
  readonly code: string
  /** Part of the first line. */
  readonly part: string
}
/** Part of the first line where TypeScript shows the whole. */
const notAssignable = 'is not assignable to type'
const inHandlers = (): Mistake[] =>
  rows.flatMap(({ group, name, handler, message, inResult }, index) => {
    const row = `_${group}_${index}`
    return [
      ...places.map(([where, kind, write]) => ({
        title: `${where}: ${handler}`,
        code: write(`...right, ${name}: ${handler}`, row),
        part: kind === 'maker' && inResult ? notAssignable : message
      })),
      {
        title: `a file: ${handler}`,
        code: `export function file${row}(): Handlers<User>['${name}'] { return ${handler} }`,
        part: message
      }
    ]
  })

const withoutUpload =
  'list: right.list, create: right.create, attach: right.attach, restore: right.restore, load: right.load'
/** A function that makes handlers may make more of them: the boot refuses these. */
const inNames = places.flatMap(([where, kind, write]): Mistake[] => {
  const isMade = kind === 'maker' || write('', '').startsWith('defineService')
  return [
    {
      title: `${where}: no handler`,
      code: write(withoutUpload, 'Missing'),
      part: isMade ? notAssignable : "Property 'upload' is missing in type"
    },
    ...(isMade
      ? []
      : [
          {
            title: `${where}: a misspelt handler`,
            code: write('...right, uplaod: right.upload', 'Misspelt'),
            part: "Object literal may only specify known properties, but 'uplaod' does not exist in type"
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
  const mistakes = [...inHandlers(), ...inNames]
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
