/** Tokens of the environment and of the token file: which open, as whom, and what is wrong with a file. */
import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Test, test } from 'tap'
import { bearerToken } from '../../../src/service/config/parse.ts'
import { StartError } from '../../../src/service/config/start-error.ts'
import { type BearerAuth, openBearerAuth } from '../../../src/service/credentials/bearer.ts'
import { credentialProblemOf, ipAddressOf, principalId } from '../../../src/service/credentials/scopes.ts'
import {
  createTokenVerifier,
  digestLine,
  digestOf,
  type KnownToken,
  newToken,
  parseTokenFile,
  readTokenFile
} from '../../../src/service/credentials/tokens.ts'
import { silentLog } from '../../../src/service/observability/log.ts'
import { createKey, sign, startIssuer } from './issuer.ts'

/** Digests from `printf %s "$token" | sha256sum`. */
const known = {
  alice: '2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90',
  bob: '81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9'
}
const { alice, bob } = known
const knownTokens = Object.keys(known).map((token) => ({ digest: digestOf(token), scopes: [token, 'read'] }))

test('a known token opens, as the principal of its own digest; no other text does', async (t) => {
  const verify = createTokenVerifier(knownTokens)
  for (const [token, digest] of Object.entries(known)) {
    t.strictSame(verify(token), { id: `token:${digest.slice(0, 8)}`, scopes: [token, 'read'], claims: {} })
    t.equal(digestLine(token), `sha256:${digest}`)
    const others = [
      '',
      ` ${token}`,
      `${token} `,
      token.slice(1),
      token.toUpperCase(),
      digest,
      `sha256:${digest}`
    ]
    for (const other of others) t.equal(verify(other), undefined, other)
  }
  t.equal(createTokenVerifier([])(''), undefined, 'without known tokens')
})

test('a connection that has proved a token opens with this one only, until the tokens are replaced', async (t) => {
  const verify = createTokenVerifier(knownTokens)
  const [connection, other] = [{}, {}]
  const [alice, bob] = Object.keys(known).map((token) => verify(token))
  t.equal(verify('alice', connection), alice)
  for (const wrong of ['', 'alicf', 'blice', 'alic', 'alice ', 'Alice', 'al\u00edce', 'alic\u0165'])
    t.equal(verify(wrong, connection), undefined, wrong)
  t.equal(verify('alice', connection), alice, 'the same token again')
  t.equal(verify('bob', connection), bob, 'another known token')
  t.equal(verify('alice', connection), alice, 'and back')
  t.equal(verify('eve', other), undefined, 'a connection that has proved nothing')
  t.equal(createTokenVerifier([])('alice', connection), undefined, 'a verifier that does not know the token')
})

test('the principal of a token cannot be changed by a handler; the last of several equal tokens counts', async (t) => {
  const of = (scope: string) => ({ digest: digestOf('alice'), scopes: [scope] })
  const principal = createTokenVerifier([of('write'), of('read')])('alice')
  t.match(principal, { scopes: ['read'] })
  t.throws(() => Reflect.apply(Array.prototype.push, principal?.scopes, ['write']), TypeError)
  t.throws(() => Object.assign(principal?.claims ?? {}, { sub: 'eve' }), TypeError)
  t.throws(() => Object.assign(principal ?? {}, { id: 'eve' }), TypeError)
})

test('a new token can be sent as it is, and is new', async (t) => {
  const [one, other] = [newToken('plant_'), newToken('plant_')]
  t.match(one, bearerToken)
  t.match(one, /^plant_.{43}$/)
  t.not(one, other)
})

const wrongToken = 'expected a token (RFC 6750, section 2.1) or sha256:<64 hex>'
const wrongScope = 'a scope after the token has a character that no scope may have (RFC 6749, section 3.3)'
const noToken = 'the file holds no token'

