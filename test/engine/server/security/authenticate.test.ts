/** Authentication with every security scheme of OpenAPI, before a byte of the body is read. */
import t from 'tap'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { credentialReader } from '../../../../src/engine/server/security/credentials.ts'
import { type Json, request, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

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
  nobody: [{}]
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
      openid: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example/o' }
    }
  }
}

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
  crash: () => {
    throw new Error('secret crash')
  },
  'later-crash': async () => {
    throw new Error('secret crash')
  },
  'crash-400': () => {
    throw Object.assign(new Error('secret crash'), { statusCode: 400 })
  },
  'crash-401': () => {
    throw Object.assign(new Error('secret crash'), { statusCode: 401 })
  },
  throws: () => {
    throw undefined
  },
  forbidden: () => {
    throw new FailureError('forbidden', { message: 'not on Sundays' })
  },
  'forbidden-403': async () => {
    throw Object.assign(new Error('secret'), { statusCode: 403 })
  },
  'forbidden-returned': () => new FailureError('forbidden', { message: 'returned' }),
  'forbidden-later': async () => new FailureError('forbidden', { message: 'returned later' }),
  'unavailable-returned': () => new FailureError('unavailable'),
  refused: () => {
    throw new FailureError('credentials-refused')
  },
  unavailable: async () => {
    throw new FailureError('unavailable')
  }
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

const schemes = ['bearer', 'basic', 'digest', 'header', 'query', 'cookie', 'oauth', 'openid']
const { ask, log, port } = await serve(t, document, {
  handlers: Object.fromEntries(
    Object.keys(alternatives).map((name) => [
      name,
      ({ principal }: { principal: unknown }) => ({ status: 200, body: { principal: principal ?? 'nobody' } })
    ])
  ),
  security: Object.fromEntries(schemes.map((name) => [name, handler(name)]))
})

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })

t.test(
  'credentials are read from the place that the scheme declares, and passed to the handler',
  async (t) => {
    const rows: [string, Record<string, string>, unknown][] = [
      ['/usual', bearer('good'), { scheme: 'bearer', credential: 'good', scopes: [] }],
      ['/open', {}, 'nobody'],
      ['/open', bearer('wrong'), 'nobody'],
      ['/bearer', { authorization: 'BEARER good' }, { scheme: 'bearer' }],
      ['/bearer', bearer('later'), { id: 'later' }],
      ['/basic', basic('user:good'), { credential: { username: 'user', password: 'good' } }],
      [
        '/basic',
        { Authorization: `bAsIc ${Buffer.from(':good').toString('base64')}` },
        { credential: { username: '', password: 'good' } }
      ],
      ['/digest', { Authorization: 'Digest good' }, { credential: 'good' }],
      ['/header', { 'x-key': 'good' }, { credential: 'good' }],
      ['/query?k%20y=good', {}, { credential: 'good' }],
      ['/query?k+y=go%6Fd', {}, { credential: 'good' }],
      ['/cookie', { Cookie: 'a=b; session=good' }, { credential: 'good' }],
      ['/oauth', bearer('good'), { scheme: 'oauth', scopes: ['read', 'write'] }],
      ['/openid', bearer('good'), { scheme: 'openid', scopes: ['profile'] }],
      ['/either', bearer('good'), { scheme: 'bearer' }],
      ['/either', { 'X-Key': 'good' }, { scheme: 'header' }],
      ['/either', { ...bearer('nothing'), 'X-Key': 'good' }, { scheme: 'header' }],
      ['/either', { ...bearer('forbidden'), 'X-Key': 'good' }, { scheme: 'header' }],
      [
        '/both',
        { ...bearer('good'), 'X-Key': 'good' },
        { bearer: { scheme: 'bearer' }, header: { scheme: 'header' } }
      ],
      ['/optional', {}, 'nobody'],
      ['/optional', bearer('good'), { scheme: 'bearer' }],
      ['/optional', bearer('nothing'), 'nobody'],
      ['/optionalScopes', bearer('forbidden'), 'nobody'],
      ['/eitherScopes', { ...bearer('forbidden'), 'X-Key': 'good' }, { scheme: 'header' }],
      ['/nobody', {}, 'nobody']
    ]
    for (const [path, headers, principal] of rows) {
      const { status, value } = await ask(request(`POST ${path}`, undefined, headers))
      t.match([status, value], [200, { principal }], `${path} ${JSON.stringify(headers)}`)
    }
  }
)

