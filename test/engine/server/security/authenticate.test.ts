/** Authentication with every security scheme of OpenAPI, before a byte of the body is read. */
import { once } from 'node:events'
import t from 'tap'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { credentialReader } from '../../../../src/engine/server/security/authenticate.ts'
import { principalOf } from '../../../../src/engine/server.ts'
import { type Json, request, type Service, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

t.setTimeout(900_000)

function guarded(operationId: string, security?: Json): Json {
  return {
    post: {
      operationId,
      ...(security === undefined ? {} : { security }),
      requestBody: { content: { 'application/json': {} } },
      responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
    }
  }
}

const alternatives: Record<string, Json | undefined> = {
  usual: undefined,
  open: [],
  bearer: [{ bearer: [] }],
  basic: [{ basic: [] }],
  digest: [{ digest: [] }],
  header: [{ header: [] }],
  query: [{ query: [] }],
  cookie: [{ cookie: [] }],
  oauth: [{ oauth: ['read', 'write'] }],
  openid: [{ openid: ['profile'] }],
  either: [{ bearer: [] }, { header: [] }],
  both: [{ bearer: [], header: [] }],
  optional: [{}, { bearer: [] }],
  optionalScopes: [{}, { bearer: ['write'] }],
  eitherScopes: [{ oauth: ['read'] }, { openid: ['profile'] }, { header: [] }],
  eitherKey: [{ header: ['admin'] }, { query: ['owner'] }],
  bothOrders: [{ header: [], oauth: ['read'] }],
  bothScopes: [{ oauth: ['read'], openid: ['profile'] }],
  roles: [{ bearer: ['gardener', 'gardener', 'own er', 'Gärt"ner', 'a\\b', 'x"', '', 'plants:write'] }],
  unspeakable: [{ bearer: ['Gärtner', 'a\r\nb: c'] }],
  nobody: [{}],
  sealed: [{ certificate: [] }]
}

const document: Json = {
  security: [{ bearer: [] }],
  paths: Object.fromEntries(
    Object.entries(alternatives).map(([name, security]) => [`/${name}`, guarded(name, security)])
  ),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'Bearer' },
      basic: { type: 'http', scheme: 'basic' },
      digest: { type: 'http', scheme: 'digest' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'k y' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://x.example/t', scopes: { read: 'r', write: 'w' } } }
      },
      openid: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example/o' },
      certificate: { type: 'mutualTLS' }
    }
  }
}

const throwing = (error: unknown) => (): never => {
  throw error
}
const later = (run: () => unknown) => async () => run()
const crash = (statusCode?: number) => Object.assign(new Error('secret crash'), { statusCode })

/** Results of a security handler by credential: a principal, nothing, or a failure, at once or later. */
const outcomes: Record<string, () => unknown> = {
  good: () => ({ id: 'good' }),
  later: async () => ({ id: 'later' }),
  // biome-ignore lint/suspicious/noThenProperty: query builders are such objects
  thenable: () => ({ then: (resolve: (value: unknown) => void) => resolve(undefined) }),
  nothing: () => undefined,
  null: () => null,
  false: () => false,
  zero: () => 0,
  empty: () => '',
  'later-nothing': async () => undefined,
  error: () => new Error('returned'),
  refused: throwing(new FailureError('credentials-refused')),
  crash: throwing(crash()),
  'later-crash': later(throwing(crash())),
  'crash-400': throwing(crash(400)),
  'crash-401': throwing(crash(401)),
  throws: throwing(undefined),
  forbidden: throwing(new FailureError('forbidden', { message: 'not on Sundays' })),
  'forbidden-403': later(throwing(crash(403))),
  'forbidden-returned': () => new FailureError('forbidden', { message: 'returned' }),
  'forbidden-later': async () => new FailureError('forbidden', { message: 'returned later' }),
  'unavailable-returned': () => new FailureError('unavailable'),
  unavailable: later(throwing(new FailureError('unavailable')))
}

const calls: string[] = []
function handler(name: string) {
  return (credential: unknown, { scopes }: { scopes: readonly string[] }) => {
    calls.push(name)
    const key = typeof credential === 'string' ? credential : String(Object(credential).password)
    const outcome = outcomes[key]?.()
    return key === 'good' ? { id: key, scheme: name, credential, scopes } : outcome
  }
}

