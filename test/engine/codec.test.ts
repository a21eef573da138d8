import t, { type Test } from 'tap'
import { exactStringify, type OperationCodec, operationCodec } from '../../src/engine/codec.ts'
import { compiled, type Json } from './serve.ts'

t.setTimeout(900_000)

type Codec = OperationCodec<Record<string, unknown>, unknown>

async function codecOf(t: Test, schema: Json, more: Readonly<Record<string, Json>> = {}): Promise<Codec> {
  const content = { 'application/json': { schema } }
  const post = {
    operationId: 'add',
    requestBody: {
      content: { ...content, 'text/plain': {}, 'application/x-www-form-urlencoded': { schema } }
    },
    responses: { 200: { description: 'ok', content } }
  }
  const small = await compiled(t, { paths: { '/things': { post } }, ...more })
  return (await operationCodec(small, add as never)) as never
}

const add = { operationId: 'add', mediaType: 'application/json', status: 200, file: 'x.ts' }

const string = { type: 'string' }
const object = (properties: Readonly<Record<string, Json>>, more: object = {}): Record<string, Json> => ({
  type: 'object',
  properties,
  ...more
})

t.test('what the contract does not have is named', async (t) => {
  const content = { 'application/json': { schema: string } }
  const responses = { 200: { description: 'ok', content } }
  const small = await compiled(t, {
    paths: { '/things': { post: { operationId: 'add', requestBody: { content }, responses } } }
  })
  for (const [asked, problem] of [
    [{ operationId: 'put' }, 'put is missing'],
    [{ mediaType: 'application/vnd.thing+json' }, 'add takes no application/vnd.thing+json'],
    [{ status: 201 }, 'add answers no JSON with status 201']
  ] as const)
    await t.rejects(operationCodec(small, { ...add, ...asked } as never), {
      name: 'BootError',
      message: `operation ${problem} in contract.json; x.ts asks for it`
    })
})

const kept: [what: string, schema: Json, given: string, declared: string][] = [
  [
    'declared properties, in their order',
    object({ a: string, b: {} }),
    '{"b":1,"c":2,"a":"x"}',
    '{"a":"x","b":1}'
  ],
  ['what is required', { type: 'object', required: ['a'] }, '{"a":1,"b":2}', '{"a":1,"b":2}'],
  [
    'a required name beside properties',
    object({ b: {} }, { required: ['a'] }),
    '{"c":1,"b":2,"a":3}',
    '{"a":3,"b":2}'
  ],
  [
    'nested objects and lists',
    object({ a: { type: 'array', items: object({ b: {} }) } }),
    '{"a":[{"b":1,"c":2},{}]}',
    '{"a":[{"b":1},{}]}'
  ],
  ['any value', object({ a: {} }), '{"a":{"b":[{"c":null}]}}', '{"a":{"b":[{"c":null}]}}'],
  ['an object that declares nothing', { type: 'object' }, '{"a":{"b":1}}', '{"a":{"b":1}}'],
  [
    'additional properties',
    object({ a: {} }, { additionalProperties: string }),
    '{"b":"x","a":1}',
    '{"a":1,"b":"x"}'
  ],
  [
    'patterns',
    object({ a: {} }, { patternProperties: { '^x': object({ y: {} }) } }),
    '{"b":1,"x1":{"y":1,"z":2}}',
    '{"x1":{"y":1}}'
  ],
  [
    'every branch of allOf',
    { allOf: [object({ a: {} }), object({ b: {} })] },
    '{"c":1,"b":2,"a":3}',
    '{"a":3,"b":2}'
  ],
  [
    'either branch of anyOf',
    { anyOf: [object({ a: string }), object({ b: string }, { required: ['b'] })] },
    '{"c":1,"b":"x"}',
    '{"b":"x"}'
  ],
  ['write-only properties', object({ a: { type: 'string', writeOnly: true } }), '{"a":"x"}', '{"a":"x"}'],
  [
    'names of every object',
    object({ toString: {}, constructor: string }),
    '{"constructor":"x","toString":2}',
    '{"toString":2,"constructor":"x"}'
  ],
  [
    'int64 and decimals exactly',
    object({ a: { type: 'integer', format: 'int64' }, b: { type: 'number' } }),
    '{"a":9223372036854775807.0,"b":-0.1}',
    '{"a":9223372036854775807,"b":-0.1}'
  ],
  [
    'int64 in any value of an object that allows it',
    object({ a: object({}, { additionalProperties: { type: 'integer', format: 'int64' } }) }),
    '{"a":{"b":9007199254740993}}',
    '{"a":{"b":9007199254740993}}'
  ],
  [
    'strings that JSON can hold',
    object({ a: string }),
    '{"a":"\\u0000\\ud800\\u2028"}',
    '{"a":"\\u0000\\ud800\u2028"}'
  ]
]
for (const [what, schema, given, declared] of kept) {
  t.test(`the declared properties of a request: ${what}`, async (t) => {
    const codec = await codecOf(t, schema)
    t.equal(exactStringify(codec.declared(codec.parse(Buffer.from(given)))), declared)
    t.equal(exactStringify(codec.declared(codec.read(given))), declared, 'the same without validation')
    t.equal(exactStringify(codec.declared(codec.read(Buffer.from(given)))), declared, 'and of bytes')
  })
}

