/** Pointers and keywords of the problems of a failure, for every part of a request. */
import t from 'tap'
import { FailureError, type Problem } from '../../../../src/engine/server.ts'
import { compiled, type Json, request, serve } from '../../serve.ts'

const string: Json = { type: 'string' }
const integer: Json = { type: 'integer' }
const body = (schema: Json, mediaType = 'application/json'): Json => ({
  required: true,
  content: { [mediaType]: { schema } }
})
const take = (operationId: string, requestBody: Json): Json => ({
  post: { operationId, requestBody, responses: { 204: { description: '' } } }
})
const parameter = (name: string, place: string, schema: Json, more: object = {}): Json => ({
  name,
  in: place,
  schema,
  ...more
})

const thing: Json = {
  type: 'object',
  required: ['id', 'a/b'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    small: { type: 'integer', format: 'int32' },
    'a/b': { type: 'object', properties: { '~t': { type: 'string', minLength: 2 } }, required: ['/~'] },
    list: { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1, uniqueItems: true },
    own: { type: 'string', readOnly: true },
    never: false,
    day: { type: 'string', format: 'date', pattern: '^2' },
    either: { oneOf: [string, integer] },
    card: string,
    tree: { $ref: '#/components/schemas/Tree' },
    closed: { allOf: [{ properties: { a: integer } }], unevaluatedProperties: false },
    named: { propertyNames: { maxLength: 3 } },
    pet: { $ref: '#/components/schemas/Pet' }
  },
  dependentRequired: { card: ['cvc'] },
  additionalProperties: false
}
const tree: Json = { type: 'object', additionalProperties: { $ref: '#/components/schemas/Tree' } }
const pet: Json = {
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [{ $ref: '#/components/schemas/Cat' }]
}
const cat: Json = { type: 'object', properties: { kind: { const: 'Cat' }, lives: integer } }
const form: Json = {
  type: 'object',
  required: ['name', 'file'],
  properties: {
    name: string,
    'a/~': integer,
    more: { type: 'array', items: integer },
    data: { type: 'object', required: ['x'], properties: { x: integer } },
    file: { type: 'string', format: 'binary', maxLength: 3 }
  },
  additionalProperties: { type: 'array', items: integer }
}
const fields: Json = {
  type: 'object',
  required: ['name'],
  properties: { name: string, 'a/~': integer, more: { type: 'array', items: integer } },
  additionalProperties: { type: 'integer' }
}
const contract = await compiled(t, {
  paths: {
    '/things': take('take', body({ $ref: '#/components/schemas/Thing' })),
    '/forms': take('form', body(fields, 'application/x-www-form-urlencoded')),
    '/parts': take('parts', body(form, 'multipart/form-data')),
    '/texts': take('text', body({ type: 'string', maxLength: 1 }, 'text/plain')),
    '/search/{id}': {
      get: {
        operationId: 'search',
        parameters: [
          parameter('id', 'path', integer, { required: true }),
          parameter('a/b~', 'query', integer),
          parameter('ids', 'query', { type: 'array', items: integer }),
          parameter(
            'at',
            'query',
            { type: 'object', required: ['x'], properties: { x: integer } },
            { style: 'deepObject' }
          ),
          parameter('must', 'query', string, { required: true }),
          parameter('X-Trace', 'header', { type: 'string', maxLength: 2 }),
          parameter('session', 'cookie', { type: 'string', pattern: '^s' })
        ],
        responses: { 204: { description: '' } }
      }
    },
    '/refuse': { get: { operationId: 'refuse', responses: { 204: { description: '' } } } }
  },
  components: { schemas: { Thing: thing, Tree: tree, Pet: pet, Cat: cat } }
})

const done = () => ({ status: 204 })
const { ask } = await serve(t, contract, {
  handlers: {
    take: done,
    form: done,
    parts: done,
    text: done,
    search: done,
    refuse: () => {
      const problems = ['body', 'body/name', 'body/a~b', 'query/limit'].map((place) => ({
        place,
        message: 'is taken'
      }))
      throw new FailureError('mismatch', {
        problems: [
          ...problems,
          { place: 'body/a/b', message: 'is taken', pointer: '/a~1b', keyword: 'x-unique' }
        ]
      })
    }
  },
  errorBody: ({ code, problems }) => ({ code, problems })
})

type Found = readonly [pointer: string, keyword?: string]

/** Sends a request, and returns the pointers and keywords of its problems. */
async function problemsOf(text: Buffer): Promise<Found[]> {
  const { value } = await ask(text)
  const problems: readonly Problem[] = Object(value).problems
  return problems.map(({ pointer, keyword }) => (keyword === undefined ? [pointer] : [pointer, keyword]))
}

const long = 'n'.repeat(129)
const deep = (levels: number): Json => (levels === 0 ? 1 : { abcdefghi: deep(levels - 1) })

