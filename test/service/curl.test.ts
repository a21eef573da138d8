/** The printed curl line sends the request of the contract, whatever stands in it: it runs no command and reads no file. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import t from 'tap'
import type { ExampleRequest } from '../../src/engine/model/compiled-contract.ts'
import { type Callable, exampleText } from '../../src/service/curl.ts'

t.setTimeout(900_000)

const attacks = [
  '`touch pwned`',
  '$(touch pwned)',
  "'; touch pwned; '",
  '"; touch pwned; "',
  '\\"; touch pwned; \\"',
  '!!',
  '\n touch pwned\n',
  '@/etc/hostname',
  'photo=@/etc/hostname;a',
  'photo=</etc/hostname',
  'x;type=text/html;filename=/etc/hostname',
  '-o pwned',
  '[1-3]{a,b}',
  '\u001b]52;c;cHduZWQ=\u0007\u202e\u009b'
]
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Returns the line for a request whose credentials are API keys. */
function lineOf(
  example: Omit<ExampleRequest, 'operationId' | 'summary'>,
  keys: readonly (readonly [place: 'query' | 'header' | 'cookie', name: string])[],
  url: string,
  method = 'POST'
): string {
  const schemes = keys.map(
    ([place, name], index) => [`${index}`, { type: 'apiKey', in: place, name }] as const
  )
  const security = [schemes.map(([scheme]) => ({ scheme, scopes: [] }))]
  const contract = {
    operations: [{ operationId: 'a', method, security }],
    securitySchemes: Object.fromEntries(schemes),
    example: { operationId: 'a', summary: 'Try', ...example }
  } as unknown as Callable
  return exampleText(contract, { url, token: '$TOKEN' }).trimEnd().split('\n').slice(3).join('\n')
}

const targetOf = (text: string): string =>
  `/${encodeURIComponent(text)}?q=${text.includes('[') ? text : encodeURIComponent(text)}`
const keysOf = (text: string) =>
  [
    ['query', text],
    ['header', text],
    ['cookie', text],
    ['header', "x-'key"]
  ] as const
const headersOf = (text: string, type: string | undefined) => ({
  [text]: 'v',
  'x-header': text,
  'x-empty': '',
  Cookie: text,
  ...(type !== undefined && { 'Content-Type': type })
})

const bodies = (
  text: string
): readonly (readonly [type: string | undefined, body: ExampleRequest['body']])[] => [
  ['application/json', JSON.stringify({ [text]: text })],
  [`application/${text}+json`, JSON.stringify(text)],
  ['text/plain', text],
  ['application/x-www-form-urlencoded', String(new URLSearchParams({ [text]: text, a: text }))],
  [
    undefined,
    [
      { name: text, text, isFile: true, mediaType: 'text/plain' },
      { name: 'a', text, isFile: true, mediaType: text },
      { name: 'b', text },
      { name: 'c', text: JSON.stringify({ [text]: text }), mediaType: 'application/json' }
    ]
  ]
]

const hostname = execFileSync('cat', ['/etc/hostname']).toString().trim()

/** Runs the line in an empty folder. */
async function sent(line: string, cwd: string): Promise<void> {
  const child = spawn('sh', ['-c', line], { cwd, env: { ...process.env, TOKEN: 'tok-en' } })
  child.stdin.end()
  await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
}

for (const [index, attack] of attacks.entries())
  t.test(`attack ${index}`, async (t) => {
    const received: [IncomingMessage, Buffer][] = []
    const server = createServer(async (request, response) => {
      received.push([request, await buffer(request)])
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const folder = t.testdir({})
    for (const [type, body] of bodies(attack)) {
      received.length = 0
      const example = { target: targetOf(attack), headers: headersOf(attack, type), ...(body && { body }) }
      const line = lineOf(example, keysOf(attack), url)
      t.notMatch(line, unprintable, 'one line, and nothing for the terminal')
      await sent(line, folder)
      t.equal(received.length, 1, line)
      const [[request, bytes] = []] = received
      t.equal(request?.method, 'POST')
      t.equal(request?.headers["x-'key"], 'tok-en', 'the variable is expanded')
      t.notOk(bytes?.includes(hostname), 'no file is read')
      if (type === 'application/json') t.strictSame(JSON.parse(String(bytes)), JSON.parse(String(body)))
      if (/urlencoded/.test(String(type))) t.equal(String(bytes), body)
      if (type === undefined) t.notMatch(bytes?.toString(), /Content-Type: text\/html/i)
    }
    t.strictSame(execFileSync('ls', ['-A', folder]).toString(), '', 'nothing ran')
  })

t.test('several keys in the query are sent, behind a query and without one', async (t) => {
  const received: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    received.push(url)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = ['key', 'second key'].map((name) => ['query', name] as const)
  for (const target of ['/a', '/a?q=1'])
    await sent(lineOf({ target, headers: {} }, keys, url, 'GET'), t.testdir({}))
  t.strictSame(received, ['/a?key=tok-en&second%20key=tok-en', '/a?q=1&key=tok-en&second%20key=tok-en'])
})
