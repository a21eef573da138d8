import { readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import fastify from 'fastify'
import { type Test, test } from 'tap'
import contract from '../../../generated/contract.ts'
import { buildApp } from '../../../src/app.ts'
import { generate } from '../../../src/compiler/compiler.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { type DocsOptions, registerDocs } from '../../../src/service/docs/register.ts'
import { openStore } from '../../../src/store/open.ts'

const yaml = readFileSync('openapi.yaml')

async function service(t: Test, baseUrl = 'http://127.0.0.1') {
  const read = readConfig({ BASE_URL: baseUrl })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const store = await openStore(`sqlite:${t.testdir({})}/plants.db`)
  const app = await buildApp({ config: read.config, store, authenticate: () => undefined })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  return app
}

const served: [path: string, mediaType: string][] = [
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/', 'text/html; charset=utf-8'],
  ['/docs/scalar.js', 'text/javascript; charset=utf-8'],
  ['/docs/exact-json.js', 'text/javascript; charset=utf-8'],
  ['/docs/session.js', 'text/javascript; charset=utf-8'],
  ['/docs/examples.js', 'text/javascript; charset=utf-8'],
  ['/docs/requests.js', 'text/javascript; charset=utf-8'],
  ['/docs/start.js', 'text/javascript; charset=utf-8'],
  ['/docs/style.css', 'text/css; charset=utf-8'],
  ['/docs/favicon.svg', 'image/svg+xml'],
  ['/openapi.yaml', 'application/yaml'],
  ['/openapi.json', 'application/json']
]

for (const base of ['', '/gardens/api']) {
  test(`below "${base}", without a token: the page, its files, and the contract`, async (t) => {
    const app = await service(t, `http://127.0.0.1${base}`)
    for (const [path, mediaType] of served) {
      const { statusCode, headers } = await app.inject(`${base}${path}`)
      t.equal(statusCode, 200, path)
      t.equal(headers['content-type'], mediaType, path)
      t.equal((await app.inject({ method: 'HEAD', url: `${base}${path}` })).statusCode, 200, path)
    }
    t.strictSame((await app.inject(`${base}/openapi.yaml`)).rawPayload, yaml)
    t.strictSame((await app.inject(`${base}/openapi.json`)).json(), parseYaml(String(yaml)))
  })

  test(`below "${base}": the root redirects to the page`, async (t) => {
    const app = await service(t, `http://127.0.0.1${base}`)
    for (const root of new Set([base || '/', `${base}/`, '/', ...(base === '' ? [] : ['/docs'])])) {
      const { statusCode, headers } = await app.inject(root)
      t.equal(statusCode, 302, root)
      t.equal(headers.location, `${base}/docs`)
    }
  })

  test(`below "${base}": other methods are 405, other paths 404, with the error body of the contract`, async (t) => {
    const app = await service(t, `http://127.0.0.1${base}`)
    for (const path of [...served.map(([path]) => path), '/'])
      for (const method of ['POST', 'DELETE', 'OPTIONS'] as const) {
        const refused = await app.inject({ method, url: `${base}${path}?v=1` })
        t.match(refused, { statusCode: 405, headers: { allow: 'GET, HEAD' } }, `${method} ${path}`)
        t.match(refused.json(), { error: 4050, message: String })
      }
    for (const path of [
      '/docs/js/scalar.js',
      '/docs/register.ts',
      '/docs/../app.ts',
      '/openapi',
      '/openapi.yaml/'
    ])
      t.match((await app.inject(`${base}${path}`)).json(), { error: 4040, message: String }, path)
  })
}

test('paths outside the base path are 404', async (t) => {
  const app = await service(t, 'http://127.0.0.1/api')
  for (const path of ['/docs/', '/openapi.yaml', '/apidocs'])
    t.equal((await app.inject(path)).statusCode, 404, path)
})

test('the Content-Security-Policy of the page allows its own origin only', async (t) => {
  const app = await service(t, 'https://x.example')
  for (const [path] of served) {
    const { headers } = await app.inject(path)
    const policy = String(headers['content-security-policy'])
    t.match(policy, /default-src 'none';.*script-src 'self';/, path)
    t.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
    t.match(headers, { 'x-content-type-options': 'nosniff', 'strict-transport-security': /./ })
  }
})

/** Registers the routes on a bare Fastify. */
async function alone(t: Test, contract: DocsOptions['contract'], options: Partial<DocsOptions> = {}) {
  const app = fastify()
  t.teardown(() => app.close())
  registerDocs(app, { basePath: '', contract, headers: {}, ...options })
  return app
}

test('the page is read once, at the first request', async (t) => {
  let reads = 0
  const title = { get: () => `title, read ${++reads} times` }
  const app = await alone(t, Object.create(contract, { title }))
  await app.inject('/openapi.yaml')
  t.equal(reads, 0)
  await Promise.all([app.inject('/docs'), app.inject('/docs'), app.inject('/docs/style.css')])
  await app.inject('/docs/')
  t.equal(reads, 1)
})

test('a file that could not be read is read again at the next request', async (t) => {
  let reads = 0
  const yaml = async () => {
    if (++reads === 1) throw new Error('secret')
    return `openapi: 3.1.${reads}`
  }
  const app = await alone(t, { ...contract, yaml })
  t.equal((await app.inject('/openapi.yaml')).statusCode, 500)
  for (let i = 0; i < 2; i++) t.equal((await app.inject('/openapi.yaml')).payload, 'openapi: 3.1.2')
})

test('/openapi.yaml of a contract in several files is one document in which every reference resolves', async (t) => {
  const folder = t.testdir({
    'openapi.yaml': `openapi: 3.1.0
info: { title: Garden, version: '1' }
paths:
  /beds:
    get:
      operationId: listBeds
      responses:
        '200':
          description: The beds
          content: { application/json: { schema: { $ref: 'schemas/bed.yaml#/Bed' } } }
`,
    schemas: { 'bed.yaml': 'Bed: { type: object, properties: { next: { $ref: "#/Bed" } } }\n' }
  })
  const out = `${folder}/generated`
  await generate({ contract: `${folder}/openapi.yaml`, out })
  const several = (await import(`${out}/contract.ts`)).default as DocsOptions['contract']
  const app = await alone(t, several)
  const { payload } = await app.inject('/openapi.yaml')
  const document = parseYaml(payload)
  t.strictSame(document, (await app.inject('/openapi.json')).json())
  const references = [...payload.matchAll(/\$ref: '?([^'\n]+)/g)].map(([, reference = '']) => reference)
  t.ok(references.length >= 2)
  for (const reference of references) {
    const [first, ...keys] = reference.split('/')
    t.equal(first, '#', reference)
    const target = keys.reduce<unknown>((node, key) => Object(node)[key], document)
    t.ok(target, `${reference} resolves`)
  }
})

