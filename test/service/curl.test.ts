/** The welcome, and its curl line, which sends the request of the contract, runs no command and reads no file. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { paintFor } from '../../src/cli/format.ts'
import type { ExampleRequest } from '../../src/engine/model/compiled-contract.ts'
import { welcome } from '../../src/service/curl.ts'

t.setTimeout(900_000)

const origin = 'http://127.0.0.1:3000'
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  login: { type: 'oauth2' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  second: { type: 'apiKey', in: 'query', name: 'key' },
  digest: { type: 'http', scheme: 'Digest' },
  vapid: { type: 'http', scheme: 'vapid' },
  certificate: { type: 'mutualTLS' }
} as const

interface Shown extends Partial<Omit<ExampleRequest, 'headers'>> {
  readonly url?: string
  readonly method?: string
  readonly headers?: ExampleRequest['headers']
  /** Alternatives of schemes. */
  readonly security?: readonly (readonly string[])[]
  readonly schemes?: object
  readonly made?: string
}

function textOf({
  url = origin,
  method = 'GET',
  security = [],
  schemes,
  made: token,
  ...example
}: Shown): string {
  const alternatives = security.map((all) => all.map((scheme) => ({ scheme, scopes: [] })))
  const operations = [{ operationId: 'a', method, security: alternatives }] as never
  const request = { operationId: 'a', summary: 'List things', target: '/things', headers: {}, ...example }
  const declared = { ...securitySchemes, ...schemes }
  const contract = { title: 'Things', operations, securitySchemes: declared, example: request }
  return welcome({ url, token, contract }, paintFor({}, {})).trimEnd()
}

const lineOf = (shown: Shown): string => textOf(shown).split('List things:\n\n').at(-1) ?? ''
const ofType = (type: string, body: string) => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body
})
const form: Exclude<ExampleRequest['body'], string | undefined> = [
  { name: 'name', text: 'a;b' },
  { name: 'photo', text: 'text', isFile: true, mediaType: 'image/png' },
  { name: 'any', text: 'text', isFile: true },
  { name: 'meta', text: '{"a":1}', mediaType: 'application/json' }
]
const { body, headers } = ofType('application/json', `{"a": [1, "it's"], "b": {}}`)

/** Requests, and what follows the URL of `/things`, or the whole line. */
const lines: readonly (readonly [shown: Shown, want: string])[] = [
  [{}, ''],
  [{ method: 'HEAD' }, ' --head'],
  [{ security: [['bearer']] }, ' -H "Authorization: Bearer $TOKEN"'],
  [{ security: [['session'], ['basic'], ['login']] }, ' -H "Authorization: Bearer $TOKEN"'],
  [{ security: [['basic']] }, ' -u "$USER:$PASSWORD"'],
  [{ security: [['digest']] }, ' --digest -u "$USER:$PASSWORD"'],
  [{ security: [['vapid']] }, ' -H "Authorization: vapid $TOKEN"'],
  [{ security: [['key'], ['basic']] }, ' -H "X-Key: $TOKEN"'],
  [{ security: [['session']] }, ' -b "session=$TOKEN"'],
  [
    { security: [['certificate', 'bearer']] },
    ' --cert client.pem --key client.key -H "Authorization: Bearer $TOKEN"'
  ],
  [
    { method: 'PUT', headers, body },
    ` -X PUT -H "Content-Type: application/json" -d '{"a": [1, "it'\\''s"], "b": {}}'`
  ],
  [ofType('text/plain', '@home'), ` -H "Content-Type: text/plain" --data-raw '@home'`],
  [{ headers: { Cookie: 'p=x%20y' } }, ` -b 'p=x%20y'`],
  // curl would leave out a header without a value, and read a name as a file.
  [{ headers: { A: '', '@b': 'c' } }, ' -H "A;"'],
  [
    { method: 'POST', body: form },
    ` -F 'name="a;b"' -F 'photo=text;filename=photo;type=image/png' -F 'any=text;filename=any' -F 'meta={"a":1};type=application/json'`
  ],
  [{ security: [['query']] }, `curl "${origin}/things?api%20key=$TOKEN"`],
  [{ security: [['query']], target: '/$all?p=x' }, `curl '${origin}/$all?p=x&api%20key='"$TOKEN"`],
  [{ security: [['second', 'query']], target: '/a' }, `curl "${origin}/a?key=$TOKEN&api%20key=$TOKEN"`],
  [{ target: '/things?p=5', headers: { p: 'v' } }, `curl '${origin}/things?p=5' -H "p: v"`],
  [{ target: '/things?p=[1-9]' }, `curl --globoff '${origin}/things?p=[1-9]'`],
  [{ url: 'http://[::1]:80' }, `curl 'http://[::1]:80/things'`]
]

