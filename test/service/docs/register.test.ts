/** The docs page, its files and the documents of the contract: paths, versions, encodings, policies, `x-internal`. */
import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parseYaml } from '@redocly/openapi-core'
import fastify from 'fastify'
import { type Test, test } from 'tap'
import contract from '../../../generated/contract.ts'
import { buildApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { createAsset, sendAsset } from '../../../src/service/docs/asset.ts'
import { calledUrls, withoutInternal } from '../../../src/service/docs/internal.ts'
import pageFiles from '../../../src/service/docs/page-files.json' with { type: 'json' }
import { type DocsOptions, pageFile, pagePaths, registerDocs } from '../../../src/service/docs/register.ts'

const yaml = readFileSync('openapi.yaml')
const store = { ready: async () => true, close: async () => {} } as never

async function service(t: Test, baseUrl: string) {
  const config = readConfig({ BASE_URL: baseUrl })
  const app = await buildApp({ config, store, authenticate: () => undefined })
  t.teardown(() => app.close())
  return app
}

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  yaml: 'application/yaml',
  json: 'application/json'
}
const served = [...pagePaths, '/docs/', '/openapi.yaml', '/openapi.json']
const elsewhere = ['/docs/js/scalar.js', '/docs/register.ts', '/docs/../app.ts', '/openapi', '/openapi.yaml/']

for (const base of ['', '/gardens/api'])
  test(`below "${base}", without a token: the page, its files, and the contract`, async (t) => {
    const app = await service(t, `https://x.example${base}`)
    for (const path of served) {
      const { statusCode, headers } = await app.inject(`${base}${path}`)
      t.equal(statusCode, 200, path)
      t.equal(
        headers['content-type'],
        mediaTypes[path.split('.')[1] ?? ''] ?? 'text/html; charset=utf-8',
        path
      )
      t.match(headers, { 'x-content-type-options': 'nosniff', 'strict-transport-security': /./ })
      const policy = String(headers['content-security-policy'])
      t.match(policy, /default-src 'none';.*script-src 'self';/, path)
      t.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
      t.equal((await app.inject({ method: 'HEAD', url: `${base}${path}` })).statusCode, 200, path)
      for (const method of ['POST', 'DELETE', 'OPTIONS'] as const) {
        const refused = await app.inject({ method, url: `${base}${path}?v=1` })
        t.match(refused, { statusCode: 405, headers: { allow: 'GET, HEAD' } }, `${method} ${path}`)
        t.match(refused.json(), { error: 4050, message: String })
      }
    }
    t.strictSame((await app.inject(`${base}/openapi.yaml`)).rawPayload, yaml)
    t.strictSame((await app.inject(`${base}/openapi.json`)).json(), parseYaml(String(yaml)))
    for (const root of new Set([base || '/', `${base}/`, '/', ...(base === '' ? [] : ['/docs'])]))
      t.match(await app.inject(root), { statusCode: 302, headers: { location: `${base}/docs` } }, root)
    for (const path of [
      ...elsewhere.map((path) => base + path),
      '/docs/x',
      '/apidocs',
      base && '/openapi.yaml'
    ])
      if (path !== '') t.match((await app.inject(path)).json(), { error: 4040, message: String }, path)
  })

/** Registers the routes on a bare Fastify. */
async function alone(t: Test, contract: DocsOptions['contract'], options: Partial<DocsOptions> = {}) {
  const app = fastify()
  t.teardown(() => app.close())
  registerDocs(app, { basePath: '', contract, headers: {}, ...options })
  return app
}

