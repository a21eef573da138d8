/** A mock that keeps what requests make, and one whose answers stand in a file. */
import t from 'tap'
import { read } from '../../contracts/exchanges.ts'
import { json, mocked, pathsOf, sending } from './mocked.ts'

t.setTimeout(900_000)

const text = { type: 'string' }
const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const id = (name: string, schema: object = { type: 'integer', format: 'int64' }) => ({
  parameters: [{ name, in: 'path', required: true, schema }]
})
const operation = (operationId: string, responses: object, more: object = {}) => ({
  operationId,
  responses,
  ...more
})
const documents = read(`${import.meta.dirname}/memory.yaml`) as Readonly<
  Record<string, { readonly paths: Parameters<typeof pathsOf>[0] }>
>
const documentOf = (name: string) => ({ ...documents[name], paths: pathsOf(documents[name]?.paths ?? {}) })
const remembering = () => ({ seed: 1, resources: new Map() })

t.test('what a client sends is what later requests get', async (t) => {
  const mock = await mocked(t, documentOf('things'), remembering())
  const send = sending(mock, '/api')
  const untouched = await send('GET /things')
  t.equal(untouched.status, 200)
  t.not(untouched.text, '[]', 'a list that nobody has touched is made up')

  const fern = '{"id":9007199254740993,"name":"fern"}'
  const first = await send('POST /things', fern)
  t.equal(first.status, 201)
  t.equal(first.headers.get('location'), '/api/things/9007199254740993')
  t.match(first.text, '"id":9007199254740993,"name":"fern"')
  t.equal((await send('GET /things/9007199254740993')).text, first.text)

  const [one, two] = [
    await send('POST /things', '{"name":"moss"}'),
    await send('POST /things', '{"name":"ivy"}')
  ]
  t.not(JSON.parse(one.text).id, JSON.parse(two.text).id, 'each thing has an id of its own')
  t.equal((await send(`GET /things/${JSON.parse(two.text).id}`)).text, two.text)
  t.equal((await send('GET /things')).text, `[${first.text},${one.text},${two.text}]`)

  const boxed = await send('POST /boxes', '{"data":{"name":"box"}}')
  const { data } = JSON.parse(boxed.text)
  t.equal(data.name, 'box')
  t.equal((await send(`GET /boxes/${data.id}`)).text, boxed.text, 'a thing in an envelope')
  t.equal((await send('GET /boxes')).text, `{"data":[${JSON.stringify(data)}]}`)
  t.equal(JSON.parse((await send('POST /flats', '{"name":"loft"}')).text).name, 'loft', 'no envelope')
  t.match((await send(`PATCH /boxes/${data.id}`, '{"name":"tin"}')).text, '"name":"tin"')
  t.match((await send(`GET /boxes/${data.id}`)).text, '"name":"tin"')

  const replaced = await send('PUT /things/7', '{"id":7,"name":"rose","tag":"red"}')
  t.equal(replaced.text, '{"id":7,"name":"rose","tag":"red"}')
  t.equal((await send('PATCH /things/7', '{"tag":null,"name":"lily"}')).text, '{"id":7,"name":"lily"}')
  t.equal(
    (await send('PATCH /things/7', '{"name":"x"}')).text,
    '{"id":7,"name":"lily"}',
    'what does not fit is left'
  )
  t.equal((await send('GET /things/7')).text, '{"id":7,"name":"lily"}')

  const noted = await send('POST /things/7/notes', '{"at":"noon"}')
  const again = await send('POST /things/7/notes', '{"at":"night"}')
  t.equal(JSON.parse(noted.text).at, 'noon')
  t.equal((await send('GET /things/7/notes')).text, `{"items":[${noted.text},${again.text}]}`)
  t.equal((await send(`GET /things/7/notes/${JSON.parse(again.text).key}`)).text, again.text)
  t.equal((await send('HEAD /things/7')).status, 204)

  t.equal((await send('DELETE /things/7')).status, 204)
  t.equal((await send('GET /things/7')).status, 404)
  t.not((await send(`GET /things/7/notes`)).text, '{"items":[]}', 'what is below is forgotten')
  t.notMatch((await send('GET /things')).text, '"lily"')
  t.match(await send('PUT /things/7', '{"id":7,"name":"rose"}'), { status: 200 })
  t.equal((await send('GET /things/7')).status, 200)
  t.match(await mock.get('/api/things/8', { prefer: 'code=404' }), { status: 404 })

  const words = [await send('POST /words', '{"w":"a"}'), await send('POST /words', '{"w":"b"}')]
  t.not(JSON.parse(String(words[0]?.text)).id, JSON.parse(String(words[1]?.text)).id)
  t.match(await send('GET /words'), { status: 200, text: /^\{(?:"n":-?\d+)?\}$/ })
  t.match(await send('POST /words', '{"id":"x y","w":"c"}'), { text: '{"id":"x y","w":"c"}' })
  t.equal((await send('DELETE /words/x%20y')).status, 404)
  t.match(await send('POST /keyless', '{"a":1}'), { status: 200, text: /"a":1\}$/ })
  const made = async (path: string) => JSON.parse((await send(`POST ${path}`, '{}')).text).id
  for (const path of ['/counts', '/codes']) t.not(await made(path), await made(path), path)
  t.equal(await made('/fixed'), await made('/fixed'), 'no other id is possible')
  t.match(await send('PATCH /counts/77', '{"id":78}'), { status: 200, text: '{"id":78}' })
  t.equal((await send('GET /codes/zzz')).status, 200)
  t.match(await send('POST /plain', '"echo"'), { status: 200, text: '"echo"' })
  t.equal((await send('POST /silent', '{"id":5,"name":"sent"}')).status, 204)
  t.match(await send('GET /silent/5'), { status: 200, text: '{"id":5,"name":"sent"}' })
})

