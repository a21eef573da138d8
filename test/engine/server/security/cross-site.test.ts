/** Requests that pages of other origins make with credentials that browsers add by themselves. */
import t from 'tap'
import { crossSiteRules, isOwnHost } from '../../../../src/engine/server/security/cross-site.ts'
import { type Json, request, serve } from '../../serve.ts'

const schemes: Json = {
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' }
}

const security: Readonly<Record<string, Json>> = {
  cookie: [{ session: [] }],
  basic: [{ basic: [] }],
  digest: [{ digest: [] }],
  token: [{ bearer: [] }],
  either: [{ session: [] }, { bearer: [] }],
  optional: [{ session: [] }, {}],
  twofold: [{ session: [], basic: [] }],
  defended: [{ session: [], csrf: [] }],
  open: []
}

const operation = (name: string, method: string): Json => ({
  operationId: `${method}_${name}`,
  security: security[name] ?? [],
  responses: { 200: { description: '', content: { 'application/json': {} } } }
})

const methods = ['get', 'post', 'put', 'patch', 'delete']
const document: Json = {
  paths: Object.fromEntries(
    Object.keys(security).map((name) => [
      `/${name}`,
      Object.fromEntries(methods.map((method) => [method, operation(name, method)]))
    ])
  ),
  components: { securitySchemes: schemes }
}

const called: string[] = []
const handler = (name: string) => (credential: unknown) => {
  called.push(name)
  const key = typeof credential === 'string' ? credential : Object(credential).password
  return key === 'good' ? { id: name } : undefined
}

const service = {
  handlers: Object.fromEntries(
    Object.keys(security).flatMap((name) =>
      methods.map((method) => [
        `${method}_${name}`,
        ({ principal }: { readonly principal: unknown }) => ({ status: 200, body: principal ?? 'nobody' })
      ])
    )
  ),
  security: Object.fromEntries(Object.keys(Object(schemes)).map((name) => [name, handler(name)]))
}

const origins = ['https://app.example']
const guarded = await serve(t, document, { ...service, refuseCrossSite: { origins } })
const own = `127.0.0.1:${guarded.port}`
const cookie = { Cookie: 'sid=good' }
const basic = { Authorization: `Basic ${Buffer.from('user:good').toString('base64')}` }
const crossSite = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }

/** Headers of a request with the cookie, and the status of the answer. */
const senders: Readonly<
  Record<string, readonly [headers: Readonly<Record<string, string>>, status: number]>
> = {
  'no page': [{}, 200],
  'our page': [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://own.example' }, 200],
  'the address bar': [{ 'Sec-Fetch-Site': 'none' }, 200],
  'another site': [crossSite, 403],
  'another site without Origin': [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
  'another host of the site': [{ 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.own.example' }, 403],
  'an unknown relation': [{ 'Sec-Fetch-Site': 'x' }, 403],
  'two relations': [{ 'Sec-Fetch-Site': 'same-origin', 'sec-fetch-site': 'cross-site' }, 403],
  'an allowed origin': [{ ...crossSite, Origin: 'https://app.example' }, 200],
  'an allowed origin in other letters': [{ ...crossSite, Origin: 'https://APP.example' }, 403],
  'an origin that begins like an allowed one': [{ Origin: 'https://app.example.evil.example' }, 403],
  'two origins': [{ Origin: 'https://app.example', origin: 'https://evil.example' }, 403],
  'our page in an old browser': [{ Origin: `http://${own}` }, 200],
  'our host behind TLS of a proxy': [{ Origin: `https://${own}` }, 200],
  'another site in an old browser': [{ Origin: 'https://evil.example' }, 403],
  'another port of our host': [{ Origin: 'http://127.0.0.1:1' }, 403],
  'a sandboxed page': [{ Origin: 'null' }, 403],
  'an origin that is no URL': [{ Origin: 'x y' }, 403]
}
const refusal = { code: 'forbidden', message: 'a page of another origin may not do this' }

t.test(
  'with a cookie, an unsafe request of another origin is refused before its security handler',
  async (t) => {
    for (const [what, [headers, status]] of Object.entries(senders)) {
      const before = called.length
      const all = { Host: own, ...cookie, ...headers }
      const answer = await guarded.ask(request('POST /cookie', undefined, all))
      t.equal(answer.status, status, what)
      if (status === 200) continue
      t.match(answer.value, refusal, what)
      t.equal(answer.headers.get('www-authenticate'), undefined, what)
      t.equal(called.length, before, what)
    }
  }
)

t.test('every unsafe method is checked, and no safe one', async (t) => {
  for (const method of methods) {
    const { status } = await guarded.ask(
      request(`${method.toUpperCase()} /cookie`, undefined, { ...cookie, ...crossSite })
    )
    t.equal(status, method === 'get' ? 200 : 403, method)
  }
})

t.test('only credentials that browsers add by themselves are checked', async (t) => {
  const bearer = { Authorization: 'Bearer good' }
  const rows: readonly (readonly [
    path: string,
    headers: Record<string, string>,
    status: number,
    unknown?
  ])[] = [
    ['/basic', basic, 403],
    ['/twofold', { ...cookie, ...basic }, 403],
    ['/token', bearer, 200, { id: 'bearer' }],
    ['/either', cookie, 403],
    ['/either', { ...cookie, ...bearer }, 200, { id: 'bearer' }],
    ['/either', { ...cookie, Authorization: 'Bearer bad' }, 403],
    ['/optional', cookie, 200, 'nobody'],
    ['/defended', { ...cookie, 'X-CSRF': 'good' }, 200],
    ['/defended', cookie, 401],
    ['/open', cookie, 200, 'nobody']
  ]
  for (const [path, headers, status, body] of rows) {
    const answer = await guarded.ask(request(`POST ${path}`, undefined, { ...headers, ...crossSite }))
    t.equal(answer.status, status, path)
    if (body !== undefined) t.match(answer.value, body, path)
  }
})

t.test('without the option nothing is checked, and true allows no other origin', async (t) => {
  t.equal(crossSiteRules(), undefined)
  t.equal(crossSiteRules(false), undefined)
  t.strictSame(crossSiteRules(true), { origins: [] })
  const { ask } = await serve(t, document, service)
  t.equal((await ask(request('POST /cookie', undefined, { ...cookie, ...crossSite }))).status, 200)
})

t.test('hosts of a machine of its own need no option', async (t) => {
  const local = [undefined, 'localhost', 'app.localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.0.2.7']
  for (const host of local) t.ok(isOwnHost(host, []), host ?? 'none')
  for (const host of ['a.example', 'localhost.a.example', 'a b', '']) t.notOk(isOwnHost(host, []), host)
  t.ok(isOwnHost('a.example:3000', ['a.example']))
})