test('the page names every file by its version, and holds no script in itself, so its policy need not allow any', async (t) => {
  const app = await alone(t, contract, { basePath: '/api' })
  const html = (await app.inject('/api/docs')).payload
  for (const path of pagePaths.filter((each) => each !== '/docs')) {
    const [, version] = html.match(RegExp(`"/api${path}\\?v=([\\w-]{16})"`)) ?? []
    const { headers } = await app.inject(`/api${path}?v=${version}`)
    t.equal(headers['cache-control'], 'public, max-age=31536000, immutable', path)
  }
  t.match(html, /<title>Plant Store<\/title>/)
  t.notMatch(html, /\{\{|undefined|<script(?![^>]*\ssrc=)|\son\w+=|javascript:/)
})

test('a title is text, whatever is in it', async (t) => {
  for (const [title, shown] of [
    ['"><script>&', '&#34;&#62;&#60;script&#62;&#38;'],
    ['{{version}} and {{/docs/scalar.js}}', '{{version}} and {{/docs/scalar.js}}']
  ] as const)
    t.match(
      (await (await alone(t, { ...contract, title })).inject('/docs')).payload,
      `<title>${shown}</title>`
    )
})

test('in a bundle the files of the page are those of the folder', async (t) => {
  const folder = 'src/service/docs/page'
  const files = readdirSync(folder).sort()
  t.strictSame(Object.keys(pageFiles), files)
  for (const file of files) {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    t.ok((await pageFile(file, undefined)) === text, `run "npm run docs:page" after an edit of ${file}`)
  }
})

const marked = `openapi: 3.1.0
info: { title: x, version: '1' }
paths:
  /open: { get: { parameters: [{ name: n, in: query, schema: { maximum: 9223372036854775807 } }] } }
  /secret: { x-internal: true, get: {} }
`

test('what is x-internal is seen by those that an option names; digits beyond 2^53 stay', async (t) => {
  const own = { ...contract, yaml: async () => marked }
  const maySeeInternal = async ({ headers }: { headers: object }) => {
    if ('x-broken' in headers) throw new Error('no session')
    return 'x-insider' in headers
  }
  const [closed, open] = [await alone(t, own), await alone(t, own, { maySeeInternal })]
  const insider = { 'x-insider': '1' }
  for (const url of ['/openapi.yaml', '/openapi.json']) {
    const asked = async (app: typeof open, headers = {}) => app.inject({ url, headers })
    const shown = [await asked(closed), await asked(closed, insider), await asked(open)]
    for (const { payload } of shown) {
      t.strictSame(Object.keys(Object(parseYaml(payload)).paths), ['/open'], url)
      t.match(payload, '9223372036854775807')
    }
    const whole = await asked(open, insider)
    t.match(whole.payload, '/secret')
    t.not(whole.headers.etag, shown[2]?.headers.etag)
    t.equal((await asked(open, { 'x-broken': '1' })).statusCode, 500, 'an option that throws shows nothing')
  }
  t.equal((await open.inject({ url: '/openapi.yaml', headers: insider })).payload, marked)
})

test('a page may call the origins of tokens and of servers, each once', async (t) => {
  const flows = {
    implicit: { authorizationUrl: 'https://window.example/a' },
    password: { tokenUrl: 'https://login.example/token?x=1', refreshUrl: 'https://refresh.example/' },
    deviceAuthorization: { deviceAuthorizationUrl: 'https://device.example/', tokenUrl: '/token' }
  }
  const urls = [
    '/v1',
    'HTTPS://API.example:8443/v1',
    'https://{region}.example',
    'http://[',
    'https://login.example'
  ]
  const oidc = {
    type: 'openIdConnect',
    openIdConnectUrl: 'http://oidc.example/.well-known/openid-configuration'
  }
  const securitySchemes = { oauth: { type: 'oauth2', flows }, oidc, key: { type: 'apiKey' } }
  const document = { servers: urls.map((url) => ({ url })), components: { securitySchemes } }
  const called = 'https://login.example https://refresh.example https://device.example http://oidc.example'
  t.equal(calledUrls(document).join(' '), `${called} https://api.example:8443`)
  t.strictSame(calledUrls({}), [])
  const headers = { 'content-security-policy': "default-src 'none';connect-src 'self';img-src 'self'" }
  const app = await alone(t, { ...contract, yaml: async () => JSON.stringify(document) }, { headers })
  const policy = headers['content-security-policy'].replace(
    "'self'",
    `'self' ${called} https://api.example:8443`
  )
  t.match((await app.inject('/docs')).headers, { 'content-security-policy': policy })
  t.match((await app.inject('/docs/start.js')).headers, headers)
})

const hidden = { 'x-internal': true }
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const get = (...schemas: object[]) => ({ get: { responses: { 200: json(schemas[0] ?? {}) } } })
const object = (properties: object) => ({ type: 'object', properties })
const cost = { type: 'number', ...hidden }
const operation = { operationId: 'get', tags: ['public'] }
const example = { cost: 1, 'x-internal': true }
const [pageSize, name] = [{ name: 'page', in: 'query' }, { name: { type: 'string' } }]
const pet = (oneOf: object[], mapping: object) => ({
  oneOf,
  discriminator: { propertyName: 'kind', mapping }
})
const reports = { '/spies': { get: { ...hidden, responses: { 200: json(ref('Report')) } } } }

/** Documents, and what is left of them without their internal parts. */
const documents: readonly (readonly [document: Record<string, unknown>, shown: object])[] = [
  [
    {
      tags: [{ name: 'public' }, { name: 'secret' }, { name: 'unused' }],
      paths: {
        '/a': {
          get: {
            ...operation,
            parameters: [pageSize, { name: 'trace', in: 'query', ...hidden }],
            responses: {
              200: json({
                ...object({ ...name, cost, margin: ref('Alias') }),
                required: ['name', 'cost'],
                example
              }),
              418: { description: '', ...hidden }
            }
          },
          put: { operationId: 'put', tags: ['secret'], ...hidden }
        },
        '/b': { ...hidden, get: operation },
        '/c': { parameters: [], get: { operationId: 'c', ...hidden } }
      },
      components: { schemas: { Alias: ref('Margin'), Margin: cost } }
    },
    {
      tags: [{ name: 'public' }, { name: 'unused' }],
      paths: {
        '/a': {
          get: {
            ...operation,
            parameters: [pageSize],
            responses: { 200: json({ ...object(name), required: ['name'], example }) }
          }
        }
      },
      components: { schemas: {} }
    }
  ],
  // Components that only internal parts use are left out, whatever refers to them.
  [
    {
      paths: { '/pets': get(ref('Pet')), ...reports },
      components: {
        schemas: {
          Pet: pet([ref('Cat'), ref('Spy')], { cat: 'Cat', spy: ref('Spy').$ref }),
          Cat: object({ friend: ref('Cat') }),
          Spy: { type: 'object', ...hidden },
          Report: object({ cat: ref('Cat') }),
          Loop: ref('Loop')
        }
      }
    },
    {
      paths: { '/pets': get(ref('Pet')) },
      components: {
        schemas: {
          Pet: pet([ref('Cat')], { cat: 'Cat' }),
          Cat: object({ friend: ref('Cat') }),
          Loop: ref('Loop')
        }
      }
    }
  ],
  // A list that has nothing left is left out, and names of the author are no keywords.
  [
    {
      paths: { '/a': get({ anyOf: [hidden], enum: [hidden], properties: { default: hidden, mapping: {} } }) }
    },
    { paths: { '/a': get({ enum: [hidden], properties: { mapping: {} } }) } }
  ],
  [{ paths: { '/a': get(ref('Nowhere')) } }, { paths: { '/a': get(ref('Nowhere')) } }]
]

test('paths, operations, parameters, properties, variants and tags that are marked are left out', async (t) => {
  for (const [document, shown] of documents) t.strictSame(withoutInternal(document), shown)
})

const text = 'a plant '.repeat(100)
const asset = createAsset('text/css; charset=utf-8', text)

function ask(t: Test, headers: Record<string, string> = {}, query = '') {
  const app = fastify()
  t.teardown(() => app.close())
  app.get('/asset', (request, reply) => sendAsset(request, reply, asset))
  return app.inject({ url: `/asset${query}`, headers })
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

/** Values of Accept-Encoding, and the encodings of their answers. */
const negotiated: readonly (readonly [accepted: string, encoding: keyof typeof decoders])[] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['identity', 'identity'],
  ['', 'identity']
]

test('an asset is compressed as the client accepts, once, and not sent again to one that has cached it', async (t) => {
  for (const [accepted, encoding] of negotiated) {
    const answer = await ask(t, { 'accept-encoding': accepted })
    t.equal(answer.headers['content-encoding'] ?? 'identity', encoding, accepted)
    t.equal(decoders[encoding](answer.rawPayload).toString(), text)
    t.ok(encoding === 'identity' || answer.rawPayload.length < 100)
    t.match(answer.headers, { 'content-type': 'text/css; charset=utf-8', vary: 'accept-encoding' })
  }
  t.equal((await ask(t)).payload, text)
  t.equal(await asset.encoded('br'), await asset.encoded('br'))
  const br = { 'accept-encoding': 'br' }
  const etag = String((await ask(t, br)).headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await ask(t, { ...br, 'if-none-match': known })
    t.match([again.statusCode, again.payload], [304, ''], known)
    t.match(again.headers, { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
  }
  t.equal((await ask(t, { ...br, 'if-none-match': '"other"' })).statusCode, 200)
  t.equal((await ask(t, { 'accept-encoding': 'gzip', 'if-none-match': etag })).statusCode, 200)
})

test('an asset is immutable under its version, that of its content, and revalidated under any other URL', async (t) => {
  const { version } = createAsset('text/plain', Buffer.from(text))
  t.not(createAsset('text/plain', `${text}.`).version, version)
  const named = await ask(t, {}, `?v=${version}`)
  t.equal(named.headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const query of ['', '?v=', '?v=of-before'])
    t.equal((await ask(t, {}, query)).headers['cache-control'], 'no-cache', query)
})