t.test('problems of a JSON body have a pointer into the body, and the keyword of the contract', async (t) => {
  const good = { id: 1, 'a/b': { '/~': 1 } }
  const rows: readonly (readonly [value: Json, ...found: Found[]])[] = [
    [[], ['', 'type']],
    [{}, ['/id', 'required'], ['/a~1b', 'required']],
    [{ ...good, id: 'x' }, ['/id', 'type']],
    [{ ...good, id: 9223372036854775808n }, ['/id', 'format']],
    [{ ...good, small: 2147483648 }, ['/small', 'format']],
    [{ id: 1, 'a/b': { '~t': '' } }, ['/a~1b/~1~0', 'required'], ['/a~1b/~0t', 'minLength']],
    [{ ...good, list: [] }, ['/list', 'minItems']],
    [{ ...good, list: ['x', 'z'] }, ['/list/1', 'enum']],
    [{ ...good, list: ['x', 'x'] }, ['/list', 'uniqueItems']],
    [{ ...good, own: 'x' }, ['/own', 'readOnly']],
    [{ ...good, never: 1 }, ['/never', 'not']],
    [{ ...good, day: '1999' }, ['/day', 'format'], ['/day', 'pattern']],
    [{ ...good, either: null }, ['/either', 'oneOf']],
    [{ ...good, card: 'x' }, ['/cvc', 'dependentRequired']],
    [{ ...good, 'x/~y': 1 }, ['/x~1~0y', 'additionalProperties']],
    [{ ...good, closed: { a: 1, 'b/': 1 } }, ['/closed/b~1', 'unevaluatedProperties']],
    [{ ...good, named: { 'long/': 1 } }, ['/named/long~1', 'propertyNames']],
    [{ ...good, pet: { kind: 'Dog' } }, ['/pet/kind', 'enum']],
    [{ ...good, pet: {} }, ['/pet/kind', 'required']],
    [{ ...good, [long]: 1 }, ['', 'additionalProperties']],
    [{ ...good, tree: { a: { [long]: { b: 1 } } } }, ['/tree/a', 'type']],
    [{ ...good, tree: { [long.slice(1)]: 1 } }, [`/tree/${long.slice(1)}`, 'type']],
    [{ ...good, tree: deep(101) }, [`/tree${'/abcdefghi'.repeat(101)}`, 'type']],
    [{ ...good, tree: deep(500) }, [`/tree${'/abcdefghi'.repeat(101)}`, 'type']]
  ]
  const exact = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
  for (const [value, ...found] of rows) {
    const text = JSON.stringify(value, exact)
    const problems = await problemsOf(request('POST /things', text))
    t.strictSame(problems.toSorted(), found.toSorted(), text.slice(0, 80))
  }
})

t.test('a pointer to a parameter begins with its part of the request', async (t) => {
  const rows: readonly (readonly [target: string, headers: Record<string, string>, ...found: Found[]])[] = [
    ['/search/x?must=1', {}, ['/params/id', 'type']],
    ['/search/1', {}, ['/query/must', 'required']],
    ['/search/1?must=1&a/b~=x', {}, ['/query/a~1b~0', 'type']],
    ['/search/1?must=1&a/b~=1&a/b~=2', {}, ['/query/a~1b~0']],
    ['/search/1?must=1&ids=1&ids=x', {}, ['/query/ids/1', 'type']],
    ['/search/1?must=1&at[y]=1', {}, ['/query/at/x', 'required']],
    ['/search/1?must=1&%=1', {}, ['/query']],
    ['/search/1?must=1', { 'X-Trace': 'abc' }, ['/headers/x-trace', 'maxLength']],
    ['/search/1?must=1', { Cookie: 'session=t' }, ['/cookies/session', 'pattern']],
    ['/search/x', {}, ['/params/id', 'type'], ['/query/must', 'required']]
  ]
  for (const [target, headers, ...found] of rows)
    t.strictSame(
      (await problemsOf(request(`GET ${target}`, undefined, headers))).toSorted(),
      found.toSorted(),
      target
    )
})

const part = (name: string, value: string, headers = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n${value}\r\n`

t.test('problems of fields and parts have a pointer into the body that they make', async (t) => {
  const rows: readonly (readonly [text: string, ...found: Found[]])[] = [
    ['more=1', ['/name', 'required']],
    ['name=a&a%2F~=x', ['/a~1~0', 'type']],
    ['name=a&name=b', ['/name']],
    ['name=a&more=1&more=x', ['/more/1', 'type']],
    ['name=a&un%2Fknown=1&un%2Fknown=2', ['/un~1known']],
    [`name=a&${long}=1&${long}=2`, ['']],
    ['name=a&%zz=1', ['']]
  ]
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const [text, ...found] of rows)
    t.strictSame(await problemsOf(request('POST /forms', text, type)), found, text.slice(0, 80))

  const file = part('file', 'abc', '; filename="f"')
  const parts: readonly (readonly [parts: readonly string[], ...found: Found[]])[] = [
    [[part('name', 'a')], ['/file', 'required']],
    [
      [part('name', 'a'), part('file', 'abcd', '; filename="f"')],
      ['/file', 'maxLength']
    ],
    [[part('name', 'a'), file, file], ['/file']],
    [[part('name', 'a'), part('name', 'b'), file], ['/name']],
    [
      [part('name', 'a'), file, part('a/~', 'x')],
      ['/a~1~0', 'type']
    ],
    [[part('name', 'a'), file, part('data', '{')], ['/data']],
    [
      [part('name', 'a'), file, part('data', '{}')],
      ['/data/x', 'required']
    ],
    [
      [part('name', 'a'), file, part('un/known', 'x')],
      ['/un~1known/0', 'type']
    ]
  ]
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }
  for (const [texts, ...found] of parts)
    t.strictSame(
      await problemsOf(request('POST /parts', `${texts.join('')}--b--\r\n`, multipart)),
      found,
      texts.join()
    )
})

t.test('other bodies, and problems that a handler reports', async (t) => {
  const plain = { 'Content-Type': 'text/plain' }
  t.strictSame(await problemsOf(request('POST /texts', 'ab', plain)), [['', 'maxLength']])
  t.strictSame(await problemsOf(request('POST /things', '{')), [], 'a malformed body has no problems')
  t.strictSame(await problemsOf(request('GET /refuse')), [
    [''],
    ['/name'],
    ['/a~0b'],
    ['/query/limit'],
    ['/a~1b', 'x-unique']
  ])
})
