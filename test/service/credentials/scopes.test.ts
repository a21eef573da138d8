/** Scopes that a contract requires, from the sources of credentials to the handler, over real sockets. */
import { renameSync, writeFileSync } from 'node:fs'
import root, { type Test, test } from 'tap'
import type { Failure } from '../../../src/engine/errors.ts'
import type { Contract } from '../../../src/engine/server.ts'
import { type Environment, readConfig } from '../../../src/service/config/config.ts'
import type { Principal } from '../../../src/service/credentials/scopes.ts'
import { type Authenticate, requiredScopes, requireScopes } from '../../../src/service/credentials/scopes.ts'
import { digestLine } from '../../../src/service/credentials/tokens.ts'
import { defineService, type SecurityMaker } from '../../../src/service/definition.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { startService } from '../../../src/service/run.ts'
import { unshed } from '../../e2e/running.ts'
import { compiled, type Json } from '../../engine/serve.ts'
import { createKey, sign, startIssuer } from './issuer.ts'

const scopes = { read: '', write: '', own: '' }

/** Requirements of the operations, by their ids. */
const security: Readonly<Record<string, Json | undefined>> = {
  plain: undefined,
  read: [{ bearer: ['read'] }],
  both: [{ bearer: ['read', 'write'] }],
  oauth: [{ oauth: ['write'] }],
  openid: [{ openid: ['read'] }],
  key: [{ key: ['write'] }],
  either: [{ bearer: ['own'] }, { bearer: ['read'] }],
  optional: [{}, { bearer: ['own'] }],
  together: [{ bearer: ['read'], key: ['write'] }],
  open: []
}

const responses = { 200: { description: '', content: { 'application/json': {} } } }
const operationIds = Object.keys(security)
const contract = await compiled(root, {
  security: [{ bearer: ['own'] }],
  paths: Object.fromEntries(
    Object.entries(security).map(([operationId, security]) => [
      `/${operationId}`,
      { get: { operationId, ...(security !== undefined && { security }), responses } }
    ])
  ),
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      openid: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example/o' },
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x.example/t', scopes } } }
    }
  }
})

const everywhere = (authenticate: Authenticate) =>
  Object.fromEntries(['bearer', 'oauth', 'openid', 'key'].map((scheme) => [scheme, authenticate]))

/** Returns the principal of a request. */
const echo = ({ principal = null }: { readonly principal?: Principal | null }) => ({
  status: 200,
  body: principal
})

async function start(t: Test, environment: Environment, security: object = everywhere) {
  const definition = defineService({
    contract,
    handlers: () => Object.fromEntries(operationIds.map((id) => [id, echo])) as never,
    security: security as SecurityMaker<never, undefined>,
    errorBody: ({ code, message }: Failure) => ({ code, message }),
    tokenPrefix: 'made_'
  })
  const config = readConfig({ PORT: '0', ...environment }, { tokens: true })
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const service = await startService(definition, config, log)
  t.teardown(service.drain)
  const ask = async (path: string, token?: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const answer = await unshed(() => fetch(`${service.url}/${path}`, { headers: sent }))
    const challenge = answer.headers.get('www-authenticate')
    return { status: answer.status, challenge, body: await answer.json() }
  }
  const warnings = () => lines.filter((line) => line.includes('no configured token carries'))
  return { service, ask, lines, warnings }
}

/** Returns the path of a token file. */
const fileOf = (t: Test, text: string): string => `${t.testdir({ tokens: text })}/tokens`

const asked: readonly (readonly [path: string, token: string, status: number, scope?: string])[] = [
  ['read', 'reader', 200],
  ['read', 'writer', 403, 'read'],
  ['read', 'eve', 401],
  ['both', 'reader', 403, 'read write'],
  ['both', 'gardener', 200],
  ['plain', 'gardener', 403, 'own'],
  ['oauth', 'reader', 403, 'write'],
  ['openid', 'writer', 403, 'read'],
  ['either', 'reader', 200],
  ['either', 'eve', 401],
  ['optional', 'reader', 200],
  ['open', 'eve', 200]
]

/** Answers to a bearer token beside an API key. */
const askedWithKey: readonly (readonly [
  path: string,
  bearer: string | undefined,
  key: string,
  status: number
])[] = [
  ['key', undefined, 'writer', 200],
  ['key', undefined, 'reader', 403],
  ['key', 'writer', '', 401],
  ['together', 'reader', 'writer', 200],
  ['together', 'reader', 'reader', 403],
  ['together', 'writer', 'eve', 401],
  ['together', 'eve', 'reader', 401],
  ['together', 'reader', '', 401]
]

const idOf = (token: string) => digestLine(token).replace(/^sha256:(.{8}).*/, 'token:$1')

test('an operation is open to the tokens that carry all of its scopes', async (t) => {
  const gardener = `${digestLine('gardener')} write read # both`
  const file = fileOf(t, `reader read\n${digestLine('writer')} write\n${gardener}\nowner own\nnothing\n`)
  const { ask, warnings, lines } = await start(t, { AUTH_TOKENS_FILE: file })
  t.strictSame(warnings(), [])
  for (const [path, token, status, scope] of asked) {
    const answer = await ask(path, token)
    t.equal(answer.status, status, `${path} ${token}`)
    if (scope === undefined) continue
    t.equal(answer.challenge, `Bearer error="insufficient_scope", scope="${scope}"`, `${path} ${token}`)
    t.match(answer.body, { code: 'forbidden', message: /^the token lacks / }, `${path} ${token}`)
  }
  for (const [path, bearer, key, status] of askedWithKey)
    t.equal((await ask(path, bearer, { 'x-key': key })).status, status, `${path} ${bearer} ${key}`)
  t.match((await ask('both', 'reader')).body, { message: 'the token lacks write' })
  t.match(lines.join(''), /"status":401,[^\n]*"reason":"no known token"/)
  const principal = { id: idOf('gardener'), scopes: ['write', 'read'], claims: {} }
  t.match((await ask('both', 'gardener')).body, principal)
  t.same((await ask('optional', 'reader')).body, null, 'nobody, because no credentials are needed')
})

