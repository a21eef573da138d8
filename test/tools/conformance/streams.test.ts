/** Streams: a correct server has no finding, also one whose streams never end; each defect is found. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { createMock } from '../../../src/tools/mock/mock.ts'
import { type Answer, checked, error, only, send } from './checked-server.ts'

t.setTimeout(900_000)

const tick = {
  type: 'object',
  required: ['data'],
  properties: {
    event: { const: 'tick' },
    id: { type: 'integer', format: 'int64' },
    retry: { type: 'integer' },
    data: {
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer' }, word: { type: 'string', pattern: '^[a-z]+$' } }
    }
  }
}
const item = tick.properties.data
const gives = (mediaType: string, media: object) => ({
  get: { responses: { 200: { description: 'ok', content: { [mediaType]: media } } } }
})
const takes = (mediaType: string, media: object) => ({
  post: {
    requestBody: { required: true, content: { [mediaType]: media } },
    responses: { 204: { description: 'taken' }, 400: error, 415: error }
  }
})

const paths = {
  '/ticks': gives('text/event-stream', { itemSchema: tick }),
  '/data': gives('text/event-stream', { schema: item }),
  '/mixed': gives('text/event-stream', {
    itemSchema: {
      type: 'object',
      properties: { event: { type: 'string' }, data: { anyOf: [{ type: 'string' }, { type: 'object' }] } }
    }
  }),
  '/lines': {
    ...gives('application/jsonl', { itemSchema: item }),
    ...takes('application/x-ndjson', { itemSchema: item })
  },
  '/texts': {
    ...gives('application/json-seq', { schema: { type: 'array', items: item } }),
    ...takes('application/json-seq', { schema: item })
  },
  '/events': takes('text/event-stream', { itemSchema: tick }),
  '/open': gives('application/jsonl', { itemSchema: item }),
  '/flood': gives('application/json-seq', { itemSchema: item })
}

const types: Readonly<Record<string, string>> = {
  '/lines': 'application/jsonl',
  '/texts': 'application/json-seq',
  '/open': 'application/jsonl',
  '/flood': 'application/json-seq'
}

/** Bodies that a server sends at once, in place of the right ones, by defect. */
type Bodies = Readonly<Record<string, string | Buffer>>

const right: Bodies = {
  '/data': ': a comment\n\ndata: {"n":1,\r\ndata: "word":"one"}\r\n\r\nid: 7\n\n',
  '/mixed': 'event: a\ndata: text\n\ndata: {"n":1}\n\nevent: no data\n\n',
  '/lines': '{"n":1}\n\r\n{"n":2,"word":"two"}',
  '/texts': '\x1e{"n":1}\n\x1e\x1e{\n"n":2}\n'
}

const open: Bodies = {
  '/ticks': 'retry: 3000\n\nevent: ping\n\nevent: tick\nid: 9007199254740993\nretry: 10\ndata: {"n":1}\n\n',
  '/open': '',
  '/flood': '\x1e{"n":1}\n'.repeat(20_000)
}

interface Defect {
  readonly bodies?: Bodies
  /** True for bodies that end in an error. */
  readonly isBroken?: boolean
  /** Items of a request that are validated: all by default. */
  readonly checks?: ((index: number) => boolean) | undefined
}

const isItem = (value: unknown): boolean => {
  const { n, word } = Object(value)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return (
    isObject &&
    Number.isInteger(n) &&
    (word === undefined || (typeof word === 'string' && /^[a-z]+$/.test(word)))
  )
}

function itemsOf(body: string, type: string): unknown[] {
  if (type === 'text/event-stream')
    return body
      .split('\n\n')
      .slice(0, -1)
      .map((text) => JSON.parse(/^data: ?(.*)$/m.exec(text)?.[1] ?? 'null'))
  const texts = body.split(type === 'application/json-seq' ? '\x1e' : '\n')
  return texts.filter((text) => text.trim() !== '').map((text) => JSON.parse(text))
}

function isEventValid(body: string): boolean {
  const values = (name: string) =>
    [...body.matchAll(new RegExp(`^${name}: ?(.*)$`, 'gm'))].map(([, text]) => String(text))
  return (
    values('event').every((text) => text === 'tick') &&
    values('id').every((text) => /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) &&
    values('retry').every((text) => /^-?\d+$/.test(text))
  )
}

