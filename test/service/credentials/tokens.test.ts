import { test } from 'tap'
import {
  bearerToken,
  createTokenVerifier,
  digestLine,
  digestOf,
  newToken
} from '../../../src/service/credentials/tokens.ts'

/** Tokens with their digests, from `printf %s "$token" | sha256sum`. */
const known: readonly { token: string; digest: string }[] = [
  { token: 'alice', digest: '2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90' },
  { token: 'bob', digest: '81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9' }
]

test('a known token opens, as the principal of its own digest; no other text does', async (t) => {
  const verify = createTokenVerifier(
    known.map(({ token }) => ({ digest: digestOf(token), scopes: [token, 'read'] }))
  )
  for (const { token, digest } of known) {
    t.strictSame(verify(token), { id: `token:${digest.slice(0, 8)}`, scopes: [token, 'read'], claims: {} })
    t.equal(digestLine(token), `sha256:${digest}`)
    for (const other of [
      '',
      ` ${token}`,
      `${token} `,
      token.slice(1),
      token.toUpperCase(),
      digest,
      `sha256:${digest}`
    ]) {
      t.equal(verify(other), undefined, other)
    }
  }
})

test('a connection that has proved a token opens with this one only, until the tokens are replaced', async (t) => {
  const tokens = known.map(({ token }) => ({ digest: digestOf(token), scopes: [token, 'read'] }))
  const verify = createTokenVerifier(tokens)
  const [connection, other] = [{}, {}]
  const [alice, bob] = known.map(({ token }) => verify(token))
  t.equal(verify('alice', connection), alice)
  for (const wrong of ['', 'alicf', 'blice', 'alic', 'alice ', 'Alice', 'al\u00edce', 'alic\u0165'])
    t.equal(verify(wrong, connection), undefined, wrong)
  t.equal(verify('alice', connection), alice, 'the same token again')
  t.equal(verify('bob', connection), bob, 'another known token')
  t.equal(verify('alice', connection), alice, 'and back')
  t.equal(verify('eve', other), undefined, 'a connection that has proved nothing')
  t.equal(createTokenVerifier([])('alice', connection), undefined, 'a verifier that does not know the token')
})

test('the principal of a token cannot be changed by a handler', async (t) => {
  const principal = createTokenVerifier([{ digest: digestOf('alice'), scopes: ['read'] }])('alice')
  t.throws(() => Reflect.apply(Array.prototype.push, principal?.scopes, ['write']), TypeError)
  t.throws(() => Object.assign(principal?.claims ?? {}, { sub: 'eve' }), TypeError)
  t.throws(() => Object.assign(principal ?? {}, { id: 'eve' }), TypeError)
})

test('the last of several equal tokens counts', async (t) => {
  const of = (scope: string) => ({ digest: digestOf('alice'), scopes: [scope] })
  t.match(createTokenVerifier([of('read'), of('write')])('alice'), { scopes: ['write'] })
})

test('without known tokens, every token is refused', async (t) => {
  t.equal(createTokenVerifier([])(''), undefined)
})

test('a new token can be sent as it is, and is new', async (t) => {
  const [one, other] = [newToken('plant_'), newToken('plant_')]
  t.match(one, bearerToken)
  t.match(one, /^plant_.{43}$/)
  t.not(one, other)
})
