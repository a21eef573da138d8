/** JWTs of a real issuer: a token's header and claims → its principal, or the reason of its refusal. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { mock } from 'node:test'
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { type Test, test } from 'tap'
import { FailureError } from '../../../src/engine/server/errors/failure.ts'
import { createJwtVerifier, type JwtVerifier } from '../../../src/service/credentials/jwt.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { until } from '../../time.ts'
import { createKey, type Issuer, now, type SigningKey, sign, startIssuer, usualClaims } from './issuer.ts'

const settings = { issuer: 'https://id.example', audience: 'plants' }
const quick = { refreshMs: 60_000, cooldownMs: 0, retryMs: 0, fetchTimeout: 60_000 }

async function scene(t: Test, times: Partial<typeof quick> = {}, alg = 'ES256') {
  const key = await createKey('first', alg)
  const issuer = await startIssuer(key)
  const reports: string[] = []
  const log = createLog('info', { write: (line) => void reports.push(JSON.parse(line).msg) })
  const open = (more: Partial<typeof quick> = {}) => {
    const verifier = createJwtVerifier({ url: issuer.url, ...settings }, log, {
      ...quick,
      ...times,
      ...more
    })
    t.teardown(() => verifier.close())
    return verifier
  }
  t.teardown(() => issuer.close().catch(() => {}))
  return { issuer, key, verifier: open(), reports, open }
}

/** Describes the outcome of a verification as the client sees it. */
const failureOf = async (verifier: JwtVerifier, token: string): Promise<unknown> => {
  try {
    return await verifier.verify(token)
  } catch (error) {
    return error instanceof FailureError ? error.failure : error
  }
}

/** Returns the principal of a token, or the reasons of its refusal. */
async function outcome(verifier: JwtVerifier, token: string): Promise<unknown> {
  const reasons: string[] = []
  return (await verifier.verify(token, (text) => void reasons.push(text))) ?? reasons
}

const base64url = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signs a token that SignJWT would refuse to write. */
async function crafted(key: SigningKey, claims: object, header: object): Promise<string> {
  const parts = [
    { alg: key.alg, kid: key.kid, ...header },
    { ...usualClaims(), ...claims }
  ].map(base64url)
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, key.privateKey, Buffer.from(parts.join('.')))
  return `${parts.join('.')}.${Buffer.from(signature).toString('base64url')}`
}

const alice = { id: 'jwt:alice', scopes: [] }

/** Claims and headers of tokens, and their principals or the reason of their refusal, for the log. */
const tokens: readonly (readonly [claims: Record<string, unknown>, header: object, want: object | RegExp])[] =
  [
    [{}, {}, alice],
    [{ aud: ['others', 'plants'], nbf: now() }, {}, alice],
    ...['JWT', 'jwt', 'at+jwt', 'application/at+jwt'].map((typ) => [{}, { typ }, alice] as const),
    [{ iss: 'https://evil.example' }, {}, /^iss: /],
    [{ iss: undefined }, {}, /^iss: /],
    [{ aud: ['others', 'plants2'] }, {}, /^aud: /],
    [{ aud: undefined }, {}, /^aud: /],
    [{ exp: now() - 6 }, {}, /^exp: /],
    [{ exp: '9999999999' }, {}, /^exp: /],
    [{ exp: undefined }, {}, /^exp: /],
    [{ nbf: now() + 600 }, {}, /^nbf: /],
    [{ iat: now() + 600 }, {}, /^iat: /],
    [{ sub: { a: 1 } }, {}, /^sub: /],
    [{ sub: { toString: 1, valueOf: 1 } }, {}, /^sub: /],
    [{ sub: 7 }, {}, /^sub: /],
    [{ sub: '' }, {}, /^sub: /],
    [{ sub: undefined }, { typ: 'application/at+jwt' }, /^sub: is missing/],
    [{}, { typ: 'logout+jwt' }, /^typ: /],
    [{}, { typ: 7 }, /^typ: /],
    [{}, { kid: 'other' }, /^kid: /],
    [{}, { crit: ['x'], x: 1 }, /^alg or crit: /],
    [{}, { alg: 7 }, /^not a well-formed JWT$/],
    // Scopes: `scope` is text, `scp` text or a list; a claim of another type carries none.
    [{ scope: 'plants:read plants:write' }, {}, { scopes: ['plants:read', 'plants:write'] }],
    [{ scope: '  a   b a ' }, {}, { scopes: ['a', 'b'] }],
    [{ scope: '' }, {}, alice],
    [{ scp: 'a b' }, {}, { scopes: ['a', 'b'] }],
    [{ scp: ['a', 'b c'] }, {}, { scopes: ['a', 'b c'] }],
    [{ scope: 'a b', scp: ['b', 'c'] }, {}, { scopes: ['a', 'b', 'c'] }],
    [{ scope: 'a\tb\nc' }, {}, { scopes: ['a\tb\nc'] }],
    [{ scope: ['a'], scp: { a: true } }, {}, alice],
    [{ scope: null, scp: [1, null, ['a'], { a: 1 }, 'b'] }, {}, { scopes: ['b'] }]
  ]