function taken(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  checks: (index: number) => boolean
) {
  const type = String(request.headers['content-type'])
  if (
    !['/lines application/x-ndjson', '/texts application/json-seq', '/events text/event-stream'].includes(
      `${request.url} ${type}`
    )
  )
    return void send(response, body === '' ? 400 : 415, {})
  try {
    const isValid = itemsOf(body, type).every((value, index) => !checks(index) || isItem(value))
    if (isValid && (type !== 'text/event-stream' || isEventValid(body))) response.writeHead(204).end()
    else send(response, 400, {})
  } catch {
    send(response, 400, {})
  }
}

/** Answers GET by text, streams without an end, and POST after it has validated each item. */
const server =
  ({ bodies = {}, isBroken = false, checks = () => true }: Defect = {}): Answer =>
  (request, response, body) => {
    const path = String(request.url)
    const methods = [
      ...(path === '/events' ? [] : ['GET']),
      ...(['/lines', '/texts', '/events'].includes(path) ? ['POST'] : [])
    ]
    const answer: Answer = () => {
      if (request.method === 'POST') return taken(request, response, body, checks)
      if (path === '/quiet') return
      response.writeHead(200, { 'content-type': types[path] ?? 'text/event-stream' }).flushHeaders()
      const text = bodies[path] ?? right[path]
      if (text !== undefined) {
        response.write(text)
        if (isBroken && bodies[path] !== undefined) setTimeout(() => response.destroy(), 20)
        else response.end()
      } else {
        const timer = setInterval(() => response.write(open[path] ?? ''), 20)
        response.once('close', () => clearInterval(timer))
      }
    }
    only(methods.join(', '), answer)(request, response, body)
  }

const options = { openapi: '3.2.0', timeoutMs: 30_000 }

t.test('a correct server has no finding, also where a stream has no end', async (t) => {
  const { report, findings, unchecked, asked } = await checked(t, paths, server(), options)
  t.strictSame(findings, [], JSON.stringify(report.findings, null, 1))
  t.strictSame(unchecked, [])
  const posted = asked.filter((line) => line.startsWith('POST /lines {'))
  t.ok(posted.length > 5, 'streams are sent')
})

t.test('a stream that has no item, and so no status, is waited for once, and is no finding', async (t) => {
  const { get } = gives('text/event-stream', { itemSchema: tick })
  const since = { name: 'since', in: 'query', schema: { type: 'integer' } }
  const operation = { ...get, parameters: [since], responses: { ...get.responses, 400: error } }
  const isValid = (url: string) => /^\/quiet(?:\?since=-?\d+)?$/.test(url)
  const answer: Answer = (request, response) => {
    if (!isValid(String(request.url))) send(response, 400, {})
  }
  const limits = { ...options, timeoutMs: 300 }
  const { report, asked } = await checked(t, { '/quiet': { get: operation } }, only('GET', answer), limits)
  t.strictSame(
    report.findings.filter((finding) => finding.operation === 'GET /quiet'),
    []
  )
  const urls = asked.flatMap((line) => /^GET (\S+)/.exec(line)?.[1] ?? [])
  t.equal(urls.filter(isValid).length, 1)
  t.ok(urls.length > 1, 'what breaks the contract is sent all the same')
})

t.test(
  'the engine itself has no finding: its mock takes and sends valid items, and refuses broken ones',
  async (t) => {
    const text = { type: 'string', maxLength: 4 }
    const event = {
      type: 'object',
      required: ['event', 'data'],
      properties: {
        ...{ event: { enum: ['tick'] }, id: text, retry: { type: 'integer', maximum: 9 } },
        data: { type: 'string', contentMediaType: 'application/json', contentSchema: item }
      }
    }
    const contract = {
      '/lines': {
        ...gives('application/jsonl', { itemSchema: item }),
        ...takes('application/x-ndjson', { itemSchema: item })
      },
      '/texts': takes('application/json-seq', { schema: { type: 'array', items: item } }),
      '/events': {
        ...gives('text/event-stream', { itemSchema: event }),
        ...takes('text/event-stream', { itemSchema: event })
      },
      '/data': takes('text/event-stream', { itemSchema: { type: 'string', pattern: '^a' } })
    }
    const document = { openapi: '3.2.0', info: { title: 'T', version: '1' }, paths: contract }
    const compiled = await compileInMemory(
      join(t.testdir({ 'contract.json': JSON.stringify(document) }), 'contract.json')
    )
    const { app } = await createMock(compiled, { seed: 1 })
    t.teardown(() => app.close())
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const { report, unchecked } = await checkConformance({ ...compiled, url, requests: 10 })
    t.strictSame(report.findings, [])
    t.strictSame(unchecked, [])
    t.ok(report.requests > 200)
  }
)

