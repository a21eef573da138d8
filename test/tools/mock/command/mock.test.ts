/** The mock from its start to its end: its output, its refusals, the effect of a save. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { Mistake } from '../../../../src/cli/command.ts'
import { paintFor } from '../../../../src/cli/format.ts'
import type { ExampleRequest } from '../../../../src/engine/model/compiled-contract.ts'
import { grammar, readMockOptions } from '../../../../src/tools/mock/command/mock.ts'
import type { MockCommand } from '../../../../src/tools/mock/command/mock-session.ts'
import { runMock, startText } from '../../../../src/tools/mock/command/mock-session.ts'
import type { Mock } from '../../../../src/tools/mock/mock.ts'
import { commandOutcome } from '../../../cli/command-outcome.ts'

const paint = paintFor({}, {})
const contract = (word: string) => `openapi: 3.1.0
info: { title: Words, version: '1' }
servers: [{ url: 'https://x.example/api/' }]
paths:
  /words/{id}:
    get:
      operationId: getWord
      summary: Read a word
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: object, required: [word], properties: { word: { type: string } } }
              examples: { "wrong\\e[2J": { value: { word: 1 } }, right: { value: { word: ${word} } } }
`

interface Running {
  readonly url: string
  readonly output: () => string
  readonly errors: () => string
  /** Resolves when the text has been printed. */
  readonly printed: (text: string | RegExp) => Promise<void>
  readonly end: () => Promise<void>
}

async function start(t: Test, given: Partial<MockCommand> & { readonly contract: string }): Promise<Running> {
  const ending = new AbortController()
  const shown = { output: '', errors: '' }
  let changed = Promise.withResolvers<void>()
  const add = (stream: 'output' | 'errors') => (text: string) => {
    shown[stream] += text
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const terminal = {
    output: { write: add('output') },
    errors: { write: add('errors') },
    paints: { output: paint, errors: paint },
    ending: ending.signal
  }
  const running = runMock({ host: '127.0.0.1', port: 0, seed: 1, ...given }, terminal)
  t.teardown(() => ending.abort())
  const printed = async (text: string | RegExp) => {
    while (!(shown.output + shown.errors).match(text)) await changed.promise
  }
  await Promise.race([printed('http://'), running])
  const [url = ''] = shown.output.split('\n')
  return {
    url,
    output: () => shown.output,
    errors: () => shown.errors,
    printed,
    end: () => {
      ending.abort()
      return running
    }
  }
}

const bodyOf = async (url: string, headers = {}) => (await fetch(url, { headers })).text()

t.test('a mock prints its URL, its docs and a request, and follows each save', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contract('one') })
  const path = join(folder, 'openapi.yaml')
  const mock = await start(t, { contract: path })
  t.match(mock.url, /^http:\/\/127\.0\.0\.1:\d+\/api$/)
  t.ok(mock.output().includes(`docs    ${mock.url}/docs\n`))
  const [curl = ''] = mock.output().match(/^curl .*$/m) ?? []
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} --silent --fail`])
  t.equal(stdout, '{"word":"one"}')
  t.match(
    mock.errors(),
    /^getWord 200 application\/json: the example wrong\ufffd\[2J is not valid and is not sent\n/m
  )
  t.match(await bodyOf(`${mock.url}/docs`), /<title>Words/)
  t.equal(await bodyOf(`${mock.url}/openapi.yaml`), contract('one'))
  t.match(JSON.parse(await bodyOf(`${mock.url}/openapi.json`)), { info: { title: 'Words' } })

  await writeFile(path, contract('two'))
  await mock.printed('reloaded')
  t.equal(await bodyOf(`${mock.url}/words/1`), '{"word":"two"}')
  await writeFile(path, 'openapi: 3.1.0\ninfo: {}\n')
  await mock.printed('the last good contract')
  t.match(mock.errors(), /openapi\.yaml:1:1 Must contain/)
  t.equal(await bodyOf(`${mock.url}/words/1`), '{"word":"two"}')
  await mock.end()
  await t.rejects(fetch(mock.url), 'it has ended')
})

t.test('BASE_URL decides the base path of the mock, as that of the service', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contract('one') })
  const rows = [
    [undefined, '/api'],
    ['http://127.0.0.1:3000/shop/v2/', '/shop/v2'],
    ['https://plants.example', '']
  ] as const
  for (const [baseUrl, basePath] of rows) {
    const given = {
      contract: join(folder, 'openapi.yaml'),
      baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl)
    }
    const mock = await start(t, given)
    t.match(mock.url, new RegExp(`^http://127\\.0\\.0\\.1:\\d+${basePath}$`))
    t.equal(await bodyOf(`${mock.url}/words/1`), '{"word":"one"}', basePath)
    t.match(await bodyOf(`${mock.url}/docs`), /<title>Words/)
    if (basePath !== '/api') t.equal((await fetch(new URL('/api/words/1', mock.url))).status, 404)
    await mock.end()
  }
})

