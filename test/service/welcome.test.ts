import { test } from 'tap'
import { paintFor } from '../../src/cli/format.ts'
import type { ExampleRequest } from '../../src/engine/model/compiled-contract.ts'
import { welcome } from '../../src/service/welcome.ts'

const plain = paintFor({}, {})
const url = 'http://127.0.0.1:3000'
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  login: { type: 'oauth2' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  digest: { type: 'http', scheme: 'Digest' },
  vapid: { type: 'http', scheme: 'vapid' },
  certificate: { type: 'mutualTLS' }
} as const

interface Shown {
  readonly method?: string
  readonly security?: readonly (readonly (keyof typeof securitySchemes)[])[]
  readonly example?: Partial<ExampleRequest>
}

function textOf({ method = 'GET', security = [], example = {} }: Shown, token?: string): string {
  const alternatives = security.map((all) => all.map((scheme) => ({ scheme, scopes: [] })))
  const operation = { operationId: 'a', method, security: alternatives }
  const request = { operationId: 'a', summary: 'List things', target: '/things', headers: {}, ...example }
  const contract = { title: 'Things', operations: [operation] as never, securitySchemes, example: request }
  return welcome({ url, token, contract }, plain)
}

const body = `-H "Content-Type: application/json" -d`
const headers = { 'Content-Type': 'application/json' }

const rows: readonly (Shown & { what: string; want: string })[] = [
  { what: 'an open GET', want: `curl ${url}/things` },
  { what: 'another method', method: 'DELETE', want: `curl ${url}/things -X DELETE` },
  { what: 'HEAD', method: 'HEAD', want: `curl ${url}/things --head` },
  {
    what: 'a bearer token',
    security: [['bearer']],
    want: `curl ${url}/things -H "Authorization: Bearer $TOKEN"`
  },
  {
    what: 'the alternative that takes a token',
    security: [['session'], ['basic'], ['login']],
    want: `curl ${url}/things -H "Authorization: Bearer $TOKEN"`
  },
  { what: 'OAuth 2', security: [['login']], want: `curl ${url}/things -H "Authorization: Bearer $TOKEN"` },
  {
    what: 'a user name and a password',
    security: [['basic']],
    want: `curl ${url}/things -u "$USER:$PASSWORD"`
  },
  {
    what: 'a digest of a user name and a password',
    security: [['digest']],
    want: `curl ${url}/things --digest -u "$USER:$PASSWORD"`
  },
  {
    what: 'another scheme of HTTP',
    security: [['vapid']],
    want: `curl ${url}/things -H "Authorization: vapid $TOKEN"`
  },
  { what: 'an API key in a header', security: [['key']], want: `curl ${url}/things -H "X-Key: $TOKEN"` },
  {
    what: 'an API key in a cookie',
    security: [['session']],
    want: `curl ${url}/things -b "session=$TOKEN"`
  },
  {
    what: 'an API key in the query',
    security: [['query']],
    want: `curl "${url}/things?api%20key=$TOKEN"`
  },
  {
    what: 'an API key beside a query parameter, in a path that a shell would read',
    security: [['query']],
    example: { target: '/$all?p=x' },
    want: `curl '${url}/$all?p=x&api%20key='"$TOKEN"`
  },
  {
    what: 'a client certificate and a token',
    security: [['certificate', 'bearer']],
    want: `curl ${url}/things --cert client.pem --key client.key -H "Authorization: Bearer $TOKEN"`
  },
  {
    what: 'the first of several alternatives, none of which takes a token',
    security: [['key'], ['basic']],
    want: `curl ${url}/things -H "X-Key: $TOKEN"`
  },
  {
    what: 'a body',
    method: 'POST',
    example: { headers, body: `{"a": [1, "it's"], "b": {}}` },
    want: `curl ${url}/things ${body} '{"a": [1, "it'\\''s"], "b": {}}'`
  },
  {
    what: 'a body of another method',
    method: 'PUT',
    example: { headers, body: '{"id": 1}' },
    want: `curl ${url}/things -X PUT ${body} '{"id": 1}'`
  },
  {
    what: 'a query and a header',
    example: { target: '/things?p=5', headers: { p: 'v' } },
    want: `curl '${url}/things?p=5' -H "p: v"`
  },
  { what: 'a cookie', example: { headers: { Cookie: 'p=x%20y' } }, want: `curl ${url}/things -b 'p=x%20y'` },
  {
    what: 'a query that curl would expand',
    example: { target: '/things?p=[1-9]' },
    want: `curl --globoff '${url}/things?p=[1-9]'`
  },
  {
    what: 'a header without a value, which curl would leave out, and a name that it would read as a file',
    example: { headers: { A: '', '@b': 'c' } },
    want: `curl ${url}/things -H "A;"`
  },
  {
    what: 'a text that curl would read as the name of a file',
    method: 'POST',
    example: { headers: { 'Content-Type': 'text/plain' }, body: '@home' },
    want: `curl ${url}/things -H "Content-Type: text/plain" --data-raw '@home'`
  },
  {
    what: 'a multipart form',
    method: 'POST',
    example: {
      body: [
        { name: 'name', text: 'a;b' },
        { name: 'photo', text: 'text', isFile: true, mediaType: 'image/png' },
        { name: 'any', text: 'text', isFile: true },
        { name: 'meta', text: '{"a":1}', mediaType: 'application/json' }
      ]
    },
    want: [
      `curl ${url}/things -F 'name="a;b"' -F 'photo=text;filename=photo;type=image/png'`,
      `-F 'any=text;filename=any' -F 'meta={"a":1};type=application/json'`
    ].join(' ')
  }
]

for (const { what, want, ...shown } of rows)
  test(`the curl line of ${what}`, async (t) => {
    t.equal(textOf(shown).trimEnd().split('\n').at(-1), want)
  })

test('the request stands under its summary; a contract without one has no line', async (t) => {
  t.match(textOf({ example: { summary: 'List b' } }), /^List b:$/m)
  const contract = { title: 'Things', operations: [], securitySchemes }
  t.match(welcome({ url, token: undefined, contract }, plain), new RegExp(`docs     ${url}/docs\n$`))
})

test('the address of IPv6 is no text that curl would expand', async (t) => {
  const contract = {
    title: 'Things',
    operations: [],
    securitySchemes,
    example: { operationId: 'a', summary: 'List things', target: '/things', headers: {} }
  }
  t.match(
    welcome({ url: 'http://[::1]:80', token: undefined, contract }, plain),
    "curl 'http://[::1]:80/things'"
  )
})

test('a token that was made for this run is shown', async (t) => {
  t.match(textOf({}, 'made'), /^Things$/m)
  t.match(textOf({}, 'made'), /^ {2}token {4}made {2}\(for this run/m)
})
