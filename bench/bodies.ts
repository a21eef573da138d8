/** Bodies of 1 MB that cost the most to read, by kind: CPU against 1 MB of JSON, and the longest turn of the event loop. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { compileContract, writeFiles } from '@contract-first/compiler'
import { median } from './measure.ts'
import { atMost, heading } from './report.ts'
import type { Plan } from './sqlite.ts'

const size = 1_000_000
/** Requests of a round: the clock of a thread may tick every 4 ms. */
const requests = 5

const object = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } }
}
const listsOf = (items: object) => ({ schema: { type: 'array', items: { type: 'array', items } } })
const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const form = { schema: { type: 'object', properties: { a: { type: 'string' } } } }
const contract = {
  openapi: '3.2.0',
  info: { title: 'Bodies', version: '1' },
  paths: {
    '/usage': { get: { operationId: 'usage', responses: ok } },
    '/read': {
      post: {
        operationId: 'read',
        requestBody: {
          content: {
            'application/json': { schema: { type: 'array', items: object } },
            'application/json; of=anything': {},
            'application/json; of=integers': listsOf({ type: 'integer' }),
            'application/json; of=int64': listsOf({ type: 'integer', format: 'int64' }),
            'application/json; of=numbers': listsOf({ type: 'number' }),
            'application/x-www-form-urlencoded': form,
            'multipart/form-data': form,
            'application/jsonl': { itemSchema: {} },
            'application/json-seq': { itemSchema: {} },
            'text/event-stream': { itemSchema: { type: 'string' } },
            'text/plain': {},
            'application/octet-stream': {}
          }
        },
        responses: ok
      }
    },
    '/upload': {
      post: {
        operationId: 'upload',
        requestBody: { content: { 'multipart/form-data': { 'x-stream': true, ...form } } },
        responses: ok
      }
    }
  }
}

interface Body {
  readonly kind: string
  readonly what: string
  readonly bytes: Buffer
}

/** Kind of bodies for which Node's parser costs the most, because it calls back for each chunk. */
const inChunks = 'chunks of one byte'

const filled = (text: string): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)
const listOf = (item: string): string => `[${whole(`${item},`).slice(0, -1)}]`
/** Items that each have a name of their own. */
const named = (item: (name: string) => string): string =>
  Array.from({ length: size / 15 }, (_, index) => item(`n${index.toString(36)}`)).join()