t.test('the curl line has method, credentials, headers and body of the example', async (t) => {
  for (const [shown, want] of lines)
    t.equal(lineOf(shown), want.startsWith('curl') ? want : `curl ${origin}/things${want}`)
})

t.test(
  'the welcome has title, URLs, a token made for this run, and the example under its summary',
  async (t) => {
    const text = textOf({ made: 'made', summary: 'List b' })
    t.match(text, /^Things$.*^ {2}token {4}made {2}\(for this run.*^List b:$/ms)
    const contract = { title: 'Things', operations: [], securitySchemes }
    const bare = welcome({ url: origin, token: undefined, contract }, paintFor({}, {}))
    t.match(bare, new RegExp(`docs     ${origin}/docs\n$`))
  }
)

const attacks = [
  '`touch pwned`',
  '$(touch pwned)',
  "'; touch pwned; '",
  '\\"; touch pwned; \\"',
  '\n touch pwned\n',
  '@/etc/hostname',
  'photo=@/etc/hostname;a',
  'x;type=text/html;filename=/etc/hostname',
  '-o pwned',
  '[1-3]{a,b}',
  '\u001b]52;c;cHduZWQ=\u0007\u202e\u009b'
]
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Bodies that hold a text, by their media types; a form has none of its own. */
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

/** Returns a request whose every part holds the text: target, API keys, headers, body. */
function attackedBy(
  text: string,
  type: string | undefined,
  body: ExampleRequest['body'],
  url: string
): Shown {
  const places = { query: text, header: text, cookie: text, quoted: "x-'key" }
  const schemes = Object.entries(places).map(([place, name]) => [
    place,
    { type: 'apiKey', in: place === 'quoted' ? 'header' : place, name }
  ])
  const headers = {
    [text]: 'v',
    'x-header': text,
    'x-empty': '',
    Cookie: text,
    ...(type && { 'Content-Type': type })
  }
  const target = `/${encodeURIComponent(text)}?q=${text.includes('[') ? text : encodeURIComponent(text)}`
  const shown = { url, method: 'POST', target, headers, ...(body && { body }) }
  return { ...shown, security: [Object.keys(places)], schemes: Object.fromEntries(schemes) }
}

const hostname = execFileSync('cat', ['/etc/hostname']).toString().trim()

/** Runs the line in an empty folder. */
async function sent(t: Test, line: string, cwd: string): Promise<void> {
  t.notMatch(line, unprintable, 'one line, and nothing for the terminal')
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
      const line = lineOf(attackedBy(attack, type, body, url))
      await sent(t, line, folder)
      t.equal(received.length, 1, line)
      const [[request, bytes] = []] = received
      t.match(request, { method: 'POST', headers: { "x-'key": 'tok-en' } }, 'the variable is expanded')
      t.notOk(bytes?.includes(hostname), 'no file is read')
      if (type === 'application/json') t.strictSame(JSON.parse(String(bytes)), JSON.parse(String(body)))
      if (/urlencoded/.test(String(type))) t.equal(String(bytes), body)
      if (type === undefined) t.notMatch(bytes?.toString(), /Content-Type: text\/html/i)
    }
    t.strictSame(execFileSync('ls', ['-A', folder]).toString(), '', 'nothing ran')
  })
