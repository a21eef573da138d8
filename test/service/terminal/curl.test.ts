/** The printed curl line sends the request of the contract, whatever stands in it: it runs no command and reads no file. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import t from 'tap'
import { curl } from '../../../src/service/terminal/curl.ts'
import type { ExampleRequest } from '../../../src/service/terminal/example-request.ts'

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

function requestOf(text: string): Omit<ExampleRequest, 'body'> {
  return {
    summary: text,
    method: 'POST',
    path: `/${encodeURIComponent(text)}?q=${text.includes('[') ? text : encodeURIComponent(text)}`,
    headers: [
      [text, 'v'],
      ['x-header', text],
      ['x-empty', '']
    ],
    cookies: [
      [text, 'v'],
      ['c', text]
    ],
    schemes: [
      { type: 'apiKey', in: 'query', name: text },
      { type: 'apiKey', in: 'header', name: text },
      { type: 'apiKey', in: 'cookie', name: text },
      { type: 'apiKey', in: 'header', name: "x-'key" }
    ]
  }
}

const bodies = (text: string): ExampleRequest['body'][] => [
  { mediaType: 'application/json', value: { [text]: text }, partTypes: {} },
  { mediaType: `application/${text}+json`, value: text, partTypes: {} },
  { mediaType: 'text/plain', value: text, partTypes: {} },
  { mediaType: 'application/x-www-form-urlencoded', value: { [text]: text, a: text }, partTypes: {} },
  {
    mediaType: 'multipart/form-data',
    value: { [text]: text, a: text, b: text, c: { [text]: text } },
    partTypes: { a: { isFile: true, mediaType: text }, [text]: { isFile: true, mediaType: 'text/plain' } }
  }
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
    for (const body of bodies(attack)) {
      received.length = 0
      const line = curl({ ...requestOf(attack), body }, { url, token: '$TOKEN' })
      t.notMatch(line, unprintable, 'one line, and nothing for the terminal')
      await sent(line, folder)
      t.equal(received.length, 1, line)
      const [[request, bytes] = []] = received
      t.equal(request?.method, 'POST')
      t.equal(request?.headers["x-'key"], 'tok-en', 'the variable is expanded')
      t.notOk(bytes?.includes(hostname), 'no file is read')
      const given = body?.value
      if (body?.mediaType === 'application/json') t.strictSame(JSON.parse(String(bytes)), given)
      if (/urlencoded/.test(String(body?.mediaType)))
        t.strictSame([...new URLSearchParams(String(bytes))], Object.entries(Object(given)))
      if (/multipart/.test(String(body?.mediaType)))
        t.notMatch(bytes?.toString(), /Content-Type: text\/html/i)
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
  const schemes = ['key', 'second key'].map((name) => ({ type: 'apiKey', in: 'query', name }))
  for (const path of ['/a', '/a?q=1']) {
    const request = { summary: '', method: 'GET', path, headers: [], cookies: [], schemes, body: undefined }
    await sent(curl(request, { url, token: '$TOKEN' }), t.testdir({}))
  }
  t.strictSame(received, ['/a?key=tok-en&second%20key=tok-en', '/a?q=1&key=tok-en&second%20key=tok-en'])
})