const whole = (text: string): string => text.repeat(Math.floor(size / text.length))
const field = (name: string, more: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n`
const inParts = (part: string, count: number): string =>
  `${part.repeat(Math.min(count, Math.floor(size / part.length)))}--b--\r\n`

function request(kind: string, what: string, mediaType: string, content: string): Body {
  const path = kind.includes('x-stream') ? '/upload' : '/read'
  const body = kind === inChunks ? content.slice(0, size / 6).replace(/./gs, '1\r\n$&\r\n') : content
  const length =
    kind === inChunks ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(content)}`
  const head = ['Host: a', 'Connection: close', `Content-Type: ${mediaType}`, length].join('\r\n')
  const end = kind === inChunks ? '0\r\n\r\n' : ''
  return { kind, what, bytes: Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}${end}`) }
}

const json = (what: string, content: string, parameter = ''): Body =>
  request('JSON', what, `application/json${parameter}`, content)
const lines = (what: string, line: string): Body =>
  request('JSON lines', what, 'application/jsonl', whole(line))
const texts = (what: string, text: string): Body =>
  request('json-seq', what, 'application/json-seq', whole(text))
const events = (what: string, event: string): Body =>
  request('events', what, 'text/event-stream', whole(event))
const fields = (what: string, content: string): Body =>
  request('urlencoded form', what, 'application/x-www-form-urlencoded', content)

const multipart = (kind: string): readonly Body[] => {
  const parts = (what: string, content: string, boundary = 'b') =>
    request(kind, what, `multipart/form-data; boundary=${boundary}`, content)
  return [
    parts('empty parts', whole('--b\r\n')),
    parts('1,000 fields', inParts(field('a', ''), 1_000)),
    parts(
      '1,000 fields of other names',
      Array.from({ length: 1_000 }, (_, index) => field(`n${index}`, ''))
        .join('')
        .concat('--b--\r\n')
    ),
    parts('1,000 parts of 100 headers', inParts(field('a', whole('a:\r\n').slice(0, 396)), 1_000)),
    parts('headers of a part without end', `${field('a', '').slice(0, -2)}${whole('a:\r\n')}`),
    parts('almost boundaries', `${field('a', '')}${filled('\r\n--').slice(0, size - 100)}\r\n--b--\r\n`),
    parts(
      'almost long boundaries',
      `--${'b'.repeat(70)}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${filled(`\r\n--${'b'.repeat(69)}`).slice(0, size - 300)}\r\n--${'b'.repeat(70)}--\r\n`,
      'b'.repeat(70)
    ),
    parts(
      'a boundary of one character, repeated',
      `--${'b'.repeat(70)}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${filled('b').slice(0, size - 300)}\r\n--${'b'.repeat(70)}--\r\n`,
      'b'.repeat(70)
    ),
    parts('line feeds', `${field('a', '')}${filled('\r\n').slice(0, size - 100)}\r\n--b--\r\n`)
  ]
}

const reference = json('small objects', listOf('{"id":1,"name":"a"}'))
const bodies: readonly Body[] = [
  reference,
  json('numbers', listOf('1'), '; of=anything'),
  json('empty arrays', listOf('[]'), '; of=anything'),
  json('nested arrays', `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`, '; of=anything'),
  json('wrong objects', listOf('{}')),
  json('escapes', `"${whole('\\u0000')}"`, '; of=anything'),
  json('numbers with exponents', listOf('1e1'), '; of=anything'),
  json('numbers beyond 2^53', listOf('9e16'), '; of=anything'),
  json('numbers without a double', listOf('1e23'), '; of=anything'),
  json('lists of a number without a double', listOf('[1e23]'), '; of=anything'),
  json('lists of an integer without a double', listOf('[1e23]'), '; of=integers'),
  json('lists of an integer with an exponent', listOf('[1e22]'), '; of=integers'),
  json('lists behind a long integer', `[[12345678901234567168],${listOf('[1]').slice(1)}`, '; of=integers'),
  json('a list of int64', `[${listOf('1')}]`, '; of=int64'),
  json('lists of an int64 with an exponent', listOf('[1e18]'), '; of=int64'),
  json('a list of numbers without a double', `[${listOf('1e23')}]`, '; of=numbers'),
  json('a number in nested arrays', `${'['.repeat(size / 2)}1e23${']'.repeat(size / 2)}`, '; of=anything'),
  json('objects with names of their own', `[${named((name) => `{"${name}":1}`)}]`, '; of=anything'),
  json('an object with many names', `{${named((name) => `"${name}":1e23`)}}`, '; of=anything'),
  json(
    'empty texts behind a long integer',
    `[12345678901234567168,${listOf('""').slice(1)}`,
    '; of=anything'
  ),
  fields('empty fields', whole('&')),
  fields('fields', whole('a&')),
  fields(
    '1,000 fields',
    Array.from({ length: 1_000 }, (_, index) => `n${index}=${'%41'.repeat(300)}`).join('&')
  ),
  fields('escapes', `a=${whole('%41')}`.slice(0, size)),
  ...multipart('multipart'),
  ...multipart('multipart x-stream'),
  lines('numbers', '1\n'),
  lines('blank lines', '\n'),
  lines('empty objects', '{}\n'),
  lines('strings beyond ASCII', '"é"\n'),
  texts('numbers', '\x1e1\n'),
  texts('separators', '\x1e'),
  texts('line feeds', '\x1e\n\n\n\n\n\n\n\n\n\n'),
  texts('brackets', `\x1e${'[\n'.repeat(1000)}`),
  request('json-seq', 'an open bracket and line feeds', 'application/json-seq', `\x1e[${filled('\n')}`),
  events('blank lines', '\n'),
  events('comments', ':\n'),
  events('unknown fields', 'x\n'),
  events('lines of data', 'data\n'),
  events('empty events', 'data\n\n'),
  events('carriage returns', 'id\r\r'),
  request('text', 'three bytes a character', 'text/plain', whole('€')),
  request('binary', 'zeros', 'application/octet-stream', whole('\0')),
  request(inChunks, 'text', 'text/plain', whole('a')),
  request(inChunks, 'JSON lines', 'application/jsonl', whole('1\n'))
]

interface Cost {
  /** CPU time of a request in ms. */
  readonly cpu: number
  /** CPU time of the longest turn in ms. */
  readonly longestTurn: number
}

export async function benchBodies({ folder, rounds }: Plan): Promise<void> {
  const compiled = join(folder, 'bodies')
  mkdirSync(compiled)
  // The compiled contract imports the engine.
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'bodies.json'), JSON.stringify(contract))
  await writeFiles((await compileContract(join(folder, 'bodies.json'), compiled)).files, compiled)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'targets/bodies.ts'), compiled], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = String((await once(child.stdout, 'data'))[0]).trim()
  const costs = new Map(bodies.map((body) => [body, [] as Cost[]]))
  for (let round = 0; round <= rounds; round++)
    for (const [body, measured] of costs) {
      const cost = await costOf(url, body)
      if (round > 0) measured.push(cost)
    }
  child.kill()
  print(costs)
}

async function costOf(url: string, body: Body): Promise<Cost> {
  await usage(url)
  for (let count = 0; count < requests; count++) await answered(url, body)
  const { cpu, longestTurn } = await usage(url)
  return { cpu: cpu / requests, longestTurn }
}

const usage = async (url: string): Promise<Cost> => (await fetch(`${url}/usage`)).json() as Promise<Cost>

/** Sends a request, and waits until the connection has ended. */
async function answered(url: string, { bytes, kind, what }: Body): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let answer = ''
  socket.on('data', (text) => {
    answer += text
  })
  // A request that is refused early may be reset while it is sent.
  socket.on('error', () => undefined)
  socket.write(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  // The answer to one that closes its connection is lost when bytes of it arrive later.
  if (!/^(?:HTTP\/1.1 (?:200|400|413) |$)/.test(answer)) throw new Error(`${kind}, ${what}: ${answer}`)
}

/** Prints the most expensive input of each kind. */
function print(costs: ReadonlyMap<Body, readonly Cost[]>): void {
  const medians = [...costs].map(([body, each]) => ({
    ...body,
    cpu: median(each.map(({ cpu }) => cpu)),
    longestTurn: median(each.map(({ longestTurn }) => longestTurn))
  }))
  const base = medians[0]?.cpu ?? Number.NaN
  heading('Bodies of 1 MB')
  console.log(
    '| body | most expensive | CPU in ms | against JSON | longest turn in ms |\n|---|---|---|---|---|'
  )
  for (const [kind, inputs] of Map.groupBy(medians, ({ kind }) => kind)) {
    const [worst] = inputs.toSorted((a, b) => b.cpu - a.cpu)
    const cpu = worst?.cpu ?? Number.NaN
    const longestTurn = Math.max(...inputs.map((each) => each.longestTurn))
    const figures = [cpu, cpu / base, longestTurn].map((figure) => figure.toFixed(1))
    console.log(`| ${[kind, worst?.what, ...figures].join(' | ')} |`)
  }
  const whole = medians.filter(({ kind }) => kind !== inChunks)
  atMost('CPU of a body, against JSON', Math.max(...whole.map(({ cpu }) => cpu / base)), 5)
  atMost('longest turn in ms', Math.max(...whole.map((each) => each.longestTurn)), 50)
}