const schemes = ['bearer', 'basic', 'digest', 'header', 'query', 'cookie', 'oauth', 'openid', 'certificate']
const answer = ({ principal = 'nobody' }: { principal?: unknown }) => ({ status: 200, body: { principal } })
const handlers = Object.fromEntries(Object.keys(alternatives).map((name) => [name, answer]))
const security = Object.fromEntries(schemes.map((name) => [name, handler(name)]))
/** Principals of the requests. */
const seen: unknown[] = []
const { ask, log, port } = await serve(t, document, {
  handlers,
  security,
  extend: (app) => void app.addHook('onResponse', async (request) => void seen.push(principalOf(request)))
})

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const key = (value: string) => ({ 'X-Key': value })
const twoKeys = { 'X-Key': 'good', 'x-key': 'good' }
const twoTokens = { Authorization: 'Bearer good', authorization: 'Bearer good' }
type Headers = Readonly<Record<string, string>>
const send = (path: string, headers: Headers) => ask(request(`POST ${path}`, undefined, headers))

t.test('credentials are read from the place that the scheme declares', async (t) => {
  const credential = (value: unknown) => ({ credential: value })
  const rows: readonly (readonly [path: string, headers: Headers, principal: unknown])[] = [
    ['/usual', bearer('good'), { scheme: 'bearer', credential: 'good', scopes: [] }],
    ['/bearer', bearer('later'), { id: 'later' }],
    ['/basic', { Authorization: 'bAsIc Omdvb2Q=' }, credential({ username: '', password: 'good' })],
    ['/digest', { Authorization: 'Digest good' }, credential('good')],
    ['/query?k%20y=good', {}, credential('good')],
    ['/cookie', { Cookie: 'a=b; session=good' }, credential('good')],
    ['/oauth', bearer('good'), { scheme: 'oauth', scopes: ['read', 'write'] }],
    ['/either', { ...bearer('nothing'), ...key('good') }, { scheme: 'header' }],
    ['/either', { ...bearer('forbidden'), ...key('good') }, { scheme: 'header' }],
    [
      '/both',
      { ...bearer('good'), ...key('good') },
      { bearer: { scheme: 'bearer' }, header: { scheme: 'header' } }
    ],
    ['/optional', bearer('nothing'), 'nobody'],
    ['/optionalScopes', bearer('forbidden'), 'nobody'],
    ['/eitherScopes', { ...bearer('forbidden'), ...key('good') }, { scheme: 'header' }],
    ['/nobody', {}, 'nobody']
  ]
  for (const [path, headers, principal] of rows)
    t.match(
      await send(path, headers),
      { status: 200, value: { principal } },
      `${path} ${JSON.stringify(headers)}`
    )
})

const realm = 'realm="Test"'

t.test('anything but a principal is a 401 with a challenge for each scheme', async (t) => {
  const both = await exchange(port, request('POST /either').toString(), { wait: 5000, enough: 1 })
  t.equal(both.text.match(/^www-authenticate: /gim)?.length, 2, 'one challenge for each scheme')
  const unfit = 'wrong thenable nothing null false zero empty later-nothing error refused'.split(' ')
  const refused: readonly (readonly [path: string, headers: Headers])[] = [
    ...unfit.map((name) => ['/bearer', bearer(name)] as const),
    ['/basic', { Authorization: 'Basic !!!' }],
    ['/basic', { Authorization: `${basic('user:good').Authorization} x` }],
    ['/both', { ...bearer('good'), ...key('wrong') }],
    ['/both', { ...bearer('forbidden'), ...key('wrong') }],
    ['/bothOrders', { ...bearer('wrong'), ...key('forbidden') }],
    ['/either', { ...bearer('nothing'), ...key('null') }]
  ]
  for (const [path, headers] of refused) {
    const { status, value, headers: sent } = await send(path, headers)
    t.match([status, value], [401, { code: 'credentials-refused' }], `${path} ${JSON.stringify(headers)}`)
    t.ok(sent.get('www-authenticate'), path)
  }
  for (const [path, headers] of [
    ['/header', key('')],
    ['/cookie', { Cookie: 'session=' }]
  ] as const)
    t.match((await send(path, headers)).value, { code: 'no-credentials' }, path)
})

t.test('a 401 says invalid_token only where a token was sent', async (t) => {
  for (const path of ['/either', '/both'])
    for (const [token, error] of [
      [{}, ''],
      [bearer('wrong'), ', error="invalid_token"']
    ] as const) {
      const sent = request(`POST ${path}`, undefined, { ...token, 'X-Key': 'wrong' }).toString()
      const { text } = await exchange(port, sent, { wait: 5000, enough: 1 })
      t.match(text, `www-authenticate: Bearer realm="Test"${error}\r\nwww-authenticate: ApiKey `, path)
    }
})