t.test('anything but a principal is a 401 with a challenge for each scheme', async (t) => {
  const realm = 'realm="Test"'
  const challenges: Record<string, RegExp> = {
    bearer: new RegExp(`^Bearer ${realm}$`),
    basic: new RegExp(`^Basic ${realm}, charset="UTF-8"$`),
    digest: new RegExp(`^Digest ${realm}$`),
    header: new RegExp(`^ApiKey ${realm}, in="header", name="X-Key"$`),
    query: new RegExp(`^ApiKey ${realm}, in="query", name="k y"$`),
    cookie: new RegExp(`^ApiKey ${realm}, in="cookie", name="session"$`),
    oauth: new RegExp(`^Bearer ${realm}$`),
    openid: new RegExp(`^Bearer ${realm}$`)
  }
  for (const [name, challenge] of Object.entries(challenges)) {
    const { status, value, headers } = await ask(request(`POST /${name}`))
    t.match([status, value], [401, { code: 'no-credentials' }], name)
    t.match(headers.get('www-authenticate'), challenge, name)
  }
  const both = await exchange(port, request('POST /either').toString(), { wait: 5000, enough: 1 })
  t.equal(both.text.match(/^www-authenticate: /gim)?.length, 2, 'one challenge for each scheme')
  const refused: [string, Record<string, string>][] = [
    ...[
      'wrong',
      'thenable',
      'nothing',
      'null',
      'false',
      'zero',
      'empty',
      'later-nothing',
      'error',
      'refused'
    ].map((key): [string, Record<string, string>] => ['/bearer', bearer(key)]),
    ['/bearer', bearer('good x')],
    ['/bearer', { Authorization: 'Bearer good', authorization: 'Bearer good' }],
    ['/bearer', basic('user:good')],
    ['/basic', bearer('good')],
    ['/basic', basic('good')],
    ['/basic', { Authorization: 'Basic !!!' }],
    ['/basic', { Authorization: `${basic('user:good').Authorization} x` }],
    ['/header', { 'X-Key': 'good', 'x-key': 'good' }],
    ['/query?k+y=good&k+y=good', {}],
    ['/cookie', { Cookie: 'session=good; session=good' }],
    ['/both', { ...bearer('good'), 'X-Key': 'wrong' }],
    ['/both', bearer('good')],
    ['/both', { ...bearer('forbidden'), 'X-Key': 'wrong' }],
    ['/both', { ...bearer('wrong'), 'X-Key': 'forbidden' }],
    ['/bothOrders', { ...bearer('forbidden'), 'X-Key': 'wrong' }],
    ['/bothOrders', { ...bearer('wrong'), 'X-Key': 'forbidden' }],
    ['/either', { ...bearer('nothing'), 'X-Key': 'null' }]
  ]
  for (const [path, headers] of refused) {
    const { status, value, headers: sent } = await ask(request(`POST ${path}`, undefined, headers))
    t.match([status, value], [401, { code: 'credentials-refused' }], `${path} ${JSON.stringify(headers)}`)
    t.ok(sent.get('www-authenticate'), path)
  }
  for (const [path, headers] of [
    ['/header', { 'X-Key': '' }],
    ['/cookie', { Cookie: 'session=' }],
    ['/query?other=good', {}]
  ] as const)
    t.match((await ask(request(`POST ${path}`, undefined, headers))).value, { code: 'no-credentials' }, path)
  const invalid = await ask(request('POST /oauth', undefined, bearer('wrong')))
  t.equal(invalid.headers.get('www-authenticate'), `Bearer ${realm}, error="invalid_token"`)
})

t.test('a 401 says invalid_token only where a token was sent', async (t) => {
  for (const path of ['/either', '/both']) {
    const sending = async (headers: Record<string, string>) => {
      const text = request(`POST ${path}`, undefined, headers).toString()
      return (await exchange(port, text, { wait: 5000, enough: 1 })).text
    }
    const byKey = await sending({ 'X-Key': 'wrong' })
    t.match(byKey, /^HTTP\/1.1 401 /, path)
    t.match(byKey, /www-authenticate: Bearer realm="Test"\r\nwww-authenticate: ApiKey /i, path)
    const byBoth = await sending({ ...bearer('wrong'), 'X-Key': 'wrong' })
    t.match(byBoth, /www-authenticate: Bearer realm="Test", error="invalid_token"\r\n/i, path)
  }
})