test('a JWT carries scopes, and its claims reach the handler', async (t) => {
  const key = await createKey('first')
  const issuer = await startIssuer(key)
  t.teardown(issuer.close)
  const jwks = { AUTH_JWKS_URL: issuer.url.href, AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'plants' }
  const { ask, warnings } = await start(t, jwks)
  t.strictSame(warnings(), [], 'an issuer may give any scope')
  const claims = { scope: 'write read', tenant: 7 }
  const token = await sign(key, claims)
  for (const turn of ['verified', 'cached']) {
    const body = { id: 'jwt:alice', claims: { sub: 'alice', ...claims } }
    t.match(await ask('both', token), { status: 200, body }, turn)
    t.match(await ask('plain', token), { status: 403, challenge: /scope="own"$/ }, turn)
  }
  for (const claims of [{}, { scope: 'reader' }, { scope: 'READ' }, { scp: [['read']] }, { roles: 'read' }])
    t.equal((await ask('read', await sign(key, claims))).status, 403, JSON.stringify(claims))
  t.equal((await ask('read', await sign(await createKey('first'), { scope: 'read' }))).status, 401)
})

test('the token that a start makes carries all scopes of the contract', async (t) => {
  const { ask, service, warnings } = await start(t, {})
  t.strictSame(warnings(), [])
  for (const path of ['read', 'plain', 'oauth', 'openid', 'either'])
    t.equal((await ask(path, service.token)).status, 200, path)
  t.match(await ask('both', service.token), { status: 200, body: { scopes: ['own', 'read', 'write'] } })
})

test('a reload gives tokens the scopes that the file names now, and logs whose scopes have changed', async (t) => {
  const file = fileOf(t, 'reader read\nwriter write own\n')
  const { ask, service, warnings } = await start(t, { AUTH_TOKENS_FILE: file })
  const put = (text: string) => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  const statuses = async () => [(await ask('read', 'reader')).status, (await ask('both', 'reader')).status]
  t.strictSame(await statuses(), [200, 403])
  put('reader read write\nwriter write own\n')
  t.strictSame(await statuses(), [200, 403], 'not before the reload')
  t.match(await service.reload(), { changed: [idOf('reader')], added: [], removed: [] })
  t.strictSame(await statuses(), [200, 200])
  t.strictSame(warnings(), [])
  put('reader write\nwriter write\n')
  const [first, second] = await Promise.all([service.reload(), service.reload()])
  t.equal(first.changed.length, 2)
  t.strictSame(second.changed, [], 'each change is reported once')
  t.strictSame(await statuses(), [403, 403])
  t.match(warnings(), { length: 2, 0: /these scopes of the contract: own, read; / })
  put('reader read "wri\n')
  await t.rejects(service.reload(), { message: /a scope after the token/ })
  t.strictSame(await statuses(), [403, 403])
  t.equal(warnings().length, 2)
})

test('a scope that no configured token carries is a warning at the start', async (t) => {
  const file = fileOf(t, 'reader read\n')
  const rows: readonly (readonly [environment: Environment, message: RegExp])[] = [
    [{ AUTH_TOKENS: 'alice' }, /contract: own, read, write; .*403.*AUTH_TOKENS_FILE/],
    [{ AUTH_TOKENS_FILE: file, NODE_ENV: 'production' }, /contract: own, write; /]
  ]
  for (const [environment, msg] of rows) {
    const { warnings } = await start(t, environment)
    t.equal(warnings().length, 1)
    t.match(JSON.parse(String(warnings())), { level: 40, msg })
  }
})

test('authenticate without the scopes of the security handler permits nothing', async (t) => {
  const security = (authenticate: Authenticate) => ({
    ...everywhere(authenticate),
    bearer: (token: string) => Reflect.apply(authenticate, undefined, [token]),
    key: (token: string, { request }: { readonly request: object }) =>
      Reflect.apply(authenticate, undefined, [token, { request }])
  })
  const { ask, lines } = await start(
    t,
    { AUTH_TOKENS_FILE: fileOf(t, 'gardener own read write\n') },
    security
  )
  t.equal((await ask('read', 'gardener')).status, 500)
  t.equal((await ask('key', undefined, { 'x-key': 'gardener' })).status, 500)
  t.equal((await ask('oauth', 'gardener')).status, 200)
  t.match(lines.join(''), /needs the scopes: pass it the second argument of the security handler/)
  // @ts-expect-error the context is missing
  const bare = (authenticate: Authenticate) => authenticate('alice')
  // @ts-expect-error the scopes are missing
  const half = (authenticate: Authenticate) => authenticate('alice', { request: {} })
  for (const call of [bare, half]) t.throws(() => call(requireScopes(() => undefined, contract)), TypeError)
})

test('a contract without scopes is not checked for any', async (t) => {
  const operations = [{ security: [[{ scheme: 'bearer', scopes: [] }]] }] as unknown as Contract['operations']
  t.strictSame(requiredScopes({ operations }), [])
  const identify = () => undefined
  t.equal(requireScopes(identify, { operations }), identify)
})
