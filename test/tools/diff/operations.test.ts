/** The list of a change of an operation, when its meaning is less obvious. */
import t from 'tap'
import { changeSentences } from '../../../src/tools/diff/diff.ts'
import { compared, withOperation } from './pairs/documents.ts'

type Node = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const integer = { type: 'integer' }
const json = (schema: unknown) => ({ 'application/json': { schema } })
const ok = { description: 'OK' }
const answers = (responses: Node) => ({ responses })
const answer = (schema: unknown) => ({ ...ok, content: json(schema) })
const body = (content: Node, more: Node = {}) => ({ requestBody: { content, ...more } })
const typed = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { schema: text }]))
const parameter = (more: Node) => ({ parameters: [{ name: 'q', in: 'query', schema: text, ...more }] })
const header = (more: Node) => answers({ 200: { ...ok, headers: { 'X-Count': more } } })
const callback = (post: Node) => ({
  callbacks: { done: { '{$request.query.url}': { post: { responses: { 200: ok }, ...post } } } }
})
const apiKey = (place: string, name: string) => ({
  components: { securitySchemes: { key: { type: 'apiKey', in: place, name } } },
  security: [{ key: [] }]
})

const event = (data: unknown) => ({ type: 'object', properties: { data }, required: ['data'] })
const jsonData = (contentSchema: unknown) =>
  event({ ...text, contentMediaType: 'application/json', contentSchema })
const named = (schema: ReturnType<typeof event>) => ({
  ...schema,
  properties: { event: text, ...schema.properties }
})
const items = (media: Node, type = 'application/jsonl') => ({ [type]: media })
const stream = (media: Node, type?: string) => answers({ 200: { ...ok, content: items(media, type) } })
const upTo = (maximum: number) => ({ type: 'object', properties: { a: { ...integer, maximum } } })

interface Row {
  readonly what: string
  readonly old: Node
  readonly now: Node
  /** Changes as `list: rule place`. */
  readonly changes: readonly string[]
}

const query = (content: Node, more: Node = {}) => ({
  parameters: [{ name: 'q', in: 'querystring', content, ...more }]
})
const othersOf = (additionalProperties: unknown) => ({ type: 'object', additionalProperties })
const formOf = (schema: unknown, encoding: Node) => ({
  'application/x-www-form-urlencoded': { schema, encoding }
})
const fields = (schema: unknown) => ({ type: 'object', properties: { a: schema, b: schema } })
const multipart = (schema: unknown) => ({
  'multipart/form-data': { schema, encoding: { b: { contentType: 'application/json' } } }
})
const listOf = (items: unknown) => ({ type: 'object', properties: { a: { type: 'array', items } } })
const list = listOf(integer)
const joined = { a: { explode: false } }
const parts = (media: Node) => ({ 'multipart/form-data': media })
const typedAs = (contentType: string) => ({ a: { contentType } })
const plain = { ...typedAs('text/plain'), b: { contentType: 'Text/Plain; charset=utf-8' } }
const png = { contentType: 'image/png' }
const mixed = (media: Node) => ({ 'multipart/mixed': media })