test('/openapi.json keeps the digits of a bound beyond 2^53', async (t) => {
  const text =
    '{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{},"x-maximum":9223372036854775807}\n'
  const app = await alone(t, { ...contract, yaml: async () => text })
  t.equal((await app.inject('/openapi.json')).payload.replaceAll(/\s/g, ''), text.trim())
})

const marked = `openapi: 3.1.0
info: { title: x, version: '1' }
paths:
  /open: { get: { parameters: [{ name: n, in: query, schema: { maximum: 9223372036854775807 } }] } }
  /secret: { x-internal: true, get: {} }
`

test('what is x-internal is seen by those that an option names', async (t) => {
  const own = { ...contract, yaml: async () => marked }
  const maySeeInternal = async ({ headers }: { headers: object }) => 'x-insider' in headers
  const [closed, open] = [await alone(t, own), await alone(t, own, { maySeeInternal })]
  const insider = { 'x-insider': '1' }
  for (const url of ['/openapi.yaml', '/openapi.json']) {
    const ask = async (app: typeof open, headers = {}) => (await app.inject({ url, headers })).payload
    for (const text of [await ask(closed), await ask(closed, insider), await ask(open)]) {
      t.strictSame(Object.keys(Object(parseYaml(text)).paths), ['/open'], url)
      t.match(text, '9223372036854775807')
    }
    t.match(await ask(open, insider), '/secret')
  }
  const [public_, whole] = await Promise.all(
    [{}, insider].map((headers) => open.inject({ url: '/openapi.yaml', headers }))
  )
  t.equal(whole?.payload, marked)
  t.not(public_?.headers.etag, whole?.headers.etag)
})

test('an option that throws shows nothing', async (t) => {
  const maySeeInternal = () => {
    throw new Error('no session')
  }
  const app = await alone(t, { ...contract, yaml: async () => marked }, { maySeeInternal })
  t.equal((await app.inject('/openapi.json')).statusCode, 500)
})

test('the page may call the token URLs of the contract', async (t) => {
  const flows = { clientCredentials: { tokenUrl: 'https://login.example/token' } }
  const yaml = async () =>
    JSON.stringify({ components: { securitySchemes: { a: { type: 'oauth2', flows } } } })
  const headers = { 'content-security-policy': "default-src 'none';connect-src 'self';img-src 'self'" }
  const app = await alone(t, { ...contract, yaml }, { headers })
  const policy = "default-src 'none';connect-src 'self' https://login.example;img-src 'self'"
  t.match((await app.inject('/docs')).headers, { 'content-security-policy': policy })
  t.match((await app.inject('/docs/start.js')).headers, headers)
})