t.test('a 401 says what is wrong with the credentials, and what is expected', async (t) => {
  const none = 'no credentials were sent; expected '
  const key = 'the API key was sent more than once; expected '
  const rows: [string, Record<string, string>, string][] = [
    ['/bearer', {}, `${none}Authorization: Bearer <token>`],
    ['/basic', {}, `${none}Authorization: Basic <credentials>`],
    ['/digest', {}, `${none}Authorization: Digest <credentials>`],
    ['/header', {}, `${none}X-Key: <key>`],
    ['/query', {}, `${none}?k y=<key>`],
    ['/cookie', {}, `${none}Cookie: session=<key>`],
    ['/oauth', {}, `${none}Authorization: Bearer <token>`],
    ['/either', {}, `${none}Authorization: Bearer <token>, or X-Key: <key>`],
    ['/both', {}, `${none}Authorization: Bearer <token> and X-Key: <key>`],
    ['/header', { 'X-Key': 'good', 'x-key': 'good' }, `${key}X-Key: <key>`],
    ['/cookie', { Cookie: 'session=good; session=good' }, `${key}Cookie: session=<key>`],
    ...['good', 'Bearer', 'Basic good', 'Bearergood'].map(
      (text): [string, Record<string, string>, string] => [
        '/bearer',
        { Authorization: text },
        'Authorization does not begin with the word Bearer and a space; expected Authorization: Bearer <token>'
      ]
    ),
    ['/bearer', bearer('good x'), 'the token is not well-formed; expected Authorization: Bearer <token>'],
    [
      '/basic',
      basic('good'),
      'the user name and the password are not well-formed; expected Authorization: Basic <credentials>'
    ],
    [
      '/bearer',
      { Authorization: 'Bearer good', authorization: 'Bearer good' },
      'there is more than one Authorization header; expected Authorization: Bearer <token>'
    ],
    ['/bearer', bearer('wrong'), 'the credentials were refused'],
    [
      '/both',
      bearer('good'),
      'a credential is missing; expected Authorization: Bearer <token> and X-Key: <key>'
    ]
  ]
  for (const [path, headers, message] of rows) {
    const { status, value } = await ask(request(`POST ${path}`, undefined, headers))
    t.match([status, value], [401, { message }], `${path} ${JSON.stringify(headers)}`)
  }
})

t.test(
  'a security handler throws FailureErrors for 403 and 503, and any other exception is a 500',
  async (t) => {
    const insufficient = 'Bearer error="insufficient_scope"'
    const rows: [string, Record<string, string>, number, object, string | undefined][] = [
      [
        '/oauth',
        bearer('forbidden'),
        403,
        { code: 'forbidden', message: 'not on Sundays' },
        'Bearer error="insufficient_scope", scope="read write"'
      ],
      [
        '/bearer',
        bearer('forbidden-403'),
        403,
        { code: 'forbidden', message: 'the credentials do not permit this' },
        'Bearer error="insufficient_scope"'
      ],
      ['/header', { 'X-Key': 'forbidden' }, 403, { code: 'forbidden' }, undefined],
      ['/basic', basic('x:forbidden'), 403, { code: 'forbidden' }, undefined],
      ['/both', { ...bearer('good'), 'X-Key': 'forbidden' }, 403, { code: 'forbidden' }, undefined],
      ['/both', { ...bearer('forbidden'), 'X-Key': 'good' }, 403, { code: 'forbidden' }, insufficient],
      ['/bearer', bearer('forbidden-returned'), 403, { message: 'returned' }, insufficient],
      ['/bearer', bearer('forbidden-later'), 403, { message: 'returned later' }, insufficient],
      ['/bearer', bearer('unavailable-returned'), 503, { code: 'unavailable' }, undefined],
      ['/roles', bearer('forbidden'), 403, {}, `${insufficient}, scope="gardener plants:write"`],
      ['/unspeakable', bearer('forbidden'), 403, {}, insufficient],
      [
        '/eitherScopes',
        bearer('forbidden'),
        403,
        { message: 'not on Sundays' },
        `${insufficient}, scope="profile"`
      ],
      [
        '/eitherScopes',
        { ...bearer('forbidden'), 'X-Key': 'wrong' },
        403,
        { code: 'forbidden' },
        `${insufficient}, scope="profile"`
      ],
      ['/eitherScopes', { ...bearer('wrong'), 'X-Key': 'forbidden' }, 403, { code: 'forbidden' }, undefined],
      ['/eitherKey?k+y=forbidden', { 'X-Key': 'forbidden' }, 403, { code: 'forbidden' }, undefined],
      ['/bothScopes', bearer('forbidden'), 403, { code: 'forbidden' }, `${insufficient}, scope="profile"`],
      ['/bearer', bearer('unavailable'), 503, { code: 'unavailable' }, undefined],
      ...['crash', 'later-crash', 'crash-400', 'crash-401', 'throws'].flatMap(
        (key): [string, Record<string, string>, number, object, undefined][] => [
          ['/bearer', bearer(key), 500, { code: 'internal', message: 'internal server error' }, undefined],
          ['/either', bearer(key), 500, { code: 'internal', message: 'internal server error' }, undefined]
        ]
      )
    ]
    for (const [path, headers, status, want, challenge] of rows) {
      const answer = await ask(request(`POST ${path}`, undefined, headers))
      t.match([answer.status, answer.value], [status, want], `${path} ${JSON.stringify(headers)}`)
      t.equal(answer.headers.get('www-authenticate'), challenge, path)
      t.notMatch(answer.body, /secret/)
    }
    for (const path of ['/eitherScopes', '/bothScopes']) {
      const asked = request(`POST ${path}`, undefined, bearer('forbidden')).toString()
      const { text } = await exchange(port, asked, { wait: 5000, enough: 1 })
      t.match(text, /\r\nwww-authenticate: [^\r]*"read"\r\nwww-authenticate: [^\r]*"profile"\r\n/, path)
    }
    t.equal(
      log.filter(({ level, err }) => level === 50 && String(Object(err).message).includes('secret crash'))
        .length,
      8,
      'crashes are logged'
    )
  }
)