const rows: readonly Row[] = [
  {
    what: 'a whole query is added',
    old: answers({ 200: ok }),
    now: { ...answers({ 200: ok }), ...query(json(text), { required: true }) },
    changes: ['breaking: required-parameter-added querystring/q']
  },
  {
    what: 'a whole query is gone',
    old: query(json(text)),
    now: {},
    changes: ['undecided: optional-parameter-removed querystring/q']
  },
  {
    what: 'the name of a whole query is sent nowhere',
    old: query(json(text)),
    now: query(json(text), { name: 'other' }),
    changes: []
  },
  {
    what: 'the value of a whole query',
    old: query(json(text)),
    now: query(json(integer)),
    changes: ['breaking: request-type-changed querystring/q']
  },
  {
    what: 'the media type of a whole query',
    old: query(json(text)),
    now: query({ 'text/plain': { schema: text } }),
    changes: ['breaking: parameter-media-type-changed querystring/q']
  },
  {
    what: 'the encoding of a field of a whole query',
    old: query(formOf(list, {})),
    now: query(formOf(list, { a: { explode: false } })),
    changes: ['breaking: request-encoding-changed querystring/q/a']
  },
  {
    what: 'fields of forms are texts, unless they have a media type',
    old: body({ ...formOf(fields(integer), {}), ...multipart(fields(integer)) }),
    now: body({ ...formOf(fields(text), {}), ...multipart(fields(text)) }),
    changes: [
      'breaking: request-type-changed body(multipart/form-data)/b',
      'compatible: parameter-texts-kept body(application/x-www-form-urlencoded)/a',
      'compatible: parameter-texts-kept body(application/x-www-form-urlencoded)/b',
      'compatible: parameter-texts-kept body(multipart/form-data)/a'
    ]
  },
  {
    what: 'fields of forms that nothing names are texts',
    old: body({ ...formOf(othersOf(integer), {}), ...parts({ schema: othersOf(text) }) }),
    now: body({ ...formOf(othersOf(text), {}), ...parts({ schema: othersOf(integer) }) }),
    changes: [
      'breaking: request-type-changed body(multipart/form-data)/*',
      'compatible: parameter-texts-kept body(application/x-www-form-urlencoded)/*'
    ]
  },
  {
    what: 'lists in forms are texts, and so are parts of their media type',
    old: body({ ...formOf(list, {}), ...parts({ schema: fields(integer), encoding: plain }) }),
    now: body({ ...formOf(listOf(text), {}), ...parts({ schema: fields(text), encoding: plain }) }),
    changes: [
      'compatible: parameter-texts-kept body(application/x-www-form-urlencoded)/a',
      'compatible: parameter-texts-kept body(multipart/form-data)/a',
      'compatible: parameter-texts-kept body(multipart/form-data)/b'
    ]
  },
  {
    what: 'lists that an encoding joins are texts with a delimiter',
    old: body(formOf(listOf({ enum: ['a', 'b'] }), joined)),
    now: body(formOf({ type: 'object', properties: { a: { ...text, maxLength: 99 } } }, joined)),
    changes: ['undecided: parameter-texts-undecided body(application/x-www-form-urlencoded)/a']
  },
  {
    what: 'bytes and objects of a form are none of its texts',
    old: body(parts({ schema: fields(integer), encoding: {} })),
    now: body(parts({ schema: fields({ ...text, format: 'binary' }), encoding: {} })),
    changes: [
      'breaking: request-type-changed body(multipart/form-data)/a',
      'breaking: request-type-changed body(multipart/form-data)/b'
    ]
  },
  {
    what: 'an optional property with an encoding is new',
    old: body(parts({ schema: { type: 'object', allOf: [{ properties: { b: text } }] } })),
    now: body(parts({ schema: { type: 'object', allOf: [fields(text)] }, encoding: plain })),
    changes: ['compatible: request-property-added body(multipart/form-data)/a']
  },
  {
    what: 'an object in a form that was JSON is written by its style',
    old: body(formOf(fields({ type: 'object' }), {})),
    now: body(formOf(fields({ type: 'object' }), { a: { style: 'form' } })),
    changes: ['breaking: request-encoding-changed body(application/x-www-form-urlencoded)/a']
  },
  {
    what: 'bytes whose encoding names a media type now',
    old: body(parts({ schema: fields({ ...text, format: 'binary' }) })),
    now: body(parts({ schema: fields({ ...text, format: 'binary' }), encoding: plain })),
    changes: [
      'breaking: request-encoding-changed body(multipart/form-data)/a',
      'breaking: request-encoding-changed body(multipart/form-data)/b'
    ]
  },
  {
    what: 'parts of a tuple whose encoding names a media type now',
    old: body(parts({ schema: fields({ type: 'array', prefixItems: [text, { type: 'object' }] }) })),
    now: body(
      parts({
        schema: fields({ type: 'array', prefixItems: [text, { type: 'object' }] }),
        encoding: typedAs('text/plain')
      })
    ),
    changes: ['breaking: request-encoding-changed body(multipart/form-data)/a']
  },
  {
    what: 'reserved characters in a field, of a request and of an answer',
    old: {
      ...body(formOf(fields(text), {})),
      ...answers({ 200: { ...ok, content: formOf(fields(text), {}) } })
    },
    now: {
      ...body(formOf(fields(text), { a: { allowReserved: true } })),
      ...answers({ 200: { ...ok, content: formOf(fields(text), { a: { allowReserved: true } }) } })
    },
    changes: [
      'breaking: response-encoding-changed 200/body(application/x-www-form-urlencoded)/a',
      'compatible: request-encoding-kept body(application/x-www-form-urlencoded)/a'
    ]
  },
  {
    what: 'a list in an answer is joined',
    old: answers({ 200: { ...ok, content: formOf(list, {}) } }),
    now: answers({ 200: { ...ok, content: formOf(list, joined) } }),
    changes: ['breaking: response-encoding-changed 200/body(application/x-www-form-urlencoded)/a']
  },
  {
    what: 'parts by their position, and all others',
    old: body(mixed({ prefixEncoding: [png, png], itemEncoding: png })),
    now: body(
      mixed({ prefixEncoding: [png, { contentType: 'image/*' }], itemEncoding: { contentType: 'image/gif' } })
    ),
    changes: [
      'breaking: request-encoding-changed body(multipart/mixed)/*',
      'compatible: request-encoding-kept body(multipart/mixed)/1'
    ]
  },
  {
    what: 'parts of a part, and their headers',
    old: body(mixed({ itemEncoding: { ...png, prefixEncoding: [{}], encoding: { a: png } } })),
    now: body(
      mixed({
        itemEncoding: {
          ...png,
          prefixEncoding: [{ headers: { 'X-A': { required: true, schema: text } } }],
          encoding: { a: { contentType: 'image/gif' } }
        }
      })
    ),
    changes: [
      'breaking: request-encoding-changed body(multipart/mixed)/*/a',
      'breaking: required-parameter-added body(multipart/mixed)/*/0/header/X-A'
    ]
  },
  {
    what: 'items of a body that is no sequence of them here',
    old: body(mixed({ itemSchema: upTo(9) })),
    now: body(mixed({ itemSchema: upTo(5) })),
    changes: ['breaking: request-maximum-lowered body(multipart/mixed)/*/a']
  },
  { what: 'a whole query without content', old: query({}), now: query({}), changes: [] },
  {
    what: 'a callback of an additional method',
    old: {
      callbacks: {
        done: { '{$request.query.url}': { additionalOperations: { FETCH: { responses: { 200: ok } } } } }
      }
    },
    now: {},
    changes: ['undecided: callback-removed callbacks/done FETCH {$request.query.url}']
  },
  {
    what: 'an encoding of a parameter that is no whole query has no meaning',
    old: query(formOf(list, {}), { in: 'header' }),
    now: query(formOf(list, { a: { explode: false } }), { in: 'header' }),
    changes: []
  },
  {
    what: 'a status that default covered is compared with it',
    old: answers({ 200: ok, default: answer(text) }),
    now: answers({ 200: ok, 404: answer(integer), Default: answer(text) }),
    changes: ['breaking: response-type-changed 404/body']
  },
  {
    what: 'a status that a range covers is not gone',
    old: answers({ 200: ok, 404: answer(text) }),
    now: answers({ 200: ok, '4xx': answer(text) }),
    changes: ['undecided: response-status-added 4XX']
  },
  {
    what: 'a range of successes becomes one of them',
    old: answers({ '2XX': answer(text) }),
    now: answers({ 200: answer(text) }),
    changes: ['compatible: response-status-removed 2XX']
  },
  {
    what: 'a range of successes becomes one of them, beside a default response',
    old: answers({ '2XX': answer(text), default: ok }),
    now: answers({ 200: answer(text), default: ok }),
    changes: ['compatible: response-status-removed 2XX']
  },
  {
    what: 'an only response becomes an error',
    old: answers({ default: ok }),
    now: answers({ 404: ok }),
    changes: ['breaking: response-success-removed default', 'compatible: response-status-removed default']
  },
  {
    what: 'an only response becomes a success',
    old: answers({ default: ok }),
    now: answers({ 200: ok }),
    changes: ['compatible: response-status-removed default']
  },
  {
    what: 'default beside others is none of the successes',
    old: answers({ 302: ok, default: ok }),
    now: answers({ 302: ok }),
    changes: ['compatible: response-status-removed default']
  },
  {
    what: 'one required and one optional property are gone, from an open object that clients send',
    old: body(json({ type: 'object', properties: { a: text, b: text }, required: ['a'] })),
    now: body(json({ type: 'object' })),
    changes: [
      'undecided: request-property-removed body/b',
      'undecided: request-required-property-removed body/a'
    ]
  },
  {
    what: 'a text that the service sends in a header is one of a list now',
    old: callback({ parameters: [{ name: 'X-A', in: 'header', schema: text }] }),
    now: callback({ parameters: [{ name: 'X-A', in: 'header', schema: { ...text, enum: ['a'] } }] }),
    changes: ['compatible: response-enum-value-removed callbacks/done post {$request.query.url}/header/X-A']
  },
  {
    what: 'extensions among the statuses are none',
    old: answers({ 200: ok, 'x-a': 1 }),
    now: answers({ 200: ok }),
    changes: []
  },
  {
    what: 'a media type that a range covers is still accepted',
    old: body(typed('text/csv')),
    now: body(typed('text/*')),
    changes: ['compatible: request-media-type-added body(text/*)']
  },
  {
    what: 'the narrowest range counts',
    old: body({ 'text/csv': { schema: text } }),
    now: body({ '*/*': { schema: integer }, 'text/*': { schema: text } }),
    changes: [
      'compatible: request-media-type-added body(*/*)',
      'compatible: request-media-type-added body(text/*)'
    ]
  },
  {
    what: 'a range that is replaced by one of its types',
    old: body(typed('text/*')),
    now: body(typed('text/csv')),
    changes: ['breaking: request-media-type-removed body(text/*)']
  },
  {
    what: 'bytes that are bounded, and a schema of bytes that is none',
    old: body({
      'image/png': { schema: { type: 'object' } },
      'image/gif': { schema: { ...text, contentMediaType: 'image/gif' } }
    }),
    now: body({ 'image/png': { schema: text }, 'image/gif': {} }),
    changes: ['breaking: request-type-changed body(image/png)']
  },
  {
    what: 'a body limit that is set, at the operation and at the media type',
    old: body(json(text)),
    now: { ...body(json(text)), 'x-body-limit': 100 },
    changes: ['breaking: body-limit-lowered body']
  },
  {
    what: 'a body limit that is gone',
    old: body({ 'application/json': { schema: text, 'x-body-limit': 100 } }),
    now: body(json(text)),
    changes: ['compatible: body-limit-raised body']
  },
  {
    what: 'parameters of two media types',
    old: { parameters: [{ name: 'q', in: 'query', content: json(text) }] },
    now: { parameters: [{ name: 'q', in: 'query', content: json(integer) }] },
    changes: ['breaking: request-type-changed query/q']
  },
  {
    what: 'a style of path parameters writes single values otherwise',
    old: { parameters: [{ name: 'v', in: 'path', required: true, schema: text }] },
    now: { parameters: [{ name: 'v', in: 'path', required: true, schema: text, style: 'label' }] },
    changes: ['breaking: parameter-style-changed path/v']
  },
  {
    what: 'explode of deepObject says nothing',
    old: parameter({ schema: { type: 'object' }, style: 'deepObject', explode: true }),
    now: parameter({ schema: { type: 'object' }, style: 'deepObject', explode: false }),
    changes: []
  },
  {
    what: 'explode of an object in a header of a request',
    old: { parameters: [{ name: 'X-A', in: 'header', schema: { type: 'object' } }] },
    now: { parameters: [{ name: 'X-A', in: 'header', schema: { type: 'object' }, explode: true }] },
    changes: ['breaking: parameter-explode-changed header/X-A']
  },
  {
    what: 'a parameter of the path item is written at the operation',
    old: { parameters: [{ $ref: '#/components/parameters/Limit' }] },
    now: { parameters: [{ name: 'limit', in: 'query', schema: { ...integer, maximum: 9 } }] },
    changes: ['breaking: request-maximum-lowered query/limit']
  },
  {
    what: 'a header that is written as JSON',
    old: header({ schema: integer }),
    now: header({ content: json(integer) }),
    changes: ['breaking: response-header-serialization-changed 200/header/X-Count']
  },
  {
    what: 'a header without a schema gets one',
    old: header({}),
    now: header({ schema: integer }),
    changes: ['compatible: response-type-narrowed 200/header/X-Count']
  },
  {
    what: 'the media type of an answer is described elsewhere',
    old: answers({ 200: { ...ok, headers: { 'Content-Type': { schema: text } } } }),
    now: answers({ 200: ok }),
    changes: []
  },
  {
    what: 'the body of a callback may only narrow, its answers may only widen',
    old: callback({
      ...body(json({ ...integer, maximum: 5 })),
      responses: { 200: answer({ ...integer, maximum: 5 }) }
    }),
    now: callback({
      ...body(json({ ...integer, maximum: 9 })),
      responses: { 200: answer({ ...integer, maximum: 9 }) }
    }),
    changes: [
      'breaking: response-maximum-raised callbacks/done post {$request.query.url}/body',
      'compatible: request-maximum-raised callbacks/done post {$request.query.url}/200/body'
    ]
  },
  {
    what: 'an API key moves',
    old: apiKey('header', 'X-Key'),
    now: apiKey('query', 'X-Key'),
    changes: ['breaking: security-scheme-changed security']
  },
  {
    what: 'an API key is written in lower case',
    old: apiKey('header', 'X-Key'),
    now: apiKey('header', 'x-key'),
    changes: []
  },
  {
    what: 'an operation has servers of its own',
    old: {},
    now: { servers: [{ url: 'https://a.example' }] },
    changes: ['undecided: server-removed servers', 'compatible: server-added servers']
  },
  {
    what: 'a server has a variable without values, and without a default',
    old: { servers: [{ url: '/{a}', variables: { a: {} } }] },
    now: { servers: [{ url: '/{a}', variables: { a: { default: 'b' } } }] },
    changes: ['undecided: server-variable-changed servers']
  },
  {
    what: 'items of an answer may only narrow',
    old: stream({ itemSchema: upTo(5) }),
    now: stream({ itemSchema: upTo(9) }),
    changes: ['breaking: response-maximum-raised 200/body(application/jsonl)/*/a']
  },
  {
    what: 'items of an answer narrow',
    old: stream({ itemSchema: upTo(9) }),
    now: stream({ itemSchema: upTo(5) }),
    changes: ['compatible: response-maximum-lowered 200/body(application/jsonl)/*/a']
  },
  {
    what: 'items of a request may only widen',
    old: body(items({ itemSchema: upTo(9) })),
    now: body(items({ itemSchema: upTo(5) })),
    changes: ['breaking: request-maximum-lowered body(application/jsonl)/*/a']
  },
  {
    what: 'items of a request widen',
    old: body(items({ itemSchema: upTo(5) })),
    now: body(items({ itemSchema: upTo(9) })),
    changes: ['compatible: request-maximum-raised body(application/jsonl)/*/a']
  },
  {
    what: 'items get a schema, and lose it',
    old: { ...body(items({})), ...stream({ itemSchema: upTo(5) }) },
    now: { ...body(items({ itemSchema: upTo(5) })), ...stream({}) },
    changes: [
      'breaking: request-type-narrowed body(application/jsonl)/*',
      'breaking: response-type-widened 200/body(application/jsonl)/*',
      'undecided: response-property-removed 200/body(application/jsonl)/*/a',
      'compatible: request-property-added body(application/jsonl)/*/a'
    ]
  },
  {
    what: 'an item is described by itemSchema, by the schema of one item, or by that of a list of them',
    old: {
      ...body({ ...items({ schema: upTo(5) }), ...items({ schema: {} }, 'application/json-seq') }),
      ...stream({ schema: { type: 'array', items: upTo(5) } }, 'application/x-ndjson; charset=utf-8')
    },
    now: {
      ...body({
        ...items({ schema: { type: 'array' }, itemSchema: upTo(5) }),
        ...items({ schema: { type: 'array' } }, 'application/json-seq')
      }),
      ...stream({ schema: upTo(5) }, 'application/x-ndjson')
    },
    changes: []
  },
  {
    what: 'a text becomes items',
    old: stream({ schema: text }, 'text/event-stream'),
    now: stream({ itemSchema: event(text) }, 'text/event-stream'),
    changes: ['breaking: response-type-changed 200/body(text/event-stream)']
  },
  {
    what: 'the JSON in the data of an event changes',
    old: stream({ itemSchema: jsonData(upTo(5)) }, 'text/event-stream'),
    now: stream({ itemSchema: jsonData(upTo(9)) }, 'text/event-stream'),
    changes: ['breaking: response-maximum-raised 200/body(text/event-stream)/*/data/a']
  },
  {
    what: 'the JSON in the data of an event gets a schema',
    old: stream(
      { itemSchema: event({ ...text, contentMediaType: 'application/json' }) },
      'text/event-stream'
    ),
    now: stream({ itemSchema: jsonData(upTo(9)) }, 'text/event-stream'),
    changes: [
      'compatible: response-property-added 200/body(text/event-stream)/*/data/a',
      'compatible: response-type-narrowed 200/body(text/event-stream)/*/data'
    ]
  },
  {
    what: 'the schema of the data becomes that of an event, which has a name',
    old: stream({ schema: upTo(5) }, 'text/event-stream'),
    now: stream({ itemSchema: named(jsonData(upTo(5))) }, 'text/event-stream'),
    changes: ['compatible: response-property-added 200/body(text/event-stream)/*/event']
  }
]