t.test('a 401 says what is wrong with the credentials, and what is expected', async (t) => {
  const none = 'no credentials were sent; expected '
  const refusedText = 'the credentials were refused'
  const twice = 'the API key was sent more than once; expected '
  const noToken =
    'Authorization does not begin with the word Bearer and a space; expected Authorization: Bearer <token>'
  const illFormed = 'the user name and the password are not well-formed; expected '
  const tokenAndKey = 'Authorization: Bearer <token> and X-Key: <key>'
  /** Message and challenge; the others have the challenge of the scheme, too. */
  const rows: readonly (readonly [path: string, headers: Headers, message: string, challenge?: string])[] = [
    ['/bearer', {}, `${none}Authorization: Bearer <token>`, `Bearer ${realm}`],
    ['/basic', {}, `${none}Authorization: Basic <credentials>`, `Basic ${realm}, charset="UTF-8"`],
    ['/header', {}, `${none}X-Key: <key>`, `ApiKey ${realm}, in="header", name="X-Key"`],
    ['/query', {}, `${none}?k y=<key>`, `ApiKey ${realm}, in="query", name="k y"`],
    ['/cookie', {}, `${none}Cookie: session=<key>`, `ApiKey ${realm}, in="cookie", name="session"`],
    ['/oauth', bearer('wrong'), refusedText, `Bearer ${realm}, error="invalid_token"`],
    ['/either', {}, `${none}Authorization: Bearer <token>, or X-Key: <key>`],
    ['/both', bearer('good'), `a credential is missing; expected ${tokenAndKey}`],
    ['/header', twoKeys, `${twice}X-Key: <key>`],
    ...['good', 'Bearer', 'Basic good', 'Bearergood'].map(
      (Authorization) => ['/bearer', { Authorization }, noToken] as const
    ),
    ['/bearer', bearer('good x'), 'the token is not well-formed; expected Authorization: Bearer <token>'],
    ['/basic', basic('good'), `${illFormed}Authorization: Basic <credentials>`],
    [
      '/bearer',
      twoTokens,
      `there is more than one Authorization header; expected Authorization: Bearer <token>`
    ],
    ['/bearer', bearer('wrong'), refusedText]
  ]
  for (const [path, headers, message, challenge] of rows) {
    const { status, value, headers: sent } = await send(path, headers)
    const code = message.startsWith(none) ? 'no-credentials' : 'credentials-refused'
    t.match([status, value], [401, { code, message }], `${path} ${JSON.stringify(headers)}`)
    if (challenge !== undefined) t.equal(sent.get('www-authenticate'), challenge, path)
  }
})

t.test('a security handler throws FailureErrors for 403 and 503; any other exception is a 500', async (t) => {
  const scope = 'Bearer error="insufficient_scope"'
  const profile = `${scope}, scope="profile"`
  const sunday = 'forbidden: not on Sundays'
  /** Status, code and message of the answer, and its challenge. */
  type Row = readonly [path: string, headers: Headers, status: number, error: string, challenge?: string]
  const rows: readonly Row[] = [
    ['/oauth', bearer('forbidden'), 403, sunday, `${scope}, scope="read write"`],
    ['/bearer', bearer('forbidden-403'), 403, 'forbidden: the credentials do not permit this', scope],
    ['/header', key('forbidden'), 403, sunday],
    ['/both', { ...bearer('good'), ...key('forbidden') }, 403, sunday],
    ['/both', { ...bearer('forbidden'), ...key('good') }, 403, sunday, scope],
    ['/bearer', bearer('forbidden-returned'), 403, 'forbidden: returned', scope],
    ['/roles', bearer('forbidden'), 403, sunday, `${scope}, scope="gardener plants:write"`],
    ['/unspeakable', bearer('forbidden'), 403, sunday, scope],
    ['/eitherScopes', { ...bearer('forbidden'), ...key('wrong') }, 403, sunday, profile],
    ['/eitherScopes', { ...bearer('wrong'), ...key('forbidden') }, 403, sunday],
    ['/eitherKey?k+y=forbidden', key('forbidden'), 403, sunday],
    ...['unavailable', 'unavailable-returned'].map(
      (name): Row => [
        '/bearer',
        bearer(name),
        503,
        'unavailable: something the service depends on is unavailable'
      ]
    ),
    ...['crash', 'later-crash', 'crash-400', 'crash-401', 'throws'].flatMap((name) =>
      ['/bearer', '/either'].map((path): Row => [path, bearer(name), 500, 'internal: internal server error'])
    )
  ]
  for (const [path, headers, status, error, challenge] of rows) {
    const { value, body, ...answer } = await send(path, headers)
    const { code, message } = Object(value)
    const found = [answer.status, `${code}: ${message}`, answer.headers.get('www-authenticate')]
    t.strictSame(found, [status, error, challenge], `${path} ${JSON.stringify(headers)}`)
    t.notMatch(body, /secret/)
  }
  for (const path of ['/eitherScopes', '/bothScopes']) {
    const asked = request(`POST ${path}`, undefined, bearer('forbidden')).toString()
    const { text } = await exchange(port, asked, { wait: 5000, enough: 1 })
    t.match(text, /\r\nwww-authenticate: [^\r]*"read"\r\nwww-authenticate: [^\r]*"profile"\r\n/, path)
  }
  const crashes = log.filter(({ level, err }) => level === 50 && Object(err).message === 'secret crash')
  t.equal(crashes.length, 8, 'crashes are logged')
})