const a = object({ a: {} })
const b = object({ b: {} })
const x = (schema: Json) => object({ x: schema })
const all = '{"x":{"a":1,"b":2}}'
const more = '{"x":{"a":1,"b":2,"c":3}}'
const tree = { $ref: '#/components/schemas/Tree' }
const int64 = { type: 'integer', format: 'int64' }

/** Schemas of which several subschemas describe one member, each with other members of its own. */
const united: [what: string, schema: Json, given: string, declared: string][] = [
  ['a property and a pattern', { ...x(a), patternProperties: { '^x': b } }, more, all],
  ['two patterns', object({}, { patternProperties: { '^x': a, x$: b } }), more, all],
  ['a pattern that does not match', { ...x(a), patternProperties: { '^y': b } }, more, '{"x":{"a":1}}'],
  ['a property beside additional ones', { ...x(a), additionalProperties: b }, more, '{"x":{"a":1}}'],
  [
    'a pattern beside additional ones',
    { patternProperties: { x: a }, additionalProperties: b },
    more,
    '{"x":{"a":1}}'
  ],
  [
    'a required name and additional ones',
    { required: ['x'], additionalProperties: a },
    more,
    '{"x":{"a":1}}'
  ],
  ['a required name and a pattern', { required: ['x'], patternProperties: { x: a } }, more, '{"x":{"a":1}}'],
  ['additional properties of another branch', { allOf: [x(a), { additionalProperties: b }] }, more, all],
  ['a pattern of another branch', { allOf: [x(a), { patternProperties: { x: b } }] }, more, all],
  [
    'patterns of two branches',
    { allOf: [{ patternProperties: { '^x': a } }, { patternProperties: { x$: b } }] },
    more,
    all
  ],
  [
    'a pattern, and additional ones of another branch',
    { allOf: [{ patternProperties: { '^x': a } }, { additionalProperties: b }] },
    more,
    all
  ],
  [
    'additional properties of two branches',
    { allOf: [{ additionalProperties: a }, { additionalProperties: b }] },
    more,
    all
  ],
  [
    'any additional ones of another branch',
    { allOf: [x(a), { additionalProperties: true }] },
    '{"x":{"a":1,"b":2},"y":{"z":1}}',
    '{"x":{"a":1},"y":{"z":1}}'
  ],
  ['a branch that requires the name', { allOf: [x(a), { required: ['x'] }] }, more, '{"x":{"a":1}}'],
  [
    'branches that require names',
    { ...x(a), anyOf: [{ required: ['x'] }, { required: ['y'] }] },
    more,
    '{"x":{"a":1}}'
  ],
  ['either branch of anyOf', { anyOf: [x(a), { additionalProperties: b }] }, more, all],
  [
    'either branch of oneOf',
    { oneOf: [{ ...x(a), required: ['y'] }, { patternProperties: { x: b } }] },
    more,
    all
  ],
  ['a branch that declares any value', { anyOf: [{ ...x(a), required: ['y'] }, x(true)] }, more, more],
  [
    'a branch that declares nothing',
    { anyOf: [{ ...x(a), required: ['y'] }, { type: 'object' }] },
    more,
    more
  ],
  [
    'any additional ones beside a branch',
    { additionalProperties: true, anyOf: [{ ...x(a), required: ['y'] }, object({ z: {} })] },
    more,
    more
  ],
  [
    'then',
    { patternProperties: { x: a }, if: { required: ['x'] }, ...Object.fromEntries([['then', x(b)]]) },
    more,
    all
  ],
  ['else', { ...x(a), if: { required: ['y'] }, else: { additionalProperties: b } }, more, all],
  [
    'a schema that depends on a property',
    { ...x(a), dependentSchemas: { x: { patternProperties: { x: b } } } },
    more,
    all
  ],
  [
    'unevaluated properties beside a branch',
    { anyOf: [{ ...x(a), required: ['y'] }, object({ z: {} })], unevaluatedProperties: b },
    '{"x":{"b":2}}',
    '{"x":{"b":2}}'
  ],
  [
    'the members of members',
    { ...x(x(a)), patternProperties: { x: { patternProperties: { x: b } } } },
    `{"x":${more}}`,
    `{"x":${all}}`
  ],
  [
    'lists',
    { allOf: [{ patternProperties: { '^x': { items: a } } }, { patternProperties: { x$: { items: b } } }] },
    '{"x":[{"a":1,"b":2,"c":3},{"b":4}]}',
    '{"x":[{"a":1,"b":2},{"b":4}]}'
  ],
  [
    'places of a list, and its items',
    { allOf: [{ prefixItems: [a] }, { items: b }] },
    '[{"a":1,"b":2,"c":3},{"a":1,"b":2}]',
    '[{"a":1,"b":2},{"b":2}]'
  ],
  [
    'places before further items',
    { type: 'array', prefixItems: [a], items: b },
    '[{"a":1,"b":2},{"a":1,"b":2}]',
    '[{"a":1},{"b":2}]'
  ],
  [
    'places before any items',
    { type: 'array', prefixItems: [a] },
    '[{"a":1,"b":2},{"a":1,"b":2}]',
    '[{"a":1},{"a":1,"b":2}]'
  ],
  [
    'places without further items',
    {
      anyOf: [
        { type: 'array', prefixItems: [a], items: false },
        { type: 'array', prefixItems: [a, b], items: false }
      ]
    },
    '[{"a":1,"b":2},{"a":1,"b":2}]',
    '[{"a":1},{"b":2}]'
  ],
  [
    'a branch with any items',
    { anyOf: [{ type: 'array', items: a, minItems: 2 }, { type: 'array' }] },
    '[{"b":2}]',
    '[{"b":2}]'
  ],
  [
    'items that a list contains',
    { type: 'array', items: a, contains: b },
    '[{"a":1,"b":2,"c":3}]',
    '[{"a":1,"b":2}]'
  ],
  [
    'a schema that refers to itself',
    tree,
    '{"left":{"value":1,"leaf":{"a":1},"c":1}}',
    '{"left":{"value":1,"leaf":{"a":1}}}'
  ],
  [
    'a name of every object',
    { allOf: [{ patternProperties: { '^__': a } }, { additionalProperties: b }] },
    '{"__x__":{"a":1,"b":2,"c":3}}',
    '{"__x__":{"a":1,"b":2}}'
  ],
  [
    'int64 exactly',
    { ...x(object({ a: int64 })), patternProperties: { x: object({ b: int64 }) } },
    '{"x":{"a":9007199254740993,"b":9007199254740995}}',
    '{"x":{"a":9007199254740993,"b":9007199254740995}}'
  ]
]
const components = {
  components: {
    schemas: {
      Tree: {
        properties: { left: tree, value: {} },
        allOf: [{ patternProperties: { '^le': { properties: { leaf: a } } } }]
      }
    }
  }
}
for (const [what, schema, given, declared] of united) {
  t.test(`members that several subschemas declare: ${what}`, async (t) => {
    const codec = await codecOf(t, schema, components)
    t.equal(exactStringify(codec.declared(codec.parse(Buffer.from(given)))), declared)
    t.same(JSON.parse(codec.serialize(JSON.parse(declared))), JSON.parse(declared), 'and the answer has them')
  })
}