const components = { parameters: { Limit: { name: 'limit', in: 'query', schema: integer } } }

/** Returns a document; schemes belong to the document, not to the operation. */
function documentOf({ components: own = {}, ...operation }: Node): Node {
  return withOperation(operation, { components: { ...components, ...(own as Node) } })
}

for (const { what, old, now, changes } of rows) {
  t.test(what, async (t) => {
    const report = compared(documentOf(old), documentOf(now))
    const found = Object.entries(report).flatMap(([list, each]) =>
      each.map(({ rule, place }) => `${list}: ${rule} ${place}`)
    )
    t.strictSame(found, changes)
  })
}

/** Servers and path before, and after; changes as `list: rule`. */
const urls: readonly (readonly [
  old: readonly [servers: readonly unknown[], path: string],
  now: readonly [servers: readonly unknown[], path: string],
  changes: readonly string[]
])[] = [
  [[['https://e.example/v1'], '/a/{x}'], [['https://e.example'], '/v1/a/{y}'], []],
  [[['https://e.example/v1/'], '/a'], [['https://e.example/v1'], '/a'], []],
  [[[], '/v1/a'], [['v1'], '/a'], []],
  [[['/v1'], '/a'], [['/v2'], '/a'], ['breaking: server-path-changed']],
  [[['https://e.example/v1'], '/a'], [['https://e.example/v2'], '/a'], ['breaking: server-path-changed']],
  [
    [['/v1'], '/a'],
    [['/v1'], '/v1/a'],
    ['breaking: path-removed', 'compatible: operation-added']
  ],
  [[['/v1', '/v2'], '/a'], [['/v2'], '/a'], ['undecided: server-removed']],
  [[['/v1'], '/a'], [['/v2', '/v1'], '/a'], ['compatible: server-added']],
  [
    [['https://e.example/v1'], '/a'],
    [['https://f.example'], '/v1/a'],
    ['undecided: server-removed', 'compatible: server-added']
  ],
  [[[{ v: ['1', '2'] }], '/a'], [[{ v: ['2', '3'] }], '/a'], ['undecided: server-variable-changed']],
  [[[{ v: ['1', '2'] }], '/a'], [[{ v: ['3'] }], '/a'], ['breaking: server-path-changed']],
  [
    [[{ v: ['1'] }], '/a'],
    [[], '/v1/a'],
    ['undecided: server-removed', 'compatible: server-added']
  ]
]

