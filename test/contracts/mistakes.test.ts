/** First lines of what the type checker prints for usual mistakes in handlers, wherever the handlers stand. */
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { generate } from './drive.ts'
import { diagnose } from './type-check.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
const text = { type: 'string' }
const ticket = object({ id: { ...text, readOnly: true }, title: text })
const document = {
  openapi: '3.1.0',
  info: { title: 'Desk', version: '1' },
  security: [{ token: [] }],
  paths: {
    '/tickets': {
      get: {
        operationId: 'list',
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: json({ type: 'array', items: ticket })
          },
          default: { description: 'problem', content: json(object({ problem: text })) }
        }
      },
      post: {
        operationId: 'create',
        requestBody: { required: true, content: json(ticket) },
        responses: {
          201: { description: 'ok', content: json(ticket) },
          404: { description: 'none', content: json(object({ missing: text })) },
          default: { description: 'problem', content: json(object({ problem: text })) }
        }
      },
      put: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: { 'multipart/form-data': { schema: object({ photo: { ...text, format: 'binary' } }) } }
        },
        responses: { 204: { description: 'done' } }
      },
      patch: {
        operationId: 'attach',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              'x-stream': true,
              schema: object({
                photo: { ...text, format: 'binary' },
                pages: { type: 'array', items: { ...text, format: 'binary' } }
              })
            }
          }
        },
        responses: { 204: { description: 'done' } }
      }
    },
    '/backups': {
      put: {
        operationId: 'restore',
        requestBody: { required: true, content: { 'application/octet-stream': { 'x-stream': true } } },
        responses: { 204: { description: 'done' } }
      },
      post: {
        operationId: 'load',
        requestBody: { required: true, content: { 'application/jsonl': { schema: ticket } } },
        responses: { 204: { description: 'done' } }
      }
    }
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
}

const all = '...right'
const rows: readonly (readonly [mistake: string, members: string, firstLine: string | RegExp])[] = [
  [
    'a wrong property of a received body',
    `${all}, create: ({ body }) => ({ status: 404, body: { missing: body.titel } })`,
    "Property 'titel' does not exist on type '{ title: string; }'. Did you mean 'title'?"
  ],
  [
    'a property that handlers do not receive',
    `${all}, create: ({ body }) => ({ status: 404, body: { missing: body.id } })`,
    "Property 'id' does not exist on type '{ title: string; }'."
  ],
  [
    'a wrong property of a sent body',
    `${all}, create: () => ({ status: 404, body: { mising: '' } })`,
    "Object literal may only specify known properties, but 'mising' does not exist in type '{ missing: string; }'. Did you mean to write 'missing'?"
  ],
  [
    'no status',
    `${all}, upload: () => ({})`,
    "Type '{}' is not assignable to type '{ status: 204; body?: undefined;"
  ],
  [
    'a wrong status',
    `${all}, upload: () => ({ status: 205 })`,
    "Type '205' is not assignable to type '204'."
  ],
  [
    'the body of `default` for a status that is declared',
    `${all}, create: () => ({ status: 404, body: { problem: '' } })`,
    "Object literal may only specify known properties, and 'problem' does not exist in type '{ missing: string; }'."
  ],
  [
    'a wrong header',
    `${all}, list: () => ({ status: 200, body: [], headers: { 'X-Total': 'many' } })`,
    "Type 'string' is not assignable to type 'number'."
  ],
  [
    'a wrong principal',
    `${all}, create: ({ principal }) => ({ status: 404, body: { missing: principal.name } })`,
    "Property 'name' does not exist on type 'User'."
  ],
  [
    'a wrong use of an upload',
    `${all}, upload: ({ body }) => ({ status: body.photo.originalname === '' ? 204 : 204 })`,
    "Property 'originalname' does not exist on type 'FilePart'."
  ],
  [
    'a streamed upload taken for its bytes',
    `${all}, attach: ({ body }) => ({ status: body.photo.length === 0 ? 204 : 204 })`,
    "Property 'length' does not exist on type 'UploadedFile'."
  ],
  [
    'streamed uploads taken for one',
    `${all}, attach: async ({ body }) => ({ status: (await body.pages.bytes()).length === 0 ? 204 : 204 })`,
    "Property 'bytes' does not exist on type 'UploadedFile[]'."
  ],
  [
    'a streamed body taken for its bytes',
    `${all}, restore: ({ body }) => ({ status: body.length === 0 ? 204 : 204 })`,
    "Property 'length' does not exist on type 'Readable'."
  ],
  [
    'the items of a sequence taken for a list',
    `${all}, load: ({ body }) => ({ status: body.length === 0 ? 204 : 204 })`,
    "Property 'length' does not exist on type 'AsyncIterable<{ title: string; }>'."
  ],
  [
    'no handler',
    'list: right.list, create: right.create, attach: right.attach, restore: right.restore, load: right.load',
    "Property 'upload' is missing in type"
  ],
  [
    'a misspelt handler',
    `${all}, uplaod: right.upload`,
    "Object literal may only specify known properties, but 'uplaod' does not exist in type"
  ],
  [
    'a promise in a body',
    `${all}, list: () => ({ status: 200, body: find(), headers: { 'X-Total': 1 } })`,
    "Type 'Promise<{ id: string; title: string; }[]>' is missing the following properties from type '{ id: string; title: string; }[]': length"
  ],
  [
    'a wrong item of a list',
    `${all}, list: () => ({ status: 200, body: [1], headers: { 'X-Total': 1 } })`,
    "Type 'number' is not assignable to type '{ id: string; title: string; }'."
  ]
]