t.test('what was sent comes back, without optional members that nobody sent, and is counted', async (t) => {
  const request = sending(await mocked(t, documentOf('pets'), remembering()))
  const send = async (line: string, value?: object) => {
    const { text } = await request(line, value && JSON.stringify(value))
    return text === '' ? undefined : JSON.parse(text)
  }
  for (const index of [1, 2, 3]) await send('POST /names', { name: `n${index}`, tag: 'left out' })
  const [moss, fern] = [
    { name: 'moss', owner: { name: 'Ada' } },
    { id: 7, name: 'fern' }
  ]
  const made = await send('POST /pets', moss)
  t.strictSame(made, { id: made.id, ...moss })
  t.strictSame(await send('POST /pets', fern), fern)
  t.match(await send('GET /pets'), { total: 2, pageCount: 2, items: [made, fern] })
  const one = await send('GET /pets/7')
  t.strictSame(one, { ...fern, seen: one.seen }, 'what another answer requires is made')
  await send('PUT /pets/8', { id: 8, name: 'ivy', tag: 'green' })
  t.match(await send('GET /pets/8'), { id: 8, name: 'ivy', tag: 'green' })
  t.equal(await send('PATCH /pets/8', { tag: 'red' }), undefined)
  t.match(await send('GET /pets/8'), { id: 8, name: 'ivy', tag: 'red' })
  t.match(await send('GET /pets'), { total: 3 })
  const shown = await send('GET /names')
  t.strictSame(
    shown,
    [1, 2, 3].map((index) => ({ name: `n${index}`, rank: shown[0].rank }))
  )

  t.strictSame(await send('POST /notes', { name: 'a' }), { name: 'a' })
  await send('POST /notes', { name: 'b' })
  t.strictSame(await send('GET /notes'), [{ name: 'a' }, { name: 'b' }], 'a list without a path of its items')
  await send('POST /logs', { name: 'a' })
  t.match(await send('GET /logs'), { total: 1, items: [{ name: 'a' }] })

  const loosely = await send('POST /loose', { name: 'a' })
  t.strictSame(Object.keys(loosely).sort(), ['id', 'name'], 'an optional id is made')
  t.strictSame(await send(`GET /loose/${loosely.id}`), loosely)
})