test('a token is the principal of its claims, or is refused with the claim or header for the log', async (t) => {
  const { key, verifier } = await scene(t)
  t.match(await verifier.verify(await sign(key, { sub: undefined })), { id: /^jwt:[\w-]{8}$/ })
  for (const [claims, header, want] of tokens) {
    const found = await outcome(verifier, await crafted(key, claims, header))
    const what = JSON.stringify([claims, header])
    if (want instanceof RegExp) t.match([found].flat().join('\n'), want, what)
    else t.strictSame(found, { ...Object(found), ...want }, what)
  }
  for (const token of ['', 'alice', 'a.b', 'a.b.c.d', 'a b.c.d'])
    t.strictSame(await outcome(verifier, token), ['neither a known token nor a JWT'], token)
})

for (const alg of ['RS256', 'PS256', 'ES384', 'EdDSA']) {
  test(`a token signed with ${alg} opens, as its subject`, async (t) => {
    const { key, verifier } = await scene(t, {}, alg)
    t.match(await verifier.verify(await sign(key)), alice)
  })
}

test('the principal has the claims of its JWT, which a handler cannot change', async (t) => {
  const { key, verifier } = await scene(t)
  const nested = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`)
  const token = await sign(key, { realm_access: { roles: ['gardener'] }, nested })
  await until(() => verifier.isReady())
  const principal = await verifier.verify(token)
  const claims = principal?.claims as { readonly sub: string; readonly realm_access: { roles: string[] } }
  t.match(claims, { sub: 'alice', iss: 'https://id.example', realm_access: { roles: ['gardener'] } })
  t.throws(() => claims.realm_access.roles.push('owner'), TypeError)
  t.throws(() => Object.assign(claims, { sub: 'eve' }), TypeError)
  t.equal(verifier.verify(token), principal)
})

test('a forged signature is refused, and causes no fetch', async (t) => {
  const { key, verifier, issuer } = await scene(t, {}, 'RS256')
  const good = await sign(key)
  const [head = '', body = '', signature = ''] = good.split('.')
  const publicKey = (await importJWK(key.jwk, 'RS256', { extractable: true })) as CryptoKey
  const withHmac = (secret: string) =>
    new SignJWT(usualClaims())
      .setProtectedHeader({ alg: 'HS256', kid: key.kid })
      .sign(new TextEncoder().encode(secret))
  const stranger = await createKey('first', 'RS256')
  const before = issuer.fetches()
  const forged: Readonly<Record<string, string>> = {
    'no key (alg none)': new UnsecuredJWT(usualClaims()).encode(),
    'the public key as an HMAC secret (PEM)': await withHmac(await exportSPKI(publicKey)),
    'the public key as an HMAC secret (JWK)': await withHmac(JSON.stringify(key.jwk)),
    'no key (signature cut)': `${head}.${body}.`,
    'the owner, but something else': `${head}.${base64url({ ...usualClaims(), sub: 'eve' })}.${signature}`,
    'a header that is no JSON': `AAAA.${body}.${signature}`,
    'a key the token brings along': await sign(stranger, {}, { jwk: stranger.jwk })
  }
  for (const [who, token] of Object.entries(forged)) t.equal(await verifier.verify(token), undefined, who)
  t.strictSame(await outcome(verifier, await sign(stranger)), ['signature: does not fit'])
  t.equal(issuer.fetches(), before)
  t.ok(await verifier.verify(good))
})

test('a verified token is not verified again, until it expires', async (t) => {
  const { key, verifier } = await scene(t)
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const token = await sign(key, { exp: now() + 2 })
  await until(() => verifier.isReady())
  const first = await verifier.verify(token)
  mock.timers.tick(6_000)
  t.equal(verifier.verify(token), first, 'the same principal, without a promise')
  mock.timers.tick(1_001)
  t.equal(await verifier.verify(token), undefined, 'expired')
})

test('the clock of the issuer may differ from ours by 5 s', async (t) => {
  const { key, verifier } = await scene(t)
  mock.timers.enable({ apis: ['Date'], now: 1_000 * now() })
  t.teardown(() => mock.timers.reset())
  const verified = async (claim: string, seconds: number) =>
    (await verifier.verify(await sign(key, { [claim]: now() + seconds }))) !== undefined
  for (const [claim, last, first] of [
    ['iat', 5, 6] as const,
    ['nbf', 5, 6] as const,
    ['exp', -4, -5] as const
  ])
    t.strictSame([await verified(claim, last), await verified(claim, first)], [true, false], claim)
})

test('many tokens, and tokens with unknown key ids, do not make us ask the issuer again', async (t) => {
  const { key, verifier, issuer } = await scene(t, { cooldownMs: 60_000 })
  const subjects = Array.from({ length: 50 }, (_, index) => String(index))
  const found = subjects.map(async (sub) => (await verifier.verify(await sign(key, { sub })))?.id)
  t.strictSame(
    await Promise.all(found),
    subjects.map((sub) => `jwt:${sub}`)
  )
  const stranger = await createKey('stranger')
  for (let turn = 0; turn < 5; turn += 1) t.equal(await verifier.verify(await sign(stranger)), undefined)
  t.equal(issuer.fetches(), 1)
})

test('a new key counts as soon as a token names it', async (t) => {
  const { key, verifier, issuer } = await scene(t)
  t.ok(await verifier.verify(await sign(key)))
  const next = await createKey('next')
  issuer.publish(key, next)
  t.ok(await verifier.verify(await sign(next)))
  t.ok(await verifier.verify(await sign(key)))
})

test('a withdrawn key stops counting with the next refresh, for verified tokens as well', async (t) => {
  const { key, verifier, issuer } = await scene(t, { refreshMs: 20 })
  const token = await sign(key)
  await verifier.verify(token)
  issuer.publish(await createKey('next'))
  const seen = issuer.fetches()
  await until(() => issuer.fetches() > seen + 2)
  t.equal(await verifier.verify(token), undefined)
})

const failed = 'AUTH_JWKS_URL: the keys could not be fetched;'
const kept = `${failed} the last ones stay in force`

const outages: Readonly<Record<string, (issuer: Issuer) => unknown>> = {
  'is down': (issuer) => issuer.close(),
  'answers 503': (issuer) => issuer.answer(503, ''),
  'answers nonsense': (issuer) => issuer.answer(200, '<html>'),
  'answers something else': (issuer) => issuer.answer(200, '{}'),
  'answers 204': (issuer) => issuer.answer(204, '')
}

for (const [outage, begin] of Object.entries(outages)) {
  test(`while the issuer ${outage}, the keys that we have go on counting`, async (t) => {
    const { key, verifier, issuer, reports } = await scene(t, { refreshMs: 20 })
    const token = await sign(key)
    t.ok(await verifier.verify(token))
    await begin(issuer)
    await until(() => reports.filter((each) => each === kept).length > 1)
    t.ok(await verifier.verify(token), 'a token we know')
    t.ok(await verifier.verify(await sign(key, { sub: 'bob' })), 'a token we do not know')
    const stranger = await sign(await createKey('unknown'))
    t.match(await failureOf(verifier, stranger), { code: 'unavailable', status: 503 })
  })
}

test('without any keys a token can be neither accepted nor refused, until the issuer is back', async (t) => {
  const { issuer, key, open, reports } = await scene(t, { retryMs: 60_000 })
  issuer.answer(500, '')
  await until(() => reports.length > 0)
  reports.length = 0
  const [pausing, retrying] = [open(), open({ retryMs: 20 })]
  const token = await sign(key)
  const want = { code: 'unavailable', headers: { 'retry-after': '60' } }
  t.match(await failureOf(pausing, token), want)
  t.match(await failureOf(retrying, token), { code: 'unavailable', headers: { 'retry-after': '1' } })
  t.equal(retrying.isReady(), false)
  await until(() => reports.length > 2)
  t.same(new Set(reports), new Set([`${failed} no JWT can be checked, and the service is not ready`]))
  issuer.publish(key)
  t.match(await failureOf(pausing, token), want, 'not asked again within the pause')
  await until(() => retrying.isReady())
  t.ok(await retrying.verify(token))
  t.equal(reports.at(-1), 'AUTH_JWKS_URL: the keys are fetched')
  t.match(await failureOf(pausing, token), want)
})

test('a key that is too weak is a problem of the issuer, not of the client', async (t) => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' }
  const { issuer, verifier } = await scene(t)
  issuer.answer(200, JSON.stringify({ keys: [jwk] }))
  const text = [{ alg: 'RS256', kid: 'weak' }, usualClaims()].map(base64url).join('.')
  const signature = createSign('RSA-SHA256').update(text).sign(pair.privateKey, 'base64url')
  t.match(await failureOf(verifier, `${text}.${signature}`), TypeError)
})
