/** Pointers of the problems of a failure, their texts, and JSON that is nested too deeply. */
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
        content: { application/x-www-form-urlencoded: { schema: { type: object, additionalProperties: { type: integer } } } }
      responses: *done
  /refuse: { get: { operationId: refuse, responses: *done } }
components:
  schemas:
    Thing: { type: object, properties: { tree: { $ref: '#/components/schemas/Tree' } }, additionalProperties: false }
    Tree: { type: object, additionalProperties: { $ref: '#/components/schemas/Tree' } }
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
  handlers: { take: done, form: done, refuse },
  errorBody: ({ code, problems }) => ({ code, problems })
})

/** Sends a request, and returns the pointers and keywords of its problems. */
async function problemsOf(text: Buffer): Promise<string[]> {
  const { value } = await ask(text)
  const problems: readonly Problem[] = Object(value).problems
  return problems.map(({ pointer, keyword = '' }) => `${pointer} ${keyword}`)
}

t.test('a pointer ends before a name that is long, and after a hundred and two names', async (t) => {
  const long = 'n'.repeat(129)
  const deep = (levels: number): Json => (levels === 0 ? 1 : { abcdefghi: deep(levels - 1) })
  const rows: readonly (readonly [value: Json, found: string])[] = [
    [{ [long]: 1 }, ' additionalProperties'],
    [{ tree: { a: { [long]: { b: 1 } } } }, '/tree/a type'],
    [{ tree: { [long.slice(1)]: 1 } }, `/tree/${long.slice(1)} type`],
    [{ tree: deep(101) }, `/tree${'/abcdefghi'.repeat(101)} type`],
    [{ tree: deep(500) }, `/tree${'/abcdefghi'.repeat(101)} type`]
  ]
  for (const [value, found] of rows)
    t.strictSame(await problemsOf(request('POST /things', JSON.stringify(value))), [found])
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  t.strictSame(await problemsOf(request('POST /forms', `${long}=1&${long}=2`, form)), [' '])
})

t.test('problems that a handler reports have pointers of their places', async (t) => {
  const found = [' ', '/name ', '/a~0b ', '/query/limit ', '/a~1b x-unique']
  t.strictSame(await problemsOf(request('GET /refuse')), found)
})

t.test('own texts are chosen by problem, and listed by the message', async (t) => {
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
})

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
  const part = '--b\r\nContent-Disposition: form-data; name=node\r\nContent-Type: application/json\r\n\r\n'
  const field = (json: string) => `${part}${json}\r\n--b--\r\n`
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
