/** Edits that change nothing for a client report nothing. */
import t from 'tap'
import { compared, loaded, ruleLines, withOperation, withSchema } from './pairs/documents.ts'

const object = (properties: unknown, more = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const cat = object({ kind: { const: 'cat' } }, { required: ['kind'] })
const dog = object({ kind: { const: 'dog' } }, { required: ['kind'] })
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

interface Row {
  readonly what: string
  readonly old: unknown
  readonly now: unknown
  /** Schemas in the components of both documents. */
  readonly schemas?: unknown
  readonly nowSchemas?: unknown
  /** True when the old contract is OpenAPI 3.0. */
  readonly from30?: true
}

const rows: readonly Row[] = [
  { what: 'an inline schema becomes a component', old: cat, now: to('Cat'), schemas: { Cat: cat } },
  {
    what: 'a component is renamed',
    old: to('Cat'),
    now: to('Feline'),
    schemas: { Cat: cat },
    nowSchemas: { Feline: cat }
  },
  {
    what: 'a recursive component is written as two',
    old: to('Node'),
    now: to('A'),
    schemas: { Node: object({ next: to('Node'), value: text }) },
    nowSchemas: { A: object({ next: to('B'), value: text }), B: object({ next: to('A'), value: text }) }
  },
  {
    what: 'allOf is merged',
    old: { allOf: [cat, object({ name: text })] },
    now: object({ kind: { const: 'cat' }, name: text }, { required: ['kind'] })
  },
  {
    what: 'a union of types becomes a list of types',
    old: { anyOf: [text, { type: 'integer' }] },
    now: { type: ['integer', 'string'] }
  },
  {
    what: 'alternatives change places',
    old: { oneOf: [to('Cat'), to('Dog')] },
    now: { oneOf: [to('Dog'), to('Cat')] },
    schemas: { Cat: cat, Dog: dog }
  },
  {
    what: 'values of enum change places',
    old: { enum: ['a', { b: [1, 2] }] },
    now: { enum: [{ b: [1, 2] }, 'a'] }
  },
  { what: 'enum of one value becomes const', old: { enum: ['a'] }, now: { const: 'a' } },
  {
    what: 'enum becomes a union of constants',
    old: { enum: ['a', 'b'] },
    now: { oneOf: [{ const: 'b' }, { const: 'a' }] }
  },
  {
    what: 'an object is split by its kind',
    old: object({ kind: { enum: ['cat', 'dog'] } }, { required: ['kind'] }),
    now: { oneOf: [cat, dog] }
  },
  { what: 'true and false are listed', old: { type: 'boolean' }, now: { enum: [true, false] } },
  {
    what: 'bounds of integers are written otherwise',
    old: { type: 'integer', exclusiveMinimum: 0, maximum: 9.5 },
    now: { type: 'integer', minimum: 1, exclusiveMaximum: 10n }
  },
  {
    what: 'an integer is a number that has the step 1',
    old: { type: 'number', multipleOf: 1, exclusiveMinimum: 0 },
    now: { type: 'integer', minimum: 1 }
  },
  {
    what: 'bounds lie between two multiples of a step',
    old: { type: 'number', multipleOf: 2, exclusiveMinimum: -4, maximum: 9 },
    now: { type: 'integer', multipleOf: 2, minimum: -2, exclusiveMaximum: 10 }
  },
  {
    what: 'several steps are one',
    old: { type: 'integer', allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] },
    now: { type: 'integer', multipleOf: 12 }
  },
  {
    what: 'the numbers of a range are listed',
    old: { type: 'integer', minimum: 1, maximum: 9, allOf: [{ multipleOf: 3 }, { multipleOf: 1.5 }] },
    now: { anyOf: [{ enum: [3, 6] }, { const: 9 }] }
  },
  {
    what: 'a range has one number',
    old: { type: 'number', minimum: 5, maximum: 5 },
    now: { type: 'integer', const: 5 }
  },
  {
    what: 'lengths of listed texts are bounded',
    old: { enum: ['ab', 'c'] },
    now: { enum: ['ab', 'c'], minLength: 1, maxLength: 2 }
  },
  {
    what: 'lengths that a format has are bounded',
    old: object({ day: { ...text, format: 'date' }, at: { ...text, format: 'date-time' } }),
    now: object({
      day: { ...text, format: 'date', minLength: 5, maxLength: 10 },
      at: { ...text, format: 'date-time', minLength: 20 }
    })
  },
  {
    what: 'a property is required by a part, and by all',
    old: { allOf: [object({ a: text }), { required: ['a'] }] },
    now: { allOf: [object({ a: text }), { required: ['a'] }], required: ['a'] }
  },
  {
    what: 'a property is required by one that is required',
    old: object(
      { a: text, b: text, c: text },
      { required: ['a'], dependentRequired: { a: ['b'] }, dependentSchemas: { b: { required: ['c'] } } }
    ),
    now: object({ a: text, b: text, c: text }, { required: ['a', 'b', 'c'] })
  },
  {
    what: 'other properties that a property requires are named at once',
    old: { type: 'object', dependentRequired: { a: ['b'], b: ['c'] } },
    now: { type: 'object', dependentRequired: { a: ['b', 'c'], b: ['c'] } }
  },
  {
    what: 'what a required property requires by a condition is required at once',
    old: object(
      { a: text, b: text },
      { required: ['a'], if: { required: ['a'] }, then: { required: ['b'] } }
    ),
    now: object({ a: text, b: text }, { required: ['a', 'b'] })
  },
  {
    what: 'a list that contains something is not empty',
    old: { type: 'array', contains: text, minContains: 2 },
    now: { type: 'array', contains: text, minContains: 2, minItems: 2 }
  },
  {
    what: 'a list of different items has as many as there are',
    old: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
    now: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, maxItems: 2 }
  },
  {
    what: 'an excluded value is out of the bounds',
    old: { type: 'integer', minimum: 1 },
    now: { type: 'integer', minimum: 1, not: { enum: [0, -1] } }
  },
  {
    what: 'bounds that follow from others are added',
    old: object({ a: text }, { required: ['a'] }),
    now: object({ a: text }, { required: ['a'], minProperties: 1 })
  },
  {
    what: 'a format that follows from bounds is added',
    old: { type: 'integer', minimum: 0, maximum: 9 },
    now: { type: 'integer', format: 'int32', minimum: 0, maximum: 9 }
  },
  {
    what: 'texts for readers change',
    old: text,
    now: { ...text, title: 'Name', description: 'A name', examples: ['a'], $comment: 'x' }
  },
  {
    what: 'additional properties are allowed, as they are anyway',
    old: object({ a: text }),
    now: object({ a: text }, { additionalProperties: {} })
  },
  {
    what: 'additional properties are written as a pattern',
    old: { type: 'object', additionalProperties: text },
    now: { type: 'object', patternProperties: { '': text } }
  },
  {
    what: 'unevaluatedProperties becomes additionalProperties',
    old: { allOf: [object({ a: text }), object({ b: text })], unevaluatedProperties: false },
    now: object({ a: text, b: text }, { additionalProperties: false })
  },
  {
    what: 'unevaluatedItems becomes items',
    old: { type: 'array', prefixItems: [text], unevaluatedItems: false },
    now: { type: 'array', prefixItems: [text], items: false, maxItems: 1 }
  },
  {
    what: 'dependencies of an earlier draft are written as today',
    old: { type: 'object', dependencies: { a: ['b'], c: cat } },
    now: { type: 'object', dependentRequired: { a: ['b'] }, dependentSchemas: { c: cat } }
  },
  { what: 'const beside enum', old: { const: 'a', enum: ['a', 'b'] }, now: { const: 'a' } },
  {
    what: 'a reference has a summary',
    old: { ...to('Cat'), summary: 'A cat' },
    now: cat,
    schemas: { Cat: cat }
  },
  { what: 'a reference leads nowhere', old: to('Nowhere'), now: {} },
  {
    what: 'a property that is refused, and one that is not declared',
    old: object({ a: false }),
    now: object({})
  },
  {
    what: '3.0: nullable',
    old: { ...text, nullable: true },
    now: { type: ['string', 'null'] },
    from30: true
  },
  {
    what: '3.0: nullable enum',
    old: { ...text, nullable: true, enum: ['a', null] },
    now: { enum: ['a', null] },
    from30: true
  },
  {
    what: '3.0: nullable reference',
    old: { nullable: true, allOf: [to('Cat')] },
    now: { oneOf: [{ type: 'null' }, to('Cat')] },
    schemas: { Cat: cat },
    from30: true
  },
  {
    what: '3.0: siblings of a reference',
    old: { ...to('Cat'), maxProperties: 1 },
    now: to('Cat'),
    schemas: { Cat: cat },
    from30: true
  },
  {
    what: '3.0: exclusive bounds',
    old: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    now: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
    from30: true
  },
  {
    what: '3.0: bytes in base64',
    old: { ...text, format: 'byte' },
    now: { ...text, contentEncoding: 'base64' },
    from30: true
  },
  {
    what: '3.0: bytes',
    old: { ...text, format: 'binary' },
    now: { ...text, contentMediaType: 'application/octet-stream' },
    from30: true
  },
  { what: 'a format for input fields', old: { ...text, format: 'password' }, now: text }
]