t.test('paging ends', async (t) => {
  const number = { type: 'integer' }
  const item = { type: 'object', required: ['id'], properties: { id: number } }
  const none = { type: ['string', 'null'] }
  const bool = { type: 'boolean' }
  const required = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
  const size = { ...required({ id: number }), minProperties: 1 }
  /** Members beside the items, and those of the last page. */
  const rows: readonly (readonly [members: Record<string, object>, want: object])[] = [
    [{ nextCursor: none }, { nextCursor: null }],
    [{ next: text }, { next: /./ }],
    [
      { has_more: bool, nextPageToken: none },
      { has_more: false, nextPageToken: null }
    ],
    [{ meta: required({ hasNextPage: bool, total: number }) }, { meta: { hasNextPage: false, total: 2 } }],
    [
      { links: { properties: { next: text, self: { const: 'x' } } } },
      { links: { self: 'x', next: undefined } }
    ],
    [{ hasMore: { const: true } }, { hasMore: true }],
    [{ next: size }, { next: Object }]
  ]
  const query = ['limit', 'offset', 'page', 'cursor'].map((name) => ({
    ...{ name, in: 'query' },
    schema: name === 'cursor' ? text : number
  }))
  const paths = Object.fromEntries(
    rows.flatMap(([members], index) => [
      [
        `/runs${index}`,
        {
          get: operation(
            `runs${index}`,
            { 200: json(required({ items: { type: 'array', items: item }, ...members })) },
            { parameters: query }
          ),
          post: operation(`addRun${index}`, { 201: json(item) }, body(item))
        }
      ],
      [`/logs${index}`, { get: operation(`logs${index}`, { 200: json(required(members)) }) }]
    ])
  )
  const { get } = await mocked(t, { paths }, remembering())
  const read = async (path: string) => JSON.parse((await get(path)).text)
  for (const [index, [, want]] of rows.entries()) {
    const path = `/runs${index}`
    const [{ items: invented, ...others }, logs] = [
      await read(`${path}?limit=1`),
      await read(`/logs${index}`)
    ]
    for (const id of [1, 2])
      await get(path, { 'content-type': 'application/json' }, { method: 'POST', body: `{"id":${id}}` })
    const { items, ...last } = await read(`${path}?limit=1`)
    t.strictSame(items, [{ id: 1 }, { id: 2 }], 'a cursor is not followed')
    for (const found of [others, logs, last])
      t.match(
        found,
        found === last ? want : { ...want, ...('meta' in want && { meta: { hasNextPage: false } }) }
      )
  }
  const pages: readonly (readonly [query: string, ids: readonly number[], hasMore: boolean])[] = [
    ['', [1, 2], false],
    ['limit=1', [1, 2], false],
    ['limit=1&offset=0', [1], true],
    ['limit=1&offset=1', [2], false],
    ['limit=1&offset=2', [], false],
    ['offset=1', [2], false],
    ['limit=1&page=0', [1], true],
    ['limit=1&page=1', [1], true],
    ['limit=1&page=2', [2], false],
    ['page=1', [1, 2], false],
    ['page=2', [], false],
    ['offset=-1', [1, 2], false]
  ]
  for (const [query, ids, hasMore] of pages) {
    const { items, has_more: more, nextPageToken: token } = await read(`/runs2?${query}`)
    t.strictSame([items.map((each: { id: number }) => each.id), more], [ids, hasMore], query)
    t.equal(token === null, !hasMore, query)
  }
})

t.test('a thing that nobody made has the id of its path, and one that is deleted is gone', async (t) => {
  const [number, int64] = [{ type: 'integer' }, { type: 'integer', format: 'int64' }]
  /** Type of the id in the path, members of the thing, and what is read at /77. */
  const rows: readonly (readonly [id: object, members: Record<string, object>, want: string])[] = [
    [number, { id: number }, '{"id":77}'],
    [int64, { id: int64 }, '{"id":77}'],
    [text, { id: number }, '{"id":77}'],
    [number, { id: text }, '{"id":"77"}'],
    [text, { key: text, id: { const: 5 } }, '{"key":"77","id":5}'],
    [number, { id: { const: 5 } }, '{"id":5}'],
    [number, { other: { const: 5 } }, '{"other":5}'],
    [number, { data: { type: 'object', required: ['id'], properties: { id: number } } }, '{"data":{"id":77}}']
  ]
  const paths = Object.fromEntries(
    rows.map(([schema, properties], index) => {
      const name = 'key' in properties ? 'key' : 'id'
      const thing = json({ type: 'object', required: Object.keys(properties), properties })
      return [
        `/things${index}/{${name}}`,
        {
          ...id(name, schema),
          get: operation(`get${index}`, { 200: thing, 404: json(text) }),
          put: operation(`put${index}`, { 200: thing }, body({ type: 'object' })),
          patch: operation(`patch${index}`, { 200: thing }, body({ type: 'object' })),
          delete: operation(`delete${index}`, { 204: { description: 'x' } })
        }
      ]
    })
  )
  const { get } = await mocked(t, { paths }, remembering())
  for (const [index, [, , want]] of rows.entries()) {
    const path = `/things${index}/77`
    const sent = (method: string) => get(path, { 'content-type': 'application/json' }, { method, body: '{}' })
    t.equal((await get(path)).text, want, `${want} invented`)
    for (const method of ['PATCH', 'PUT']) t.equal((await sent(method)).text, want, `${want} ${method}`)
    t.equal((await get(path)).text, want, `${want} stored`)
    await get(path, {}, { method: 'DELETE' })
    t.match(await get(path), { status: 404, text: `"${path} was deleted"` })
  }
})

t.test('a null that the contract allows is a value, and in a merge patch removes one', async (t) => {
  const send = sending(await mocked(t, documentOf('nulls'), remembering()))
  t.equal((await send('PATCH /a', '{"due":null}')).text, '{"due":null}')
  t.equal((await send('PATCH /b', '{"due":null}', 'application/merge-patch+json')).text, '{}')
})

