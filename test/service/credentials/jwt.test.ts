import { createSign, generateKeyPairSync } from 'node:crypto'
import { mock } from 'node:test'
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { type Test, test } from 'tap'
import { FailureError } from '../../../src/engine/server/errors/failure.ts'
import { createJwtVerifier, type JwtVerifier } from '../../../src/service/credentials/jwt.ts'
import { until } from '../../time.ts'
import { createKey, type Issuer, now, type SigningKey, sign, startIssuer, usualClaims } from './issuer.ts'

const settings = { issuer: 'https://id.example', audience: 'plants' }
const quick = { refreshMs: 60_000, cooldownMs: 0, retryMs: 0, fetchTimeout: 60_000 }

const unheard = { onFailure: () => {}, onSuccess: () => {} }

interface Scene {
  readonly issuer: Issuer
  readonly key: SigningKey
  readonly verifier: JwtVerifier
  readonly failures: unknown[]
}

async function scene(t: Test, times = quick, alg = 'ES256'): Promise<Scene> {
  const key = await createKey('first', alg)
  const issuer = await startIssuer(key)
  const failures: unknown[] = []
  const events = { onFailure: (error: unknown) => failures.push(error), onSuccess: () => {} }
  const verifier = createJwtVerifier({ url: issuer.url, ...settings }, events, times)
  t.teardown(async () => {
    verifier.close()
    await issuer.close().catch(() => {})
  })
  return { issuer, key, verifier, failures }
}

/** Describes the outcome of a verification as the client sees it. */
const failureOf = async (verifier: JwtVerifier, token: string): Promise<unknown> => {
  try {
    return await verifier.verify(token)
  } catch (error) {
    return error instanceof FailureError ? error.failure : error
  }
}

for (const alg of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']) {
  test(`a token signed with ${alg} opens, as its subject`, async (t) => {
    const { key, verifier } = await scene(t, quick, alg)
    t.match(await verifier.verify(await sign(key)), { id: 'jwt:alice', scopes: [] })
  })
}

test('a token without a subject opens, as the digest of itself', async (t) => {
  const { key, verifier } = await scene(t)
  t.match(await verifier.verify(await sign(key, { sub: undefined })), { id: /^jwt:[\w-]{8}$/ })
})

const refusedClaims: readonly { claim: string; claims: () => Readonly<Record<string, unknown>> }[] = [
  { claim: 'another issuer', claims: () => ({ iss: 'https://evil.example' }) },
  { claim: 'no issuer', claims: () => ({ iss: undefined }) },
  { claim: 'another audience', claims: () => ({ aud: ['others', 'plants2'] }) },
  { claim: 'no audience', claims: () => ({ aud: undefined }) },
  { claim: 'an expiry in the past', claims: () => ({ exp: now() - 6 }) },
  { claim: 'an expiry that is not a number', claims: () => ({ exp: '9999999999' }) },
  { claim: 'no expiry', claims: () => ({ exp: undefined }) },
  { claim: 'a not-before in the future', claims: () => ({ nbf: now() + 600 }) }
]

const carried: readonly { what: string; claims: Readonly<Record<string, unknown>>; want: string[] }[] = [
  { what: 'no claim', claims: {}, want: [] },
  { what: 'scope', claims: { scope: 'plants:read plants:write' }, want: ['plants:read', 'plants:write'] },
  { what: 'scope with further spaces', claims: { scope: '  a   b a ' }, want: ['a', 'b'] },
  { what: 'an empty scope', claims: { scope: '' }, want: [] },
  { what: 'scp as text', claims: { scp: 'a b' }, want: ['a', 'b'] },
  { what: 'scp as a list', claims: { scp: ['a', 'b c'] }, want: ['a', 'b c'] },
  { what: 'both', claims: { scope: 'a b', scp: ['b', 'c'] }, want: ['a', 'b', 'c'] },
  { what: 'tabs and line feeds', claims: { scope: 'a\tb\nc' }, want: ['a\tb\nc'] },
  { what: 'other types', claims: { scope: ['a'], scp: { a: true } }, want: [] },
  { what: 'null and numbers', claims: { scope: null, scp: [1, null, ['a'], { a: 1 }, 'b'] }, want: ['b'] }
]