/** Bodies of answers, by their paths, and the message about each. */
const answers: readonly (readonly [what: string, path: string, body: string | Buffer, message: RegExp])[] = [
  [
    'a wrong item',
    '/lines',
    '{"n":1}\n{"n":2}\n{"n":"3"}\n{"n":"4"}\n',
    /answers 200: body\/2\/n must be integer$/
  ],
  [
    'a wrong item of an open stream',
    '/ticks',
    'event: tick\ndata: {"n":1}\n\nevent: tock\ndata: {"n":1}\n\n',
    /answers 200: body\/1\/event must be/
  ],
  [
    'a time that is not a number',
    '/ticks',
    'data: {"n":1}\nretry: soon\n\n',
    /body\/0\/retry must be integer$/
  ],
  ['data that is not JSON', '/data', 'data: {"n":1}\n\ndata: one\n\n', /body\/1 is not valid JSON/],
  [
    'lines in place of events',
    '/ticks',
    '{"n":1}\n{"n":2}\n',
    /the body has a line that is no field of an event, after 0 items$/
  ],
  [
    'an event that is not ended',
    '/ticks',
    'data: {"n":1}\n\ndata: {"n":2}\n',
    /the body ends within an event, after 1 items$/
  ],
  ['a list in place of lines', '/lines', '[\n{"n":1},\n{"n":2}\n]', /body\/0 is not valid JSON/],
  ['texts without their separator', '/texts', '{"n":1}\n{"n":2}\n', /does not begin with a record separator/],
  [
    'a text without its line feed',
    '/texts',
    '\x1e{"n":1}\x1e{"n":2}\n',
    /has an item without a line feed at its end, after 0 items$/
  ],
  ['bytes that are not UTF-8', '/lines', Buffer.from([0x7b, 0x7d, 0xff]), /the body is not valid UTF-8$/]
]

/** Items of a request that are validated. */
const requests: readonly (readonly [
  what: string,
  path: string,
  checks: Defect['checks'],
  message: RegExp
])[] = [
  ['the first item of a request alone is checked', '/lines', (index) => index === 0, /body\/[1-9]/],
  ['the middle item of a request is not checked', '/lines', (index) => index !== 1, /: body\/1/],
  ['the last item of a request is not checked', '/lines', (index) => index < 2, /: body\/[2-9]/],
  ['the first item of a request is not checked', '/texts', (index) => index > 0, /body\/0/]
]

const rows: readonly (readonly [what: string, defect: Defect, finding: string, message: RegExp])[] = [
  ...answers.map(
    ([what, path, body, message]) =>
      [what, { bodies: { [path]: body } }, `response-body GET ${path}`, message] as const
  ),
  [
    'a stream that ends in an error',
    { bodies: { '/ticks': 'data: {"n":1}\n\n' }, isBroken: true },
    'connection GET /ticks',
    /closes the connection before its answer is complete/
  ],
  ...requests.map(
    ([what, path, checks, message]) =>
      [what, { checks }, `invalid-request-accepted POST ${path}`, message] as const
  )
]

for (const [what, defect, finding, message] of rows)
  t.test(`found: ${what}`, async (t) => {
    const [, , path = ''] = finding.split(' ')
    const { report, findings } = await checked(
      t,
      { [path]: Reflect.get(paths, path) },
      server(defect),
      // What is always sent finds each: chance would hide that a request is missing.
      { ...options, requests: 0 }
    )
    t.ok(findings.includes(finding), JSON.stringify(findings))
    t.match(report.findings.find((each) => finding === `${each.check} ${each.operation}`)?.message, message)
  })
