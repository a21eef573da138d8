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

type Row = readonly [mistake: string, name: string, handler: string, firstLine: string, inResult?: true]
/** Mistakes in an expression; those in its result show the whole where a function makes the handlers. */
const rows: readonly Row[] = [
  [
    'a wrong property of a received body',
    'create',
    '({ body }) => ({ status: 404, body: { missing: body.titel } })',
    "Property 'titel' does not exist on type '{ title: string; }'. Did you mean 'title'?"
  ],
  [
    'a property that handlers do not receive',
    'create',
    '({ body }) => ({ status: 404, body: { missing: body.id } })',
    "Property 'id' does not exist on type '{ title: string; }'."
  ],
  [
    'a wrong property of a sent body',
    'create',
    "() => ({ status: 404, body: { mising: '' } })",
    "Object literal may only specify known properties, but 'mising' does not exist in type '{ missing: string; }'. Did you mean to write 'missing'?",
    true
  ],
  [
    'no status',
    'upload',
    '() => ({})',
    "Type '{}' is not assignable to type '{ status: 204; body?: undefined;",
    true
  ],
  [
    'a wrong status',
    'upload',
    '() => ({ status: 205 })',
    "Type '205' is not assignable to type '204'.",
    true
  ],
  [
    'the body of `default` for a status that is declared',
    'create',
    "() => ({ status: 404, body: { problem: '' } })",
    "Object literal may only specify known properties, and 'problem' does not exist in type '{ missing: string; }'.",
    true
  ],
  [
    'a wrong header',
    'list',
    "() => ({ status: 200, body: [], headers: { 'X-Total': 'many' } })",
    "Type 'string' is not assignable to type 'number'.",
    true
  ],
  [
    'a wrong principal',
    'create',
    '({ principal }) => ({ status: 404, body: { missing: principal.name } })',
    "Property 'name' does not exist on type 'User'."
  ],
  [
    'a wrong use of an upload',
    'upload',
    "({ body }) => ({ status: body.photo.originalname === '' ? 204 : 204 })",
    "Property 'originalname' does not exist on type 'FilePart'."
  ],
  [
    'a streamed upload taken for its bytes',
    'attach',
    '({ body }) => ({ status: body.photo.length === 0 ? 204 : 204 })',
    "Property 'length' does not exist on type 'UploadedFile'."
  ],
  [
    'streamed uploads taken for one',
    'attach',
    'async ({ body }) => ({ status: (await body.pages.bytes()).length === 0 ? 204 : 204 })',
    "Property 'bytes' does not exist on type 'UploadedFile[]'."
  ],
  [
    'a streamed body taken for its bytes',
    'restore',
    '({ body }) => ({ status: body.length === 0 ? 204 : 204 })',
    "Property 'length' does not exist on type 'Readable'."
  ],
  [
    'the items of a sequence taken for a list',
    'load',
    '({ body }) => ({ status: body.length === 0 ? 204 : 204 })',
    "Property 'length' does not exist on type 'AsyncIterable<{ title: string; }>'."
  ],
  [
    'a promise in a body',
    'list',
    "() => ({ status: 200, body: find(), headers: { 'X-Total': 1 } })",
    "Type 'Promise<{ id: string; title: string; }[]>' is missing the following properties from type '{ id: string; title: string; }[]': length",
    true
  ],
  [
    'a wrong item of a list',
    'list',
    "() => ({ status: 200, body: [1], headers: { 'X-Total': 1 } })",
    "Type 'number' is not assignable to type '{ id: string; title: string; }'.",
    true
  ]
]

/** TypeScript compares the results of these functions as a whole: the first line shows all of it. */
const whole: readonly Row[] = [
  ['no status', 'upload', 'async () => ({})', "'Promise<{}>'", true],
  ['no result', 'upload', 'async () => {}', 'Promise<void>', true],
  ['a wrong status', 'upload', 'async () => ({ status: 205 })', "'Promise<{ status: 205; }>'", true],
  [
    'a wrong header',
    'list',
    "async () => ({ status: 200, body: [], headers: { 'X-Totals': 1 } })",
    "headers: { 'X-Totals': ",
    true
  ],
  [
    'a wrong property of a sent body',
    'create',
    'async () => { return { status: 404, body: { mising: 5 } } }',
    'body: { mising: ',
    true
  ],
  [
    'a wrong property of a sent body, without a promise',
    'create',
    "({ body }) => { return { status: 201, body: { id: '', titel: body.title } } }",
    '; titel: string; }',
    true
  ],
  [
    'one of several responses',
    'create',
    "async ({ body }) => { if (body.title === '') return { status: 404, body: { missing: '' } }; return { status: 201, body: {} } }",
    'status: 404; ',
    true
  ],
  [
    'wrong properties of items',
    'list',
    "async () => ({ status: 200, body: [{ id: '', titel: '' }], headers: { 'X-Total': 1 } })",
    '; titel: ',
    true
  ]
]

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
const inHandlers = (rows: readonly Row[], group: string): Mistake[] =>
  rows.flatMap(([title, name, handler, firstLine, inResult], index) => {
    const row = `_${group}_${index}`
    return [
      ...places.map(([where, kind, write]) => ({
        title: `${where}: ${title}`,
        code: write(`...right, ${name}: ${handler}`, row),
        part: kind === 'maker' && inResult ? notAssignable : firstLine
      })),
      {
        title: `a file: ${title}`,
        code: `export function file${row}(): Handlers<User>['${name}'] { return ${handler} }`,
        part: firstLine
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

/** Handlers as stubs are: TypeScript compares what each `return` gives, wherever they stand. */
const typed: readonly Row[] = [
  [
    'a surplus property of a sent body, beside the others',
    'create',
    "async ({ body }): Promise<CreateResponse> => { return { status: 201, body: { id: '', title: body.title, more: 1 } } }",
    "Object literal may only specify known properties, and 'more' does not exist in type"
  ],
  [
    'a wrong property of a sent body',
    'create',
    "async ({ body }): Promise<CreateResponse> => { return { status: 201, body: { id: '', titel: body.title } } }",
    "Object literal may only specify known properties, and 'titel' does not exist in type '{ id: string; title: string; } |"
  ],
  [
    'a wrong status',
    'upload',
    'async (): Promise<UploadResponse> => ({ status: 205 })',
    "Type '205' is not assignable to type '204'."
  ]
]

t.setTimeout(900_000)
t.test('the first line names what is wrong', async (t) => {
  t.testdir({ 'desk.json': JSON.stringify(document) })
  const { folder } = await generate(t, join(t.testdirName, 'desk.json'))
  const path = join(folder, 'mistakes.ts')
  const mistakes = [
    ...inHandlers(rows, 'expression'),
    ...inHandlers(whole, 'whole'),
    ...inHandlers(typed, 'typed'),
    ...inNames
  ]
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