test('a JWT carries the scopes of its claims scope and scp', async (t) => {
  const { key, verifier } = await scene(t)
  for (const { what, claims, want } of carried)
    t.match(await verifier.verify(await sign(key, claims)), { scopes: want, claims }, what)
  const [none] = await Promise.all([verifier.verify(await sign(key, { scope: [] }))])
  t.strictSame(none?.scopes, [])
})

test('the principal has the claims of its JWT, which a handler cannot change', async (t) => {
  const { key, verifier } = await scene(t)
  const nested = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`)
  const token = await sign(key, { realm_access: { roles: ['gardener'] }, nested })
  const principal = await verifier.verify(token)
  const claims = principal?.claims as { readonly sub: string; readonly realm_access: { roles: string[] } }
  t.match(claims, { sub: 'alice', iss: 'https://id.example', realm_access: { roles: ['gardener'] } })
  t.throws(() => claims.realm_access.roles.push('owner'), TypeError)
  t.throws(() => Object.assign(claims, { sub: 'eve' }), TypeError)
  t.equal(verifier.verify(token), principal)
})

test('required claims', async (t) => {
  const { key, verifier } = await scene(t)
  for (const { claim, claims } of refusedClaims)
    t.equal(await verifier.verify(await sign(key, claims())), undefined, claim)
  t.ok(await verifier.verify(await sign(key, { aud: ['others', 'plants'], nbf: now() })))
})

test('accepted signatures', async (t) => {
  const { key, verifier, issuer } = await scene(t, quick, 'RS256')
  const good = await sign(key)
  const [head = '', body = '', signature = ''] = good.split('.')
  const publicKey = await importJWK(key.jwk, 'RS256', { extractable: true })
  const pem = publicKey instanceof Uint8Array ? '' : await exportSPKI(publicKey)
  const withHmac = (secret: string) =>
    new SignJWT(usualClaims())
      .setProtectedHeader({ alg: 'HS256', kid: key.kid })
      .sign(new TextEncoder().encode(secret))
  const stranger = await createKey('first', 'RS256')
  const before = issuer.fetches()
  const forged: Readonly<Record<string, string>> = {
    'no key (alg none)': new UnsecuredJWT(usualClaims()).encode(),
    'the public key as an HMAC secret (PEM)': await withHmac(pem),
    'the public key as an HMAC secret (JWK)': await withHmac(JSON.stringify(key.jwk)),
    'a stranger under a known key id': await sign(stranger),
    'no key (signature cut)': `${head}.${body}.`,
    'the owner, but something else': `${head}.${Buffer.from(JSON.stringify({ ...usualClaims(), sub: 'eve' })).toString('base64url')}.${signature}`,
    'a header that is no JSON': `AAAA.${body}.${signature}`,
    'a key the token brings along': await sign(stranger, {}, { jwk: stranger.jwk })
  }
  for (const [who, token] of Object.entries(forged)) t.equal(await verifier.verify(token), undefined, who)
  t.equal(issuer.fetches(), before, 'and none of them causes a fetch')
  t.ok(await verifier.verify(good))
})

test('a token that is not a JWT is refused at once', async (t) => {
  const { verifier } = await scene(t)
  for (const token of ['', 'alice', 'a.b', 'a.b.c.d', 'a b.c.d'])
    t.equal(verifier.verify(token), undefined, token)
})

test('a verified token is not verified again, until it expires', async (t) => {
  const { key, verifier } = await scene(t)
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const token = await sign(key, { exp: now() + 2 })
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
  const rows: readonly { readonly claim: string; readonly last: number; readonly first: number }[] = [
    { claim: 'iat', last: 5, first: 6 },
    { claim: 'nbf', last: 5, first: 6 },
    { claim: 'exp', last: -4, first: -5 }
  ]
  for (const { claim, last, first } of rows) {
    t.ok(await verifier.verify(await sign(key, { [claim]: now() + last })), `${claim} ${last} s`)
    t.equal(
      await verifier.verify(await sign(key, { [claim]: now() + first })),
      undefined,
      `${claim} ${first} s`
    )
  }
})

test('the keys are fetched once for many tokens', async (t) => {
  const { key, verifier, issuer } = await scene(t, { ...quick, cooldownMs: 60_000 })
  const tokens = await Promise.all(
    Array.from({ length: 50 }, (_, index) => sign(key, { sub: String(index) }))
  )
  const principals = await Promise.all(tokens.map((token) => verifier.verify(token)))
  t.strictSame(
    principals.map((principal) => principal?.id),
    tokens.map((_, index) => `jwt:${index}`)
  )
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

test('unknown key ids do not make us ask the issuer over and over', async (t) => {
  const { verifier, issuer, key } = await scene(t, { ...quick, cooldownMs: 60_000 })
  t.ok(await verifier.verify(await sign(key)))
  const stranger = await createKey('stranger')
  for (let turn = 0; turn < 5; turn += 1) t.equal(await verifier.verify(await sign(stranger)), undefined)
  t.equal(issuer.fetches(), 1)
})

test('a withdrawn key stops counting at the next refresh, for verified tokens as well', async (t) => {
  const { key, verifier, issuer } = await scene(t, { ...quick, refreshMs: 50 })
  const token = await sign(key)
  t.ok(await verifier.verify(token))
  issuer.publish(await createKey('next'))
  const seen = issuer.fetches()
  await until(() => issuer.fetches() > seen + 1)
  t.equal(await verifier.verify(token), undefined)
})

test('a refresh that brings the same keys forgets nothing', async (t) => {
  const { key, verifier, issuer } = await scene(t, { ...quick, refreshMs: 20 })
  const token = await sign(key)
  await verifier.verify(token)
  const seen = issuer.fetches()
  await until(() => issuer.fetches() > seen + 2)
  t.notOk(verifier.verify(token) instanceof Promise)
})

const outages: readonly { outage: string; begin: (issuer: Issuer) => unknown }[] = [
  { outage: 'is down', begin: (issuer) => issuer.close() },
  { outage: 'answers 503', begin: (issuer) => issuer.answer(503, '') },
  { outage: 'answers nonsense', begin: (issuer) => issuer.answer(200, '<html>') },
  { outage: 'answers something else', begin: (issuer) => issuer.answer(200, '{}') },
  { outage: 'answers 204', begin: (issuer) => issuer.answer(204, '') }
]

for (const { outage, begin } of outages) {
  test(`while the issuer ${outage}, the keys that we have go on counting`, async (t) => {
    const { key, verifier, issuer, failures } = await scene(t, { ...quick, refreshMs: 20 })
    const token = await sign(key)
    t.ok(await verifier.verify(token))
    await begin(issuer)
    await until(() => failures.length > 1)
    t.ok(failures.length > 1, 'the failure is reported')
    t.ok(await verifier.verify(token), 'a token we know')
    t.ok(await verifier.verify(await sign(key, { sub: 'bob' })), 'a token we do not know')
    const stranger = await sign(await createKey('unknown'))
    t.match(await failureOf(verifier, stranger), { code: 'unavailable', status: 503 })
  })
}

test('without any keys a token can be neither accepted nor refused, until the issuer is back', async (t) => {
  const key = await createKey('first')
  const issuer = await startIssuer(key)
  issuer.answer(500, '')
  const url = issuer.url
  const pausing = createJwtVerifier({ url, ...settings }, unheard, { ...quick, retryMs: 60_000 })
  const retrying = createJwtVerifier({ url, ...settings }, unheard, { ...quick, retryMs: 20 })
  t.teardown(() => Promise.all([pausing.close(), retrying.close(), issuer.close()]))
  const token = await sign(key)
  const want = { code: 'unavailable', headers: { 'retry-after': '60' } }
  t.match(await failureOf(pausing, token), want)
  t.match(await failureOf(retrying, token), { code: 'unavailable', headers: { 'retry-after': '1' } })
  issuer.publish(key)
  t.match(await failureOf(pausing, token), want, 'not asked again within the pause')
  await until(() => retrying.isReady())
  t.ok(await retrying.verify(token))
  t.match(await failureOf(pausing, token), want)
})

test('a key that is too weak is a problem of the issuer, not of the client', async (t) => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' }
  const { issuer, verifier } = await scene(t)
  issuer.answer(200, JSON.stringify({ keys: [jwk] }))
  const parts = [{ alg: 'RS256', kid: 'weak' }, usualClaims()].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url')
  )
  const signature = createSign('RSA-SHA256').update(parts.join('.')).sign(pair.privateKey, 'base64url')
  t.match(await failureOf(verifier, [...parts, signature].join('.')), TypeError)
})

/** Tokens that jose alone would accept, or refuse for a reason of its own, and the reason for the log. */
const refusals: readonly {
  readonly what: string
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly reason: RegExp
}[] = [
  { what: 'a subject that is an object', claims: { sub: { a: 1 } }, reason: /^sub: / },
  {
    what: 'a subject that cannot become text',
    claims: { sub: { toString: 1, valueOf: 1 } },
    reason: /^sub: /
  },
  { what: 'a subject that is a number', claims: { sub: 7 }, reason: /^sub: / },
  { what: 'an empty subject', claims: { sub: '' }, reason: /^sub: / },
  {
    what: 'an access token of RFC 9068 without a subject',
    claims: { sub: undefined },
    header: { typ: 'application/at+jwt' },
    reason: /^sub: is missing/
  },
  { what: 'a logout token', header: { typ: 'logout+jwt' }, reason: /^typ: / },
  { what: 'a typ that is no text', header: { typ: 7 }, reason: /^typ: / },
  { what: 'a token issued in the future', claims: { iat: now() + 600 }, reason: /^iat: / },
  { what: 'an expired token', claims: { exp: now() - 6 }, reason: /^exp: / },
  { what: 'a token without exp', claims: { exp: undefined }, reason: /^exp: / },
  { what: 'a token for another audience', claims: { aud: 'others' }, reason: /^aud: / },
  { what: 'a token of another issuer', claims: { iss: 'https://x.example' }, reason: /^iss: / },
  { what: 'a token of tomorrow', claims: { nbf: now() + 600 }, reason: /^nbf: / },
  { what: 'a token with an unknown key id', header: { kid: 'other' }, reason: /^kid: / },
  { what: 'a token with an extension', header: { crit: ['x'], x: 1 }, reason: /^alg or crit: / },
  { what: 'a header that is no object', header: { alg: 7 }, reason: /^not a well-formed JWT$/ }
]

for (const { what, claims, header, reason } of refusals) {
  test(`${what} is refused, and the log learns the claim or header`, async (t) => {
    const { key, verifier } = await scene(t)
    const reasons: string[] = []
    const refuse = (text: string): undefined => void reasons.push(text)
    const token = crafted(key, { ...usualClaims(), ...claims }, { alg: key.alg, kid: key.kid, ...header })
    t.equal(await verifier.verify(await token, refuse), undefined)
    t.match(reasons, [reason])
    t.equal(reasons.length, 1)
  })
}

/** Signs a token that SignJWT would refuse to write. */
async function crafted(key: SigningKey, claims: object, header: object): Promise<string> {
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    key.privateKey,
    Buffer.from(parts.join('.'))
  )
  return `${parts.join('.')}.${Buffer.from(signature).toString('base64url')}`
}

test('a forged signature is named as such', async (t) => {
  const { verifier } = await scene(t)
  const reasons: string[] = []
  await verifier.verify(await sign(await createKey('first')), (text) => void reasons.push(text))
  t.strictSame(reasons, ['signature: does not fit'])
})

for (const typ of ['JWT', 'jwt', 'at+jwt', 'application/at+jwt']) {
  test(`a token of typ ${typ} opens`, async (t) => {
    const { key, verifier } = await scene(t)
    t.match(await verifier.verify(await sign(key, {}, { typ })), { id: 'jwt:alice' })
  })
}

test('an issuer that is unavailable at the start is asked again until it has keys, and the success is logged', async (t) => {
  const key = await createKey('first')
  const issuer = await startIssuer(key)
  issuer.answer(500, '')
  const reported: string[] = []
  const events = {
    onFailure: (_error: unknown, hasKeys: boolean) =>
      void reported.push(`failure, ${hasKeys ? '' : 'no '}keys`),
    onSuccess: () => void reported.push('success')
  }
  const verifier = createJwtVerifier({ url: issuer.url, ...settings }, events, { ...quick, retryMs: 20 })
  t.teardown(() => Promise.all([verifier.close(), issuer.close()]))
  await until(() => reported.length > 1)
  t.equal(verifier.isReady(), false)
  t.same([...new Set(reported)], ['failure, no keys'])
  issuer.publish(key)
  await until(() => verifier.isReady())
  t.equal(reported.at(-1), 'success')
})