t.test('the command reads BASE_URL from the environment and from .env', async (t) => {
  const served = (path: string) => new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}$`, 'm')
  const rows: readonly (readonly [file: string, variable: string | undefined, want: RegExp])[] = [
    ['BASE_URL=http://localhost/file\n', undefined, served('/file')],
    ['BASE_URL=http://localhost/file\n', 'http://localhost/given', served('/given')],
    ['', '', served('/api')],
    ['', 'ftp://x/y', /^BASE_URL is "ftp:\/\/x\/y"; expected an http or https URL/m]
  ]
  for (const [file, variable, want] of rows) {
    const folder = t.testdir({ 'openapi.yaml': contract('one'), '.env': file, 'package.json': '{}' })
    const script = fileURLToPath(new URL('../../../../scripts/mock.ts', import.meta.url))
    const { BASE_URL: _base, ...environment } = process.env
    const mock = spawn(process.execPath, [script, '--port', '0', '--contract', 'openapi.yaml'], {
      cwd: folder,
      env: { ...environment, ...(variable !== undefined && { BASE_URL: variable }) }
    })
    t.teardown(() => mock.kill())
    let text = ''
    for (const stream of [mock.stdout, mock.stderr])
      stream.on('data', (part) => {
        text += part
        if (want.test(text)) mock.kill()
      })
    await once(mock, 'close')
    t.match(text, want)
  }
})

t.test('answers of a file, read again at each save, and the memory stay over a save', async (t) => {
  const put = `    put:
      operationId: putWord
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /again/{id}:
    get:
      operationId: again
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: string } } } } }
`
  const folder = t.testdir({
    'openapi.yaml': contract('one') + put,
    'answers.yaml': 'again: { body: first }'
  })
  const [path, override] = [join(folder, 'openapi.yaml'), join(folder, 'answers.yaml')]
  const mock = await start(t, { contract: path, override, state: 'memory', proxy: 'http://127.0.0.1:9' })
  t.equal(await bodyOf(`${mock.url}/again/1`), '"first"')
  const headers = { 'content-type': 'application/json' }
  await fetch(`${mock.url}/words/7`, { method: 'PUT', headers, body: '{"word":"kept"}' })
  await writeFile(override, 'again: { body: second }')
  await mock.printed('reloaded')
  t.equal(await bodyOf(`${mock.url}/again/1`), '"second"')
  t.match(await bodyOf(`${mock.url}/words/7`), '"word":"kept"')
  await writeFile(override, 'again: { body: 7 }')
  await mock.printed('the last good contract')
  t.match(mock.errors(), /answers\.yaml:1:1 again: body is not what the contract declares for 200/)
  t.equal(await bodyOf(`${mock.url}/again/1`), '"second"')
  await mock.end()
})

t.test('a mock shows what is x-internal, to those who write the contract', async (t) => {
  const text = contract('one').replace('      summary', '      x-internal: true\n      summary')
  const mock = await start(t, { contract: join(t.testdir({ 'openapi.yaml': text }), 'openapi.yaml') })
  t.match(JSON.parse(await bodyOf(`${mock.url}/openapi.json`)), { paths: { '/words/{id}': { get: {} } } })
  await mock.end()
})

t.test('a contract in several files is served as one', async (t) => {
  const mock = await start(t, {
    contract: join(import.meta.dirname, '../../../contracts/multi-file/openapi.yaml')
  })
  t.notMatch(await bodyOf(`${mock.url}/openapi.yaml`), /\$ref: ['"]?[^#'"]/)
  await mock.end()
})

t.test('pages of other origins read the answers of operations, not the contract', async (t) => {
  const mock = await start(t, {
    contract: join(t.testdir({ 'openapi.yaml': contract('one') }), 'openapi.yaml')
  })
  const allowed = async (path: string, method: string) => {
    const response = await fetch(mock.url + path, {
      method,
      headers: { origin: 'https://page.example' },
      redirect: 'manual'
    })
    await response.arrayBuffer()
    return response.headers.get('access-control-allow-origin')
  }
  for (const path of [
    '/openapi.yaml',
    '/openapi.json',
    '/openapi%2Ejson',
    '/openapi.json?x',
    '/docs',
    '/docs/',
    '/docs/scalar.js',
    ''
  ])
    for (const method of ['GET', 'HEAD']) t.equal(await allowed(path, method), null, `${method} ${path}`)
  for (const path of ['/words/1', '/words/1?x', '/none'])
    t.equal(await allowed(path, 'GET'), 'https://page.example', path)
  await mock.end()
})

t.test('a mistake of the user ends the command', async (t) => {
  const folder = t.testdir({ 'openapi.yaml': contract('one'), 'broken.yaml': 'openapi: 3.1.0\n' })
  const path = join(folder, 'openapi.yaml')
  const taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  for (const [given, message] of [
    [{ contract: path, port }, /^--host and --port: listen EADDRINUSE.*another process listens there/],
    [{ contract: join(folder, 'broken.yaml') }, /broken\.yaml:1:1 Must contain/],
    [
      { contract: path, override: join(folder, 'no.yaml') },
      /^--override: .*no\.yaml: there is no such file$/
    ],
    [{ contract: path, override: folder }, /^--override: .*EISDIR/],
    [{ contract: join(folder, 'none.yaml') }, /none\.yaml cannot be read: there is no such file/]
  ] as const) {
    const mistake = await start(t, given).catch((error: unknown) => error)
    t.ok(mistake instanceof Mistake)
    t.match(Object(mistake).problems.join('\n'), message)
    t.equal(Object(mistake).exitCode, 1)
  }
})

t.test('the command line', async (t) => {
  const read = (...args: string[]) => commandOutcome(args, grammar, readMockOptions)
  t.match(read(), { contract: /openapi\.yaml$/, host: '127.0.0.1', port: 4010, seed: 1 })
  t.match(read('--port', '0', '--host', '::1', '--seed', '7'), { host: '::1', port: 0, seed: 7 })
  t.match(read('--port', '65536'), {
    exitCode: 2,
    text: /^--port is "65536"; expected a number from 0 to 65535$/
  })
  t.match(read('--port', 'x'), { exitCode: 2 })
  t.match(read('--seed', '-1'), { exitCode: 2, text: /^--seed / })
  t.match(read('--state', 'memory', '--override', 'a.yaml'), { state: 'memory', override: /^\/.*\/a\.yaml$/ })
  t.match(read('--proxy', 'http://a/v1'), { proxy: 'http://a/v1' })
  t.match(read('--proxy', 'a:80'), {
    exitCode: 2,
    text: /^--proxy is "a:80"; expected a URL of http or https$/
  })
  t.match(read('--state', 'disk'), { exitCode: 2, text: /^--state is "disk"; expected memory$/ })
  t.match(read('--nope'), {
    exitCode: 2,
    text: /^--nope is not an option; expected --contract, --root, --port/
  })
  t.match(read('--help'), { exitCode: 0, text: /^usage: npm run mock/ })
})

const options = { host: '127.0.0.1', port: 0, seed: 1 }
const paints = { output: paint, errors: paint }

t.test('a signal that comes before the mock serves ends it', async (t) => {
  const path = join(t.testdir({ 'openapi.yaml': contract('one') }), 'openapi.yaml')
  let shown = ''
  const write = (text: string) => (shown += text)
  const terminal = { output: { write }, errors: { write }, paints, ending: AbortSignal.abort() }
  await runMock({ ...options, contract: path }, terminal)
  await t.rejects(fetch(shown.match(/http:\S+/)?.[0] ?? ''))
})

t.test('a defect is not a mistake of the user, and keeps its stack', async (t) => {
  const path = join(t.testdir({ 'openapi.yaml': contract('one').replace("'200'", "'600'") }), 'openapi.yaml')
  const write = (text: string) => {
    throw new TypeError(text)
  }
  const terminal = { output: { write }, errors: { write }, paints, ending: AbortSignal.abort() }
  const message = /GET \/words\/\{id\} cannot answer with status 600 \(warning\)/
  await t.rejects(runMock({ ...options, contract: path }, terminal), { constructor: TypeError, message })
})

t.test('a contract that is saved while the mock starts is a mistake', async (t) => {
  const path = join(t.testdir({ 'openapi.yaml': contract('one').replace("'200'", "'600'") }), 'openapi.yaml')
  const write = () => writeFileSync(path, contract('two'))
  const terminal = { output: { write }, errors: { write }, paints, ending: AbortSignal.abort() }
  const mistake = await runMock({ ...options, contract: path }, terminal).catch((error: unknown) => error)
  t.ok(mistake instanceof Mistake)
  t.match(Object(mistake).message, 'openapi.yaml has changed since ')
})

t.test('the address and the request are written for a client and for a shell', async (t) => {
  const text = (host: string, shown?: Partial<ExampleRequest>, method = 'GET') => {
    const example = shown && { operationId: 'a', summary: 'Try', target: '/a', headers: {}, ...shown }
    const operations = [{ operationId: 'a', method, security: [] }]
    const mock = {
      basePath: '/api',
      contract: { operations, securitySchemes: {}, example }
    } as unknown as Mock
    return startText(mock, { address: host, family: '', port: 80 }, { ...options, host, contract: '' }, paint)
  }
  t.match(text('0.0.0.0'), /^http:\/\/localhost:80\/api\n/)
  t.match(text('::'), /^http:\/\/localhost:80\/api\n/)
  t.match(text('::1'), /^http:\/\/\[::1\]:80\/api\n/)
  t.notMatch(text('::1'), 'curl')
  t.match(text('a', {}), /\nTry:\n\ncurl http:\/\/a:80\/api\/a\n$/)
  t.match(
    text('a', { target: '/a?b', headers: { 'X-Key': "it's" }, body: '{}' }, 'PUT'),
    `\ncurl 'http://a:80/api/a?b' -X PUT -H 'X-Key: it'\\''s' -d '{}'\n`
  )
})