t.test('a read-only property is refused, and not read', async (t) => {
  const codec = await codecOf(t, object({ a: { type: 'string', readOnly: true }, b: {} }))
  t.throws(() => codec.parse(Buffer.from('{"a":"x"}')), { name: 'FailureError' })
  t.strictSame(codec.declared(codec.read('{"a":"x","b":1}')), { b: 1 })
})

t.test('an invalid body is read without validation, and refused with it', async (t) => {
  const codec = await codecOf(t, object({ a: { type: 'integer', format: 'int64' } }, { required: ['a'] }))
  t.strictSame(codec.read('{"a":"x","b":1}'), { a: 'x', b: 1 })
  t.throws(() => codec.parse(Buffer.from('{"b":1}')), { name: 'FailureError', message: 'body/a is required' })
  t.throws(() => codec.read('{'), /JSON/)
  t.throws(() => codec.parse(Buffer.from('{')), {
    name: 'FailureError',
    message: /^the body is not valid JSON/
  })
})

t.test('a body that is nested too deeply to be written is refused', async (t) => {
  const codec = await codecOf(t, object({ a: {} }))
  const deep = codec.parse(Buffer.from(`{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`))
  t.throws(() => codec.declared(deep), { name: 'FailureError', message: 'body is nested too deeply' })
})

