/** Schemas in a file of their own refer to its parts by `$id` and `$anchor` (JSON Schema Core 2020-12, section 8.2). */
import { join } from 'node:path'
import t from 'tap'
import { loadContract } from '../../../src/contract/load/load.ts'

const integer = { type: 'integer' }
const id = 'https://a.example/root'

interface Row {
  readonly what: string
  readonly schema: object
  readonly problem?: string
  readonly escaped?: boolean
}

const rows: readonly Row[] = [
  {
    what: 'an anchor of the file',
    schema: { $ref: '#whole', $defs: { a: { $anchor: 'whole', ...integer } } }
  },
  {
    what: 'an anchor by absolute URI',
    schema: { $id: id, $ref: `${id}#whole`, $defs: { a: { $anchor: 'whole', ...integer } } }
  },
  {
    what: 'a resource by relative URI',
    schema: { $id: id, $ref: 'whole', $defs: { a: { $id: 'whole', ...integer } } }
  },
  {
    what: 'a pointer within a resource',
    schema: { $ref: 'urn:a#/$defs/b', $defs: { a: { $id: 'urn:a', $defs: { b: integer } } } }
  },
  {
    what: 'an anchor whose keyword is escaped',
    schema: { $ref: '#whole', $defs: { a: { $anchor: 'whole', ...integer } } },
    escaped: true
  },
  {
    what: 'a dynamic reference, bound in the whole document',
    schema: { $id: id, $dynamicRef: '#whole', $defs: { a: { $dynamicAnchor: 'whole', ...integer } } }
  },
  {
    what: 'an anchor that two schemas have',
    schema: { $ref: '#twice', $defs: { a: { $anchor: 'twice' }, b: { $anchor: 'twice' } } },
    problem: "Can't resolve $ref #twice"
  },
  {
    what: 'an anchor in an example',
    schema: { $ref: '#data', examples: [{ $anchor: 'data' }] },
    problem: "Can't resolve $ref #data"
  }
]

for (const { what, schema, problem, escaped = false } of rows)
  t.test(what, async (t) => {
    const content = { 'application/json': { schema: { $ref: './schema.json' } } }
    const operation = {
      operationId: 'a',
      requestBody: { content },
      responses: { 204: { description: 'done' } }
    }
    const folder = t.testdir({
      'openapi.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'a', version: '1' },
        paths: { '/a': { put: operation } }
      }),
      'schema.json': JSON.stringify(schema).replaceAll('$anchor', escaped ? '\\u0024anch\\u006fr' : '$anchor')
    })
    const { problems, document } = await loadContract(join(folder, 'openapi.json'))
    const messages = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)
    if (problem !== undefined) return void t.ok(messages.includes(problem), String(messages))
    t.strictSame(messages, [])
    t.notMatch(JSON.stringify(document), /"\$(ref|dynamicRef)":"(?!#\/)/)
  })
