/** Pointers and keywords of the problems of a failure, for every part of a request. */
import t from 'tap'
import { parse } from 'yaml'
import { FailureError, type Problem, reworded } from '../../../../src/engine/errors.ts'
import { sentence } from '../../../../src/engine/server/errors/validation-problems.ts'
import { compiled, type Json, request, serve } from '../../serve.ts'

const contract = await compiled(
  t,
  parse(`
paths:
  /things:
    post:
      operationId: take
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: &done { 204: { description: '' } }
  /forms:
    post:
      operationId: form
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string }
                a/~: { type: integer }
                more: &integers { type: array, items: { type: integer } }
              additionalProperties: { type: integer }
      responses: *done
  /parts:
    post:
      operationId: parts
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [name, file]
              properties:
                name: { type: string }
                a/~: { type: integer }
                more: *integers
                data: { type: object, required: [x], properties: { x: { type: integer } } }
                file: { type: string, format: binary, maxLength: 3 }
              additionalProperties: *integers
      responses: *done
  /texts:
    post:
      operationId: text
      requestBody: { required: true, content: { text/plain: { schema: { type: string, maxLength: 1 } } } }
      responses: *done
  /search/{id}:
    get:
      operationId: search
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: a/b~, in: query, schema: { type: integer } }
        - { name: ids, in: query, schema: *integers }
        - { name: at, in: query, style: deepObject, schema: { type: object, required: [x], properties: { x: { type: integer } } } }
        - { name: must, in: query, required: true, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string, maxLength: 2 } }
        - { name: session, in: cookie, schema: { type: string, pattern: ^s } }
      responses: *done
  /refuse: { get: { operationId: refuse, responses: *done } }
components:
  schemas:
    Thing:
      type: object
      required: [id, a/b]
      properties:
        id: { type: integer, format: int64 }
        small: { type: integer, format: int32 }
        a/b: { type: object, properties: { ~t: { type: string, minLength: 2 } }, required: [/~] }
        list: { type: array, items: { enum: [x, y] }, minItems: 1, uniqueItems: true }
        own: { type: string, readOnly: true }
        never: false
        day: { type: string, format: date, pattern: ^2 }
        either: { oneOf: [{ type: string }, { type: integer }] }
        card: { type: string }
        tree: { $ref: '#/components/schemas/Tree' }
        closed: { allOf: [{ properties: { a: { type: integer } } }], unevaluatedProperties: false }
        named: { propertyNames: { maxLength: 3 } }
        pet: { $ref: '#/components/schemas/Pet' }
      dependentRequired: { card: [cvc] }
      additionalProperties: false
    Tree: { type: object, additionalProperties: { $ref: '#/components/schemas/Tree' } }
    Pet:
      type: object
      required: [kind]
      discriminator: { propertyName: kind }
      oneOf: [{ $ref: '#/components/schemas/Cat' }]
    Cat: { type: object, properties: { kind: { const: Cat }, lives: { type: integer } } }
`)
)