t.test('only JSON has a codec', async (t) => {
  const content = { 'application/x-www-form-urlencoded': { schema: object({ a: string }) } }
  const responses = { 200: { description: 'ok', content: { 'application/json': {} } } }
  const form = await compiled(t, {
    paths: { '/things': { post: { operationId: 'add', requestBody: { content }, responses } } }
  })
  const add = {
    operationId: 'add',
    mediaType: 'application/x-www-form-urlencoded',
    status: 200,
    file: 'x.ts'
  }
  await t.rejects(operationCodec(form, add as never), {
    message:
      'operation add declares no JSON as application/x-www-form-urlencoded in contract.json; x.ts asks for it'
  })
})

t.test('the digest changes only with the accepted values', async (t) => {
  const Name = { type: 'string', minLength: 1 }
  const components = {
    components: { schemas: { Name, Named: { type: 'string', minLength: 1, title: 'Name' } } }
  }
  const named = (ref: string, more: object = {}) =>
    object({ a: { $ref: `#/components/schemas/${ref}` }, b: {} }, more)
  const digest = async (schema: Json, more?: Readonly<Record<string, Json>>) =>
    (await codecOf(t, schema, more)).digest
  const base = await digest(named('Name', { required: ['a', 'b'] }), components)
  const same: [what: string, schema: Json][] = [
    ['another name of a component, and its title', named('Named', { required: ['a', 'b'] })],
    ['annotations', named('Name', { required: ['a', 'b'], description: 'x', example: {}, 'x-y': 1 })],
    [
      'order',
      {
        required: ['b', 'a'],
        properties: { b: {}, a: { $ref: '#/components/schemas/Name' } },
        type: 'object'
      }
    ]
  ]
  for (const [what, schema] of same) t.equal(await digest(schema, components), base, what)
  const other: [what: string, schema: Json][] = [
    ['required', named('Name', { required: ['a'] })],
    ['a property', object({ a: Name, b: {}, description: {} }, { required: ['a', 'b'] })],
    ['a type', object({ a: { type: 'integer' }, b: {} }, { required: ['a', 'b'] })],
    ['an enum', object({ a: Name, b: { enum: [{ description: 1 }] } }, { required: ['a', 'b'] })]
  ]
  for (const [what, schema] of other) t.not(await digest(schema, components), base, what)
  const tree = (more: object): Readonly<Record<string, Json>> => ({
    components: { schemas: { Tree: object({ left: { $ref: '#/components/schemas/Tree' }, ...more }) } }
  })
  const whole = { $ref: '#/components/schemas/Tree' }
  t.equal(
    await digest(whole, tree({})),
    await digest(whole, tree({})),
    'a schema that refers to itself has one'
  )
  t.not(await digest(whole, tree({})), await digest(whole, tree({ value: {} })))
})