t.test('mutual TLS: the certificate is the credential, where the connection has one', async (t) => {
  const certificate = { subject: { CN: 'x' } }
  const rows: [object, object][] = [
    [
      { authorized: true, getPeerCertificate: () => certificate },
      { kind: 'present', value: certificate }
    ],
    [{ authorized: false, getPeerCertificate: () => certificate }, { kind: 'absent' }],
    [{}, { kind: 'absent' }]
  ]
  for (const [socket, want] of rows)
    t.same(credentialReader({ type: 'mutualTLS' })({ socket } as never), want)
})

t.test('mutual TLS: a connection without a certificate is challenged', async (t) => {
  const operation = {
    operationId: 'sealed',
    security: [{ cert: [] }],
    responses: { 204: { description: '' } }
  }
  const sealed: Json = {
    paths: { '/sealed': { get: operation } },
    components: { securitySchemes: { cert: { type: 'mutualTLS' } } }
  }
  const handlers = { sealed: () => ({ status: 204 }) }
  const { ask } = await serve(t, sealed, { handlers, security: { cert: () => true } })
  const refused = await ask(request('GET /sealed'))
  t.same([refused.status, refused.headers.get('www-authenticate')], [401, 'Mutual realm="Test"'])
  t.match(refused.value, { message: 'no credentials were sent; expected a client certificate' })
})

t.test('credentials are checked before a byte of the body is read', async (t) => {
  const before = calls.length
  const rows: [string, Record<string, string>][] = [
    ['no byte sent', { 'Content-Length': '1000000' }],
    ['no chunk sent', { 'Transfer-Encoding': 'chunked' }],
    ['100-continue', { 'Content-Length': '5', Expect: '100-continue' }],
    ['too large', { 'Content-Length': '99999999999' }],
    ['of no media type', { 'Content-Length': '5', 'Content-Type': 'x' }],
    ['compressed', { 'Content-Length': '5', 'Content-Encoding': 'gzip' }]
  ]
  for (const [name, headers] of rows) {
    const { responses } = await exchange(port, request('POST /bearer', undefined, headers).toString(), {
      wait: 3000,
      enough: 1
    })
    t.same(
      responses.map(({ status }) => status),
      [401],
      name
    )
  }
  t.equal(calls.length, before)
  const later = await exchange(port, '', {
    wait: 3000,
    enough: 2,
    talk: async (socket) => {
      socket.write(request('POST /bearer', undefined, { 'Content-Length': '20000' }))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.write('x'.repeat(20_000))
      socket.write(request('POST /bearer', '{}', bearer('good')))
    }
  })
  t.same(
    later.responses.map(({ status }) => status),
    [401, 200],
    'the body may come all the same, and the connection serves on'
  )
})

t.test('a server does not start while a security scheme has no handler', async (t) => {
  const handlers = Object.fromEntries(
    Object.keys(alternatives).map((name) => [name, () => ({ status: 200 })])
  )
  const most = Object.fromEntries(schemes.slice(1).map((name) => [name, handler(name)]))
  await t.rejects(serve(t, document, { handlers, security: most }), {
    message: 'security scheme bearer has no handler'
  })
  const { open: _open, ...others } = handlers
  const all = { ...most, bearer: handler('bearer') }
  await t.rejects(serve(t, document, { handlers: others, security: all }), {
    message: 'operation open has no handler'
  })
  await t.rejects(
    serve(t, document, {
      handlers: { ...handlers, toString: 5 as never },
      security: { ...all, more: () => 1 }
    }),
    {
      message:
        'handler toString is for no operation of the contract\nsecurity handler more is for no scheme of the contract'
    }
  )
})
