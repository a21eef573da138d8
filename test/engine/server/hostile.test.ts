/** Megabytes that cost a validator the most, compared with the CPU time of a valid megabyte. */
import t from 'tap'
import { type Json, request, serve, taking } from '../serve.ts'

t.setTimeout(900_000)

const letters = Object.fromEntries(
  [...'abcdefghijklmnopqrstuvwxyz'].map((name) => [name, { type: 'string' }])
)
const node: Json = { $ref: '#/components/schemas/Node' }
const schemas: Record<string, Json> = {
  strings: { type: 'array', items: { type: 'string' } },
  objects: { type: 'array', items: { type: 'object', required: Object.keys(letters), properties: letters } },
  nodes: { type: 'array', items: node },
  chain: node,
  unique: { type: 'array', uniqueItems: true },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  closed: { type: 'object', additionalProperties: false },
  names: { type: 'object', propertyNames: { maxLength: 1 } },
  patterns: {
    type: 'object',
    patternProperties: { '^x': { type: 'integer', format: 'int64' }, y$: { type: 'string' } }
  },
  union: { type: 'array', items: { anyOf: [node, { type: 'string' }, { type: 'array', items: node }] } },
  values: { type: 'array', items: { enum: [1, 2, 'a'] } },
  tree: { $ref: '#/components/schemas/Tree' }
}
const int64: Json = { type: 'integer', format: 'int64' }
const document: Json = {
  paths: Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`/${name}`, taking(name, schema)])
  ),
  components: {
    schemas: {
      Node: { type: 'object', required: ['v'], properties: { v: int64, next: node } },
      Tree: {
        oneOf: [
          { type: 'object', required: ['leaf'], properties: { leaf: int64 } },
          {
            type: 'object',
            required: ['kids'],
            properties: { kids: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }
          }
        ]
      }
    }
  }
}

const { ask } = await serve(t, document, {
  handlers: Object.fromEntries(
    Object.keys(schemas).map((name) => [name, () => ({ status: 200, body: 'ok' })])
  )
})

const list = (count: number, item: string) => `[${Array(count).fill(item).join()}]`
const members = (count: number, name: string, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"${name}${index}":${value}`).join()}}`
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Largest ratio to the CPU time of a valid megabyte; a validator that is not linear would reach hundreds. */
const maxRatio = 60

async function cpuTimeOf(bytes: Buffer): Promise<number> {
  const before = process.cpuUsage()
  await ask(bytes)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

t.test('a megabyte of problems costs little CPU time, and gets one line', async (t) => {
  const many = /; and many more$/
  const rows: [string, string, string, number, RegExp][] = [
    ['500,000 wrong items', 'strings', list(520_000, '1'), 400, many],
    ['9,000,000 missing properties', 'objects', list(349_000, '{}'), 400, many],
    ['wrong items of a schema that is referred to', 'nodes', list(349_000, '{}'), 400, many],
    ['items of a wrong type', 'nodes', list(520_000, '1'), 400, many],
    ['a chain of 60,000', 'chain', nested(60_000, '{"v":1,"next":', '1', '}'), 400, /nested too deeply$/],
    [
      '150,000 items that differ',
      'unique',
      `[${Array.from({ length: 150_000 }, (_, index) => index).join()}]`,
      200,
      /^$/
    ],
    [
      'equal items at the ends',
      'unique',
      `[1e308,${Array.from({ length: 90_000 }, (_, index) => index).join()},1e308]`,
      400,
      /items 0 and 90001/
    ],
    ['100,000 wrong members', 'map', members(90_000, '', '1'), 400, many],
    ['100,000 members that are not allowed', 'closed', members(90_000, '', '1'), 400, many],
    ['100,000 names that are not allowed', 'names', members(90_000, 'x', '1'), 400, many],
    ['90,000 names against patterns', 'patterns', members(90_000, 'x', '1'), 200, /^$/],
    ['items of no branch', 'union', list(349_000, '{}'), 400, many],
    ['items of half a branch', 'union', list(250_000, '[1]'), 400, many],
    [
      'few items with many wrong ones inside',
      'union',
      list(10, list(50_000, '1')),
      400,
      /body\/9 must match/
    ],
    ['numbers of 308 digits', 'values', list(170_000, '1e308'), 400, many],
    [
      'a tree of 60,000 levels',
      'tree',
      nested(60_000, '{"kids":[', '{"leaf":1}', ']}'),
      400,
      /nested too deeply$/
    ],
    [
      'a tree with wrong leaves',
      'tree',
      `{"kids":${list(70_000, '{"leaf":"x"}')}}`,
      400,
      /exactly one of the allowed schemas$/
    ]
  ]
  const ordinary = await cpuTimeOf(request('POST /strings', list(260_000, '"a"')))
  for (const [name, path, body, status, message] of rows) {
    const before = process.cpuUsage()
    const answer = await ask(request(`POST /${path}`, body))
    t.equal(answer.status, status, name)
    t.match(Object(answer.value).message ?? '', message, name)
    t.ok(answer.body.length < 4000, `${name}: ${answer.body.length} characters`)
    const { user, system } = process.cpuUsage(before)
    t.ok(user + system < maxRatio * ordinary, `${name}: ${Math.round((user + system) / ordinary)} times`)
  }
})

t.test('errors of a refused branch of a union do not remain after an accepted one', async (t) => {
  const wrong = list(2000, '{}')
  const rows: [string, string, number][] = [
    ['union', `["a",${wrong},"b"]`, 400],
    ['union', `[${list(2000, '{"v":1}')},"b"]`, 200],
    ['nodes', list(3000, '{"v":1,"next":{"v":2}}'), 200],
    ['tree', `{"kids":${list(3000, '{"leaf":1}')}}`, 200]
  ]
  for (const [path, body, status] of rows)
    t.equal((await ask(request(`POST /${path}`, body))).status, status, `${path} ${body.slice(0, 20)}`)
})