t.test('URLs are compared, in which servers end with a base path', async (t) => {
  const document = ([servers, path]: readonly [readonly unknown[], string]) => ({
    ...withOperation({}),
    servers: servers.map((server) => {
      if (typeof server === 'string') return { url: server }
      const { v: values } = server as { readonly v: readonly string[] }
      return { url: '/v{v}', variables: { v: { default: values[0], enum: values } } }
    }),
    paths: { [path]: { get: { responses: { 200: ok } } } }
  })
  for (const [old, now, changes] of urls) {
    const report = Object.entries(compared(document(old), document(now)))
    const found = report.flatMap(([list, each]) => each.map(({ rule }) => `${list}: ${rule}`))
    t.strictSame(found, changes, JSON.stringify([old, now]))
  }
})

t.test(
  'two operations of one URL are told apart, and one that moves has its other changes, too',
  async (t) => {
    const get = (more: Node) => ({ get: { responses: { 200: ok }, ...more } })
    const document = (paths: Node, ...bases: string[]) => ({
      ...withOperation({}),
      servers: bases.map((url) => ({ url })),
      paths
    })
    const found = (old: Node, now: Node) =>
      Object.entries(compared(old as never, now as never)).flatMap(([list, each]) =>
        each.map(({ rule, message }) => `${list}: ${rule} ${message}`)
      )
    const one = document({ '/v1/a': get({}) }, '/')
    t.strictSame(found(one, document({ '/v1/a': get({}), '/a': get({}) }, '/', '/v1')), [
      'compatible: server-added servers: server /v1 added',
      'compatible: operation-added GET /a added'
    ])
    const named = (id: Node) =>
      get({ operationId: 'a', parameters: [{ name: 'q', in: 'query', schema: id }] })
    t.strictSame(found(document({ '/a': named(text) }, '/'), document({ '/b': named(integer) }, '/')), [
      'breaking: operation-moved GET /a is now GET /b',
      'breaking: request-type-changed query/q: type now integer (was string)'
    ])
  }
)

