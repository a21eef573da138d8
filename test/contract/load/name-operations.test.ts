import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { servedId } from '../../../src/contract/build/operation-ids.ts'

const none = new Set<string>()

const rows: readonly (readonly [method: string, path: string, name: string | RegExp])[] = [
  ['GET', '/', 'get'],
  ['GET', '/plants/{id}', 'get_plants_by_id'],
  ['DELETE', '/user-groups/{group_id}/v1', 'delete_user__groups_by_group___id_v1'],
  ['GET', '/plants/', /^get_plants_____[\da-f]{12}$/],
  ['GET', '/plants/by/id', /^get_plants_by_id____[\da-f]{12}$/],
  ['POST', '/a.json/{x}{y}', /^post_a_json_by_xby_y____[\da-f]{12}$/]
]

for (const [method, path, name] of rows)
  t.test(`${method} ${path}`, async (t) => {
    t.match(servedId(method, path, none), name)
    t.match(servedId(method, path, none), /^\w+$/, 'an identifier')
  })

t.test('paths that resemble each other have different names', async (t) => {
  const paths = [
    '/a/b',
    '/a-b',
    '/a_b',
    '/a/{b}',
    '/a/by/b',
    '/aB',
    '/a__b',
    '/a.b',
    '/{a}/b',
    '/a/b/',
    '/a//b',
    '/a--b'
  ]
  t.equal(new Set(paths.map((path) => servedId('GET', path, none))).size, paths.length)
})

t.test('a name that an author gave to another operation is left to it', async (t) => {
  t.match(servedId('GET', '/a', new Set(['get_a'])), /^get_a____/)
})

t.test('paths that refer to one path item have operations of their own', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a: { $ref: '#/components/pathItems/x' }
  /b: { $ref: '#/components/pathItems/x' }
components: { pathItems: { x: { get: { responses: { '204': { description: a } } }, put: { responses: { '204': { description: a } } } } } }
`
  })
  const { operations } = await compileContract(join(folder, 'openapi.yaml'), folder)
  t.strictSame(
    operations.map(({ operationId }) => operationId),
    ['get_a', 'put_a', 'get_b', 'put_b']
  )
})