const done = () => ({ status: 204 })
const refuse = () => {
  const message = 'is taken'
  const problems = ['body', 'body/name', 'body/a~b', 'query/limit'].map((place) => ({ place, message }))
  const exact = { place: 'body/a/b', message, pointer: '/a~1b', keyword: 'x-unique' }
  throw new FailureError('mismatch', { problems: [...problems, exact] })
}
const { ask } = await serve(t, contract, {
  handlers: { take: done, form: done, parts: done, text: done, search: done, refuse },
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

  const name = part('name', 'a')
  const file = part('file', 'abc', '; filename="f"')
  const parts: readonly (readonly [parts: readonly string[], ...found: Found[]])[] = [
    [[name], ['/file', 'required']],
    [
      [name, part('file', 'abcd', '; filename="f"')],
      ['/file', 'maxLength']
    ],
    [[name, file, file], ['/file']],
    [[name, part('name', 'b'), file], ['/name']],
    [
      [name, file, part('a/~', 'x')],
      ['/a~1~0', 'type']
    ],
    [[name, file, part('data', '{')], ['/data']],
    [
      [name, file, part('data', '{}')],
      ['/data/x', 'required']
    ],
    [
      [name, file, part('un/known', 'x')],
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

t.test(
  'own texts are chosen by problem; the message lists them, unless it says something else',
  async (t) => {
    const texts: Readonly<Record<string, string>> = { required: 'fehlt', type: 'hat den falschen Typ' }
    const german = ({ keyword, place }: Problem) => (place === 'body/kept' ? undefined : texts[keyword ?? ''])
    const problem = (place: string, keyword: string, message: string) => ({ place, keyword, message })
    const name = problem('body/name', 'required', 'is required')
    const kept = problem('body/kept', 'type', 'must be string')
    const problems = [name, kept, problem('query/limit', 'maximum', 'must be <= 7')]
    const { failure } = new FailureError('mismatch', { problems, message: sentence(problems, 3) })
    const own = reworded(failure, german)
    t.equal(own.message, 'body/name fehlt; body/kept must be string; query/limit must be <= 7; and 3 more')
    t.strictSame(own.problems[0], { ...failure.problems[0], message: 'fehlt', pointer: '/name' })
    t.match(own, { code: 'mismatch', status: 400 })
    const taken = new FailureError('mismatch', { problems: [name], message: 'no such plant' })
    t.match(reworded(taken.failure, german), { message: 'no such plant', problems: [{ message: 'fehlt' }] })
    const { failure: none } = new FailureError('not-found')
    t.strictSame(reworded(none, german), none)
  }
)

const nodes = parse(`
paths:
  /forms:
    post:
      operationId: form
      requestBody:
        content:
          application/json: { schema: &node { $ref: '#/components/schemas/Node' } }
          multipart/form-data: { schema: { type: object, properties: { node: *node } } }
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { node: *node } }
            encoding: { node: { contentType: application/json } }
      responses: &ok { 200: { description: ok, content: { application/json: {} } } }
  /query:
    get:
      operationId: query
      parameters: [{ name: node, in: query, content: { application/json: { schema: *node } } }]
      responses: *ok
components: { schemas: { Node: { type: object, properties: { next: *node } } } }
`)
const ok = () => ({ status: 200, body: 'ok' })
const handlers = { form: ok, query: ok }

t.test('JSON that is nested too deeply is a 400 wherever it stands', async (t) => {
  const { ask, log } = await serve(t, nodes, { handlers, fastify: { http: { maxHeaderSize: 200_000 } } })
  const nested = (depth: number) => `${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`
  const field = (json: string) => `${part('node', json, '\r\nContent-Type: application/json')}--b--\r\n`
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const rows: Readonly<Record<string, (json: string) => Buffer>> = {
    'body of JSON': (json) => request('POST /forms', json),
    'body of parts': (json) => request('POST /forms', field(json), multipart),
    'body of fields': (json) => request('POST /forms', `node=${json}`, urlencoded),
    'a parameter': (json) => request(`GET /query?node=${json.replaceAll('"', '%22')}`)
  }
  for (const [name, asking] of Object.entries(rows)) {
    t.equal((await ask(asking(nested(10)))).status, 200, name)
    const message = name.startsWith('body')
      ? /^body .*is nested too deeply$/
      : /^a parameter .*is nested too deeply$/
    t.match(await ask(asking(nested(15_000))), { status: 400, value: { code: 'mismatch', message } }, name)
  }
  t.notOk(log.some(({ level }) => Number(level) >= 50))
})

t.test('every other RangeError is a 500, and is logged', async (t) => {
  const contract = await compiled(t, nodes)
  for (const run of [() => 'x'.repeat(2 ** 30), () => new Array(-1), () => BigInt(1.5)]) {
    const load = async () => {
      const { validators, ...code } = await contract.load()
      return { ...code, validators: Object.fromEntries(Object.keys(validators).map((key) => [key, run])) }
    }
    const served = await serve(t, { ...contract, load } as never, { handlers, errorBody: ({ code }) => code })
    for (const text of [request('POST /forms', '{}'), request('GET /query?node={}')]) {
      const before = served.log.length
      t.match(await served.ask(text), { status: 500, value: 'internal' }, String(run))
      const logged = served.log.slice(before).filter(({ level }) => Number(level) >= 50)
      t.match(logged, [{ err: { type: 'RangeError' }, failure: 'internal' }], String(run))
    }
  }
})