/** Texts of token files: the digests with their scopes, or the problems. */
const files: readonly (readonly [text: string, want: readonly string[]])[] = [
  ['', [noToken]],
  ['# none\n\n  # yet', [noToken]],
  ['alice\nbob\n', [alice, bob]],
  [`${digestLine('alice')} # Alice\n`, [alice]],
  [`${digestLine('bob').toUpperCase()}\n`, [bob]],
  ['\ufeff# tokens\r\nalice\r\n', [alice]],
  [' \talice\t # a\n', [alice]],
  ['alice\nbob', [alice, bob]],
  [digestLine('bob'), [bob]],
  ['alice\n# bo', [alice]],
  ['alice\n  ', [alice]],
  ['alice\nsha256:abc', [`line 2: ${wrongToken}`]],
  [
    `${digestLine('bob')}0\n${digestLine('bob').slice(0, -1)}\n`,
    [`line 1: ${wrongToken}`, `line 2: ${wrongToken}`]
  ],
  ['alice\rbob\r', [`line 1: ${wrongToken}`]],
  ['alice\rbob\n', [`line 1: ${wrongToken}`]],
  ['alice\n\0\0\n', [`line 2: ${wrongToken}`]],
  ['alice\u00a0\n', [`line 1: ${wrongToken}`]],
  ['alice#1\n', [`line 1: ${wrongToken}`]],
  ['no=token\nsécret', [`line 1: ${wrongToken}`, `line 2: ${wrongToken}`]],
  [
    `alice plants:read\tplants:write # of Alice\n${digestLine('bob')} urn:x#y\r\n`,
    [`${alice} plants:read plants:write`, `${bob} urn:x#y`]
  ],
  ['alice plants:read', [`${alice} plants:read`]],
  [`alice a b\n${digestLine('alice')} b a b\n`, [`${alice} a b`, `${alice} b a b`]],
  [
    `# tokens\nalice a b\nbob\n${digestLine('alice')} a\nbob b\n`,
    [2, 3].map((line) => `line ${line + 2}: the token of line ${line} again, with other scopes`)
  ],
  ...['a"b', 'a\\b', 'ä', 'a\0'].map((scope) => [`alice ${scope}\n`, [`line 1: ${wrongScope}`]] as const),
  ['no=token\n'.repeat(6), [1, 2, 3, 4, 5, 6].map((line) => `line ${line}: ${wrongToken}`)],
  [
    'no=token\n'.repeat(100),
    [...[1, 2, 3, 4, 5].map((line) => `line ${line}: ${wrongToken}`), '95 more lines are wrong, too']
  ]
]

test('a token file is its digests, or its problems by line', async (t) => {
  for (const [text, want] of files) {
    t.strictSame(found(text), want, JSON.stringify(text.slice(0, 100)))
  }
})

function found(text: string): readonly string[] {
  try {
    return parseTokenFile(text).map(lineOf)
  } catch (error) {
    return error instanceof StartError ? error.problems : [String(error)]
  }
}

const lineOf = ({ digest, scopes }: KnownToken) => [digest.toString('hex'), ...scopes].join(' ')

test('a file without a final line feed is read again until it stands still', async (t) => {
  const folder = t.testdir({})
  const digest = digestLine('alice')
  const growing = Array.from({ length: 12 }, (_, index) => 'a'.repeat(index + 1))
  const rows: readonly (readonly [writings: readonly string[], want: object])[] = [
    [['alice'], { lines: { length: 1 } }],
    [[`plain\n${digest}`], { lines: { length: 2 } }],
    [['al', 'alice'], { lines: [{ length: 5 }] }],
    [['al', 'alice\nbo', 'alice\nbob'], { lines: [{ length: 5 }, { length: 3 }] }],
    [[digest.slice(0, 20), digest], { lines: [{ length: undefined }] }],
    [['', 'alice'], { lines: { length: 1 } }],
    [['al', 'alice\n'], { lines: { length: 1 } }],
    [['# tokens'], { problems: [noToken] }],
    [[digest.slice(0, 20)], { problems: [`line 1: ${wrongToken}`] }],
    [growing, { problems: [/^it is still being written/] }]
  ]
  for (const [index, [writings, want]] of rows.entries()) {
    const path = `${folder}/${index}`
    let next = 0
    const write = () => writeFileSync(path, writings[Math.min(next++, writings.length - 1)] ?? '')
    write()
    const read = await readTokenFile(path, async () => write()).catch((error: unknown) => error)
    t.match(read, want, JSON.stringify(writings))
  }
})

test('what is not a regular file of a usual size is a problem, and is not read', async (t) => {
  const folder = t.testdir({ large: '' })
  execFileSync('mkfifo', [`${folder}/pipe`])
  truncateSync(`${folder}/large`, 16_777_217)
  writeFileSync(`${folder}/utf16`, '\ufeffalice\n', 'utf16le')
  symlinkSync('loop', `${folder}/loop`)
  const rows: readonly (readonly [path: string, message: RegExp])[] = [
    [`${folder}/none`, /^ENOENT/],
    [`${folder}/loop`, /^ELOOP/],
    [folder, /^it is not a regular file$/],
    [`${folder}/pipe`, /^it is not a regular file$/],
    ['/dev/zero', /^it is not a regular file$/],
    [`${folder}/large`, /^it is larger than 16777216 bytes$/],
    [`${folder}/utf16`, /^line 1: expected a token/]
  ]
  for (const [path, message] of rows) await t.rejects(readTokenFile(path), { message }, path)
})

type Sources = Partial<Parameters<typeof openBearerAuth>[0]>

async function open(t: Test, sources: Sources): Promise<BearerAuth> {
  const nothing = { tokens: [], tokensFile: undefined, jwks: undefined }
  const auth = await openBearerAuth({ ...nothing, ...sources }, silentLog())
  t.teardown(auth.close)
  return auth
}

/** Returns the accepted ones of some tokens. */
async function opening(auth: BearerAuth, ...tokens: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(tokens.map((token) => auth.authenticate(token)))
  return tokens.filter((_, index) => answers[index] !== undefined)
}