/** TypeScript compares the results of these functions as a whole: the first line shows all of it. */
const whole: typeof rows = [
  [
    'no status',
    `${all}, upload: async () => ({})`,
    "Type 'Promise<{}>' is not assignable to type '{ status: 204;"
  ],
  [
    'a wrong status',
    `${all}, upload: async () => ({ status: 205 })`,
    "Type 'Promise<{ status: 205; }>' is not assignable to type '{ status: 204;"
  ],
  [
    'a wrong header',
    `${all}, list: async () => ({ status: 200, body: [], headers: { 'X-Totals': 1 } })`,
    "Type 'Promise<{ status: 200; body: never[]; headers: { 'X-Totals': "
  ],
  [
    'a wrong property of a sent body',
    `${all}, create: async () => { return { status: 404, body: { mising: 5 } } }`,
    /Promise<\{ status: 404; body: \{ mising: .* type '\(request: CreateRequest<User>\) => CreateResponse \| \(Promise<CreateResponse> & \{ readonly status\?: undefined; \}\)'/
  ]
]

const engine = JSON.stringify(resolve(import.meta.dirname, '../../src/engine/server.ts'))
const service = JSON.stringify(resolve(import.meta.dirname, '../../src/service/service.ts'))
const head = `import contract, { type Handlers } from './contract.ts'
import { contractOptions, contractRoutes, createContractServer } from ${engine}
import { defineService } from ${service}
interface User { readonly id: string }
declare const right: Handlers<User>
declare const find: () => Promise<{ id: string; title: string }[]>
declare const app: Awaited<ReturnType<typeof createContractServer>>
const options = { contract, security: { token: async (id: string): Promise<User> => ({ id }) }, errorBody: () => ({}) }
`
type Place = readonly [name: string, write: (members: string, row: number) => string]
const places: readonly Place[] = [
  ['apart', (members, row) => `export const apart${row}: Handlers<User> = { ${members} }`],
  ['satisfies', (members, row) => `export const satisfying${row} = { ${members} } satisfies Handlers<User>`],
  ['server', (members) => `await createContractServer({ ...options, handlers: { ${members} } })`],
  ['service', (members) => `defineService({ ...options, handlers: () => ({ ${members} }) })`],
  [
    'plugin',
    (members) =>
      `await app.register(contractRoutes, contractOptions({ ...options, handlers: { ${members} }, prefix: '/v1' }))`
  ]
]
/** TypeScript compares these objects as a whole, and names the handler in the second line. */
const second = new Set(['service: no handler', 'satisfies: no handler'])
/** TypeScript allows further members in what a function returns; the boot refuses them. */
const allowed = new Set(['service: a misspelt handler'])

t.test('the first line names what is wrong', { timeout: 120_000 }, async (t) => {
  t.testdir({ 'desk.json': JSON.stringify(document) })
  const { folder } = await generate(t, join(t.testdirName, 'desk.json'))
  const file = join(folder, 'mistakes.ts')
  const mistakes = places.flatMap(([name, write]) =>
    [...rows, ...whole]
      .map(([mistake, members, firstLine], row) => ({
        name: `${name}: ${mistake}`,
        code: write(members, row),
        firstLine
      }))
      .filter(({ name }) => !allowed.has(name))
  )
  await writeFile(file, [head.trimEnd(), ...mistakes.map(({ code }) => code)].join('\n'))
  const problems = await diagnose('mistakes', [file])
  const first = head.split('\n').length
  for (const [row, { name, firstLine }] of mistakes.entries()) {
    const prefix = `${first + row}: `
    const found = problems
      .filter(({ text }) => text.startsWith(prefix))
      .map(({ text }) => text.slice(prefix.length))
    t.equal(found.length, 1, `${name}: ${found.join('; ')}`)
    const expected = second.has(name) ? /Property 'upload' is missing in type/ : firstLine
    if (typeof expected === 'string') t.ok(found[0]?.startsWith(expected), `${name}: ${found[0]}`)
    else t.match(found[0], expected, name)
    t.notMatch(found[0], /\b(?:Answer|Literals|Inferred|ResultOf)</, name)
  }
  t.equal(problems.length, mistakes.length, 'one problem for each mistake')
})

t.test(
  'an error of register without a name says which function names it',
  { timeout: 120_000 },
  async (t) => {
    t.testdir({ 'desk.json': JSON.stringify(document) })
    const { folder } = await generate(t, join(t.testdirName, 'desk.json'))
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
    const unused = 'void [find, defineService]'
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
  }
)