t.test('mutual TLS: the certificate is the credential, or there is a challenge', async (t) => {
  const certificate = { subject: { CN: 'x' } }
  const getPeerCertificate = () => certificate
  const read = (socket: object) => credentialReader({ type: 'mutualTLS' })({ socket } as never)
  t.same(read({ authorized: true, getPeerCertificate }), { kind: 'present', value: certificate })
  t.same(read({ authorized: false, getPeerCertificate }), { kind: 'absent' })
  const { status, value, headers } = await send('/sealed', {})
  t.same([status, headers.get('www-authenticate')], [401, 'Mutual realm="Test"'])
  t.match(value, { message: 'no credentials were sent; expected a client certificate' })
})

t.test('credentials are checked before a byte of the body is read', async (t) => {
  const before = calls.length
  const rows: Readonly<Record<string, Headers>> = {
    'no byte sent': { 'Content-Length': '1000000' },
    'no chunk sent': { 'Transfer-Encoding': 'chunked' },
    '100-continue': { 'Content-Length': '5', Expect: '100-continue' },
    'too large': { 'Content-Length': '99999999999' },
    'of no media type': { 'Content-Length': '5', 'Content-Type': 'x' },
    compressed: { 'Content-Length': '5', 'Content-Encoding': 'gzip' }
  }
  for (const [name, headers] of Object.entries(rows)) {
    const text = request('POST /bearer', undefined, headers).toString()
    const { responses } = await exchange(port, text, { wait: 3000, enough: 1 })
    t.match(responses, [{ status: 401 }], name)
  }
  t.equal(calls.length, before)
  const later = await exchange(port, '', {
    wait: 3000,
    enough: 2,
    talk: async (socket) => {
      socket.write(request('POST /bearer', undefined, { 'Content-Length': '20000' }))
      await once(socket, 'data')
      socket.write('x'.repeat(20_000))
      socket.write(request('POST /bearer', '{}', bearer('good')))
    }
  })
  t.match(later.responses, [{ status: 401 }, { status: 200 }], 'the connection serves on')
})

t.test('the principal is found for requests with a refused body, too', async (t) => {
  seen.length = 0
  await send('/open', {})
  await ask(request('POST /header', '{}', key('good')))
  await ask(request('POST /header', '{}', { ...key('good'), 'Content-Type': 'text/plain' }))
  await ask(request('POST /header', '{}', key('bad')))
  await ask(request('GET /nowhere'))
  t.match(seen, [undefined, { id: 'good' }, { id: 'good' }, undefined, undefined])
})

t.test('a server does not start while a security scheme has no handler', async (t) => {
  const { bearer: _bearer, ...most } = security
  const { open: _open, ...others } = handlers
  const more = { handlers: { ...handlers, toString: 5 as never }, security: { ...security, more: () => 1 } }
  const both =
    'handler toString is for no operation of the contract\nsecurity handler more is for no scheme of the contract'
  const rows: readonly (readonly [service: Service, message: string])[] = [
    [{ handlers, security: most }, 'security scheme bearer has no handler'],
    [{ handlers: others, security }, 'operation open has no handler'],
    [more, both]
  ]
  for (const [service, message] of rows) await t.rejects(serve(t, document, service), { message })
})