for (const { what, old, now, schemas = {}, nowSchemas = schemas, from30 } of rows) {
  t.test(what, async (t) => {
    for (const role of ['request', 'response'] as const) {
      const document = withSchema(role, old, { components: { schemas } })
      const before = from30 ? await loaded({ ...document, openapi: '3.0.3' }) : document
      const after = withSchema(role, now, { components: { schemas: nowSchemas } })
      t.strictSame(ruleLines(compared(before, after)), [], role)
      t.strictSame(ruleLines(compared(after, before)), [], `${role}, reversed`)
    }
  })
}

t.test('documents with the same meaning in other words report nothing', async (t) => {
  const bytes = (schema: unknown) =>
    withOperation({ requestBody: { content: { 'application/octet-stream': { schema } } } })
  const item = (name: string, more = {}) => ({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      [`/things/{${name}}`]: {
        parameters: [{ name, in: 'path', required: true, schema: text }],
        get: { responses: {} },
        ...more
      }
    }
  })
  const header = (name: string) => withOperation({ parameters: [{ name, in: 'header', schema: text }] })
  const type = (name: string) => withOperation({ requestBody: { content: { [name]: { schema: text } } } })
  const array = { type: 'array', items: text }
  const path = (explode: boolean) =>
    withOperation({ parameters: [{ name: 'q', in: 'header', schema: array, explode }] })
  const style = (style: string) =>
    withOperation({ parameters: [{ name: 'q', in: 'query', schema: text, style, explode: false }] })
  const form = (type: string, property: unknown, encoding: unknown) =>
    withOperation({ requestBody: { content: { [type]: { schema: object({ a: property }), encoding } } } })
  const parts = (property: unknown, encoding: unknown) => form('multipart/form-data', property, encoding)
  const fields = (property: unknown, encoding: unknown) =>
    form('application/x-www-form-urlencoded', property, encoding)
  const some = { type: ['object', 'null'] }
  const as = (contentType: string) => ({ a: { contentType } })
  const mixed = (media: object) =>
    withOperation({ requestBody: { content: { 'multipart/mixed': { itemSchema: text, ...media } } } })
  const scheme = (name: string) =>
    withOperation(
      { security: [{ [name]: [] }] },
      { components: { securitySchemes: { [name]: { type: 'http', scheme: 'Bearer' } } } }
    )
  const pairs: readonly (readonly [
    string,
    Parameters<typeof compared>[0],
    Parameters<typeof compared>[1]
  ])[] = [
    ['a path parameter is renamed', item('id'), item('name')],
    ['a body of bytes is written as in 3.1', bytes({ ...text, format: 'binary' }), bytes({})],
    ['a header is written in lower case', header('X-Count'), header('x-count')],
    ['a charset of UTF-8 is named', type('application/json'), type('Application/JSON; charset=utf-8')],
    ['explode of a style that writes lists alike', path(true), path(false)],
    ['a style that writes single values alike', style('form'), style('pipeDelimited')],
    ['the media type of a part that is a text', parts(text, {}), parts(text, as('text/plain'))],
    [
      'the media type of a part that is an object or null',
      parts(some, {}),
      parts(some, as('application/json'))
    ],
    ['the media type of parts of a list', parts(array, {}), parts(array, as('text/plain; charset=UTF-8'))],
    [
      'the media type of a field',
      fields({ type: ['string', 'null'] }, {}),
      fields({ type: ['string', 'null'] }, as('text/plain'))
    ],
    [
      'media types change places',
      parts(text, as('image/png, image/gif')),
      parts(text, as('image/gif,image/png'))
    ],
    ['explode of a field that is no list', fields(text, {}), fields(text, { a: { explode: false } })],
    [
      'a style that writes single fields alike',
      fields(text, {}),
      fields(text, { a: { style: 'pipeDelimited' } })
    ],
    [
      'the style of a list by its name',
      fields(array, {}),
      fields(array, { a: { style: 'form', explode: true } })
    ],
    [
      'parts by their position are like all others',
      mixed({ prefixEncoding: [{ contentType: 'text/html' }], itemEncoding: { contentType: 'text/html' } }),
      mixed({ itemEncoding: { contentType: 'text/html' } })
    ],
    ['a security scheme is renamed', scheme('a'), scheme('b')],
    [
      'no servers, and the one that is meant',
      withOperation({}),
      withOperation({}, { servers: [{ url: '/' }] })
    ],
    [
      'the version',
      withOperation({}),
      withOperation({}, { info: { title: 'Others', version: '2' }, tags: [{ name: 'a' }] })
    ],
    [
      'summaries',
      withOperation({ summary: 'a' }),
      withOperation({ summary: 'b', description: 'c', tags: ['d'] })
    ],
    [
      'the security of the document is written at the operation',
      withOperation({}, { security: [{ a: [] }] }),
      withOperation({ security: [{ a: [] }] })
    ]
  ]
  for (const [what, old, now] of pairs) {
    t.strictSame(ruleLines(compared(old, now)), [], what)
    t.strictSame(ruleLines(compared(now, old)), [], `${what}, reversed`)
  }
})

t.test('what has not changed is not reported beside a change', async (t) => {
  const parameters = [
    { name: 'state', in: 'query', schema: { type: ['string', 'null'], enum: ['open', 'fixed', null] } }
  ]
  const summary = { parameters, summary: 'Things' }
  t.strictSame(ruleLines(compared(withOperation({ parameters }), withOperation(summary))), [])
})