t.test('a password that a client sends is kept, and never answered', async (t) => {
  const send = sending(await mocked(t, documentOf('passwords'), remembering()))
  const [a, b] = ['{"id":"a","password":"secret"}', '{"id":"b","password":"secret"}']
  const rows: readonly (readonly [line: string, sent: string | undefined, text: string])[] = [
    ['POST /users', a, '{"id":"a"}'],
    ['GET /users/a', undefined, '{"id":"a"}'],
    ['PUT /users/b', b, '{"id":"b"}'],
    ['PATCH /users/b', '{"password":"secret","more":1}', '{"id":"b","more":1}'],
    ['GET /users', undefined, '[{"id":"a"},{"id":"b"}]']
  ]
  for (const [line, sent, want] of rows) t.equal((await send(line, sent)).text, want, line)
})

t.test('files, and members that an answer does not declare, are not answered', async (t) => {
  const { get } = await mocked(t, documentOf('files'), remembering())
  const send = async (method: string, path: string, body?: FormData | string) => {
    const headers = { ...(typeof body === 'string' && { 'content-type': 'application/octet-stream' }) }
    const { status, text } = await get(path, headers, { method, ...(body && { body }) })
    t.equal(status < 300, true, `${method} ${path} ${text}`)
    return JSON.parse(text)
  }
  const sent = () => {
    const data = new FormData()
    data.append('name', 'first')
    data.append('tag', 'kept')
    data.append('spot', new Blob(['{"row":1,"column":2}'], { type: 'application/json' }))
    for (const name of ['frame', 'frames', 'frames', 'any']) data.append(name, new Blob(['bytes']), 'a.bin')
    return data
  }
  const made = await send('POST', '/runs', sent())
  const want = { id: made.id, name: 'first', spot: { row: 1 } }
  t.strictSame(made, want)
  t.strictSame(await send('GET', '/runs'), [want])
  t.strictSame(
    await send('GET', `/runs/${made.id}`),
    { ...want, tag: 'kept' },
    'what another answer declares'
  )
  const { data } = await send('PUT', '/runs/7', sent())
  t.strictSame(data, { ...want, id: data.id })
  for (const method of ['PUT', 'POST'])
    t.notMatch(JSON.stringify(await send(method, '/blobs/1', 'bytes')), /Buffer|body/)
})

t.test('without memory each answer stands alone', async (t) => {
  const send = sending(await mocked(t, documentOf('things')))
  const made = await send('POST /api/things', '{"name":"moss"}')
  t.notMatch(made.text, 'moss')
})

const overridden = (t: Parameters<typeof mocked>[0], override: string) =>
  mocked(t, documentOf('things'), { seed: 1, override: { file: '/answers.yaml', text: override } })

t.test('answers of a file stand in place of those that are made', async (t) => {
  const { get } = await overridden(
    t,
    `read:
  - { body: { id: 1, name: first } }
  - { status: 404, body: none, headers: { X-Why: gone } }
remove: { status: 204 }
`
  )
  t.match(await get('/api/things/1'), { status: 200, text: '{"id":1,"name":"first"}' })
  for (const turn of ['second', 'third'])
    t.match(await get('/api/things/1'), { status: 404, text: '"none"' }, turn)
  t.match(await get('/api/things/1', { prefer: 'code=200' }), {
    status: 200,
    text: '{"id":1,"name":"first"}'
  })
  t.equal((await get('/api/things/1', {}, { method: 'DELETE' })).status, 204)
  t.equal((await get('/api/things')).status, 200)
  t.equal((await (await overridden(t, '')).get('/api/things')).status, 200)
})

t.test('what the contract does not declare is named with its place', async (t) => {
  const rows: readonly (readonly [text: string, problem: RegExp])[] = [
    ['raed: {}', /^\/answers.yaml:1:1 .*the contract has no operation raed; did you mean read\?/s],
    ['nothing: {}', /the contract has no operation nothing$/m],
    ['read: { status: 418 }', /read: status 418 is not declared; declared: 200, 404/],
    ['list: {}\nread: { body: { id: x } }', /:2:1 .*read: body is not what the contract declares for 200/s],
    ['read: no', /read: expected \{ status, headers, body \}/],
    ['[]', /expected \{ operationId/],
    ['read: {', /^\/answers.yaml:\d+:\d+/]
  ]
  for (const [text, problem] of rows) {
    const error = await overridden(t, text).catch((caught) => caught)
    const [first] = error.problems
    t.match(`${first.file}:${first.line}:${first.column} ${first.message}`, problem, text)
  }
})