t.test('a first contract has operations that are added, and no servers that are gone', async (t) => {
  const { breaking, undecided, compatible } = compared({}, withOperation({}, { servers: [{ url: '/v1' }] }))
  t.strictSame([...breaking, ...undecided], [])
  t.match(compatible, [{ rule: 'operation-added' }])
})

t.test('changes name the operation by its old path, and the document by null', async (t) => {
  const paths = (name: string, most: number) => ({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      [`/things/{${name}}`]: {
        get: {
          parameters: [{ name, in: 'path', required: true, schema: { maxLength: most } }],
          responses: {}
        }
      }
    }
  })
  const old = { ...paths('id', 9), servers: [{ url: '/a' }, { url: '/b' }] }
  const report = compared(old, { ...paths('name', 5), servers: [{ url: '/a' }] })
  t.match(report.breaking, [
    { operation: 'GET /things/{id}', place: 'path/id', message: 'path/id: maxLength now 5 (was 9)' }
  ])
  t.match(report.undecided, [{ operation: null, rule: 'server-removed' }])
  const { paths: _gone, ...empty } = old
  t.match(compared(old, empty).breaking, [
    { rule: 'path-removed', operation: 'GET /things/{id}', message: 'GET /things/{id} is gone' }
  ])
})

t.test('changes are sentences by their list', async (t) => {
  const old = { ...withOperation(parameter({})), webhooks: { done: { post: body(json(integer)) } } }
  const now = {
    ...withOperation(parameter({ required: true })),
    webhooks: { done: { post: body(json({})) } }
  }
  t.strictSame(
    [...changeSentences(old as never, now as never, new Date())],
    [
      [
        'breaking',
        ['webhooks/done post/body: type now any (was integer)', 'POST /things query/q: required now true']
      ]
    ]
  )
})

t.test('a deprecated operation may be gone after its x-sunset, not before', async (t) => {
  const operation = { deprecated: true, 'x-sunset': '2026-06-01' }
  const gone = { ...withOperation({}), paths: {} }
  const lists = (day: string) => {
    const { breaking, compatible } = compared(withOperation(operation), gone, new Date(day))
    return [breaking, compatible].map((changes) => changes.map(({ rule }) => rule))
  }
  t.strictSame(lists('2026-05-31'), [['path-removed'], []])
  t.strictSame(lists('2026-06-01'), [[], ['operation-removed-after-sunset']])
})