test('tokens of the environment, of the file and of the issuer open side by side', async (t) => {
  const key = await createKey('first')
  const issuer = await startIssuer(key)
  t.teardown(issuer.close)
  const tokensFile = `${t.testdir({ tokens: `${digestLine('bob')}\n` })}/tokens`
  const jwks = { url: issuer.url, issuer: 'https://id.example', audience: 'plants' }
  const jwt = await sign(key)
  const all = await open(t, { tokens: ['alice'], tokensFile, jwks })
  t.strictSame(await opening(all, 'alice', 'bob', jwt, 'carol', 'a.b.c'), ['alice', 'bob', jwt])
  const withoutIssuer = await open(t, { tokens: ['alice'] })
  t.strictSame(await opening(withoutIssuer, 'alice', jwt), ['alice'])
  t.ok(withoutIssuer.isReady())
  const request = {}
  t.equal(withoutIssuer.authenticate('eve', { request }), undefined)
  t.equal(credentialProblemOf(request), 'no known token', 'the reason, for the log')
})

test('a reload puts the file that is there now in force; of one with problems it changes nothing', async (t) => {
  const tokensFile = `${t.testdir({ tokens: 'bob' })}/tokens`
  const auth = await open(t, { tokens: ['alice'], tokensFile })
  const valid = () => opening(auth, 'alice', 'bob', 'carol', 'caroline')
  t.strictSame(await valid(), ['alice', 'bob'])
  writeFileSync(tokensFile, 'carol\n')
  t.strictSame(await valid(), ['alice', 'bob'], 'not before the reload')
  const file = { removed: ['token:81b637d8'], changed: [], tokens: 2 }
  t.match(await auth.reload(), { added: [/^token:[\da-f]{8}$/], ...file })
  t.strictSame(await valid(), ['alice', 'carol'])
  for (const [text, problem] of [
    ['bob\ntwo=words\n', `line 2: ${wrongToken}`],
    ['', noToken]
  ] as const) {
    writeFileSync(tokensFile, text)
    await t.rejects(auth.reload(), { message: `AUTH_TOKENS_FILE: ${problem}` })
    t.strictSame(await valid(), ['alice', 'carol'])
  }
  writeFileSync(tokensFile, 'bob\ncarol')
  const reloading = auth.reload()
  await readFile(tokensFile)
  writeFileSync(tokensFile, 'bob\ncaroline')
  await reloading
  t.strictSame(
    await valid(),
    ['alice', 'bob', 'caroline'],
    'of one that is being written it waits for the end'
  )
})

const long = 'x'.repeat(16)

test('tokens that are easy to guess or to read are warnings, which name the place and not the text', async (t) => {
  const tokensFile = `${t.testdir({ tokens: `${long}\nhunter2 # old\n\n` })}/tokens`
  chmodSync(tokensFile, 0o640)
  const auth = await open(t, { tokens: [long, 'hunter2'], tokensFile })
  const short = 'has fewer than 16 characters and can be guessed: "openssl rand -hex 32" makes a long one'
  const both = [`AUTH_TOKENS: token 2 of 2 ${short}`, `AUTH_TOKENS_FILE: the token in line 2 ${short}`]
  t.strictSame(auth.warnings(), both)
  chmodSync(tokensFile, 0o644)
  await auth.reload()
  const readable = 'AUTH_TOKENS_FILE: every user of this machine can read it: run chmod o-r on it'
  t.strictSame(auth.warnings(), [...both, readable])
  t.strictSame((await open(t, { tokens: [long] })).warnings(), [])
})

const getter = Object.defineProperty({}, 'id', {
  get: () => {
    throw new Error('secret')
  }
})

test('the id of a principal is a text or a number, of at most 256 characters; whatever else a project returns has none', async (t) => {
  for (const [id, want] of [['token:1', 'token:1'] as const, [7, '7'] as const, [7n], [{ a: 1 }]])
    t.equal(principalId({ id }), want)
  for (const principal of [{}, 'the credential', undefined, getter])
    t.equal(principalId(principal), undefined)
  const ids = ['a', 'b'].map((end) => String(principalId({ id: 'x'.repeat(20_000) + end })))
  t.ok(ids.every((id) => id.length < 257) && ids[0] !== ids[1], 'and stays distinct')
})

const noAddresses = [
  'unknown',
  '_hidden',
  '',
  '256.1.1.1',
  '1.2.3',
  '203.0.113.7 admin',
  '\u001b[2J',
  '[]'
].concat('203.0.113.7\n{"level":60}', 'x'.repeat(14_000), '1'.repeat(14_000))
const addresses = {
  '203.0.113.7': ['203.0.113.7', ' 203.0.113.7 ', '203.0.113.7:443', '203.0.113.7%eth0'],
  '2001:db8::1': ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443'],
  '::ffff:203.0.113.7': ['::ffff:203.0.113.7'],
  'fe80::1': ['fe80::1%eth0', `fe80::1%${'x'.repeat(14_000)}`, '[fe80::1%eth0]:80']
}

test('an address is one without its port, brackets and zone, and every other text is none', async (t) => {
  for (const [address, texts] of Object.entries(addresses))
    for (const text of texts) t.equal(ipAddressOf(text), address, text.slice(0, 40))
  for (const text of [...noAddresses, undefined, 7]) t.equal(ipAddressOf(text), undefined)
})
