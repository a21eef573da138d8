import { join } from 'node:path'
import t from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'
import { fromSelf } from '../../../src/contract/document/self.ts'

t.test('fromSelf finds references to the contract, from each of its files', async (t) => {
  const rows: [uri: string, file: string, reference: string, rewritten: string][] = [
    ['https://a.example/v1/api.yaml', '/c/root.yaml', 'https://a.example/v1/api.yaml#/a', '#/a'],
    ['https://a.example/v1/api.yaml', '/c/root.yaml', 'api.yaml#/a', '#/a'],
    ['https://a.example/v1/api.yaml', '/c/root.yaml', '/v1/api.yaml', '#'],
    ['https://a.example/v1/api.yaml#x', '/c/root.yaml', '../v1/api.yaml#/a', '#/a'],
    ['https://a.example/v1/api.yaml', '/c/root.yaml', 'other.yaml#/a', 'other.yaml#/a'],
    ['https://a.example/v1/api.yaml', '/c/root.yaml', '#/a', '#/a'],
    ['https://a.example/v1/api.yaml', '/c/root.yaml', 'http://[', 'http://['],
    ['https://a.example/v1/api.yaml', '/c/parts/a.yaml', '../api.yaml#/a', '../root.yaml#/a'],
    ['https://a.example/v1/api.yaml', '/c/parts/a.yaml', 'api.yaml#/a', 'api.yaml#/a'],
    [
      'https://a.example/v1/api.yaml',
      '/c/root.yaml',
      'https://a.example/v1/parts/b.yaml#/b',
      'parts/b.yaml#/b'
    ],
    ['https://a.example/v1/api.yaml', '/c/parts/a.yaml', 'https://a.example/v1/b.yaml', '../b.yaml'],
    [
      'https://a.example/v1/api.yaml',
      '/c/root.yaml',
      'https://a.example/v2/b.yaml',
      'https://a.example/v2/b.yaml'
    ],
    ['/v1/api', '/c/root.yaml', 'api#/a', '#/a'],
    ['urn:example:api', '/c/root.yaml', 'urn:example:api#/a', '#/a'],
    ['urn:example:api', '/c/root.yaml', 'urn:example:other', 'urn:example:other'],
    ['urn:example:api', '/c/parts/a.yaml', 'urn:example:api#/a', '../root.yaml#/a'],
    ['http://[', '/c/root.yaml', 'a.yaml', 'a.yaml']
  ]
  for (const [uri, file, reference, rewritten] of rows)
    t.equal(fromSelf({ path: '/c/root.yaml', uri }, file)(reference), rewritten, `${reference} of ${uri}`)
})

t.test('the files of a contract may refer to it by its URI', async (t) => {
  const folder = t.testdir({
    'root.yaml': `openapi: 3.2.0
$self: https://a.example/v1/api.yaml
info: { title: Test, version: '1' }
paths:
  /things:
    get:
      operationId: list
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: 'thing.yaml' } } } }
components: { schemas: { Word: { type: string } } }
`,
    'thing.yaml': `type: object
properties:
  word: { $ref: 'https://a.example/v1/api.yaml#/components/schemas/Word' }
  other: { $ref: 'https://a.example/v1/parts/other.yaml' }
`,
    parts: { 'other.yaml': 'type: integer\nformat: int64\n' }
  })
  const { problems, files } = await compileContract(join(folder, 'root.yaml'), folder)
  t.same(
    problems.filter(({ rule }) => rule !== 'example'),
    []
  )
  const [, types = ''] = [...files].find(([path]) => path.endsWith('types.ts')) ?? []
  t.match(types, /word\?: components\["schemas"\]\["Word"\]/)
  t.match(types, /other: bigint|other\?: components\["schemas"\]\["other"\]/)
})
