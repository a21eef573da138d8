/** First lines of what the type checker prints for usual mistakes in handlers, which are typed apart and inline. */
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
      }
    }
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
}

const all = '...right'
const rows: readonly (readonly [mistake: string, members: string, firstLine: string])[] = [
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
  ['no status', `${all}, upload: () => ({})`, "Type '{}' is not assignable to type 'Answer<{ status: 204;"],
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
  ['no handler', 'list: right.list, create: right.create', "Property 'upload' is missing in type"],
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

const engine = JSON.stringify(resolve(import.meta.dirname, '../../src/engine/server.ts'))
const head = `import contract, { type Handlers } from './contract.ts'
import { createContractServer } from ${engine}
interface User { readonly id: string }
declare const right: Handlers<User>
declare const find: () => Promise<{ id: string; title: string }[]>
const options = { contract, security: { token: async (id: string): Promise<User> => ({ id }) }, errorBody: () => ({}) }
`
const apart = rows.map(([, members], row) => `export const apart${row}: Handlers<User> = { ${members} }`)
const inline = rows.map(
  ([, members]) => `await createContractServer({ ...options, handlers: { ${members} } })`
)

t.test('the first line names what is wrong', { timeout: 120_000 }, async (t) => {
  t.testdir({ 'desk.json': JSON.stringify(document) })
  const { folder } = await generate(t, join(t.testdirName, 'desk.json'))
  const file = join(folder, 'mistakes.ts')
  await writeFile(file, [head.trimEnd(), ...apart, ...inline].join('\n'))
  const problems = await diagnose('mistakes', [file])
  const first = head.split('\n').length
  for (const [place, offset] of [
    ['apart', 0],
    ['inline', rows.length]
  ] as const)
    for (const [row, [mistake, , firstLine]] of rows.entries()) {
      const prefix = `${first + offset + row}: `
      const found = problems
        .filter(({ text }) => text.startsWith(prefix))
        .map(({ text }) => text.slice(prefix.length))
      t.ok(found.length === 1 && found[0]?.startsWith(firstLine), `${mistake}, ${place}: ${found.join('; ')}`)
    }
  t.equal(problems.length, 2 * rows.length, 'one problem for each mistake')
})
