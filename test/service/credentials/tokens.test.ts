import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { test } from 'tap'
import {
  bearerToken,
  createTokenVerifier,
  credentialWarnings,
  digestLine,
  digestOf,
  newToken,
  parseTokenFile,
  readTokenFile,
  type TokenFile
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

const [alice, bob] = [digestOf('alice').toString('hex'), digestOf('bob').toString('hex')]
const expected = 'expected a token (RFC 6750, section 2.1) or sha256:<64 hex>'

const cases: readonly { file: string; text: string; want: object }[] = [
  { file: 'empty', text: '', want: { problems: ['the file holds no token'] } },
  { file: 'comments only', text: '# none\n\n  # yet', want: { problems: ['the file holds no token'] } },
  { file: 'plain tokens', text: 'alice\nbob\n', want: { lines: [alice, bob] } },
  { file: 'digests', text: `${digestLine('alice')} # Alice\n`, want: { lines: [alice] } },
  { file: 'capitals', text: `${digestLine('bob').toUpperCase()}\n`, want: { lines: [bob] } },
  { file: 'Windows', text: '\ufeff# tokens\r\nalice\r\n', want: { lines: [alice] } },
  { file: 'spaces and tabs', text: ' \talice\t # a\n', want: { lines: [alice] } },
  { file: 'half a digest', text: 'alice\nsha256:abc', want: { problems: [`line 2: ${expected}`] } },
  {
    file: 'digests of another length',
    text: `${digestLine('bob')}0\n${digestLine('bob').slice(0, -1)}\n`,
    want: { problems: [`line 1: ${expected}`, `line 2: ${expected}`] }
  },
  { file: 'no last line feed', text: 'alice\nbob', want: { lines: [alice, bob] } },
  { file: 'a digest without its line feed', text: digestLine('bob'), want: { lines: [bob] } },
  { file: 'a comment without its line feed', text: 'alice\n# bo', want: { lines: [alice] } },
  { file: 'spaces after the last line feed', text: 'alice\n  ', want: { lines: [alice] } },
  { file: 'carriage returns only', text: 'alice\rbob\r', want: { problems: [`line 1: ${expected}`] } },
  { file: 'a carriage return within', text: 'alice\rbob\n', want: { problems: [`line 1: ${expected}`] } },
  {
    file: 'blocks that were not written',
    text: 'alice\n\0\0\n',
    want: { problems: [`line 2: ${expected}`] }
  },
  { file: 'a no-break space', text: 'alice\u00a0\n', want: { problems: [`line 1: ${expected}`] } },
  {
    file: 'scopes',
    text: `alice plants:read\tplants:write # of Alice\n${digestLine('bob')} urn:x#y\r\n`,
    want: { lines: [`${alice} plants:read plants:write`, `${bob} urn:x#y`] }
  },
  { file: 'a comment without its space', text: 'alice#1\n', want: { problems: [`line 1: ${expected}`] } },
  {
    file: 'the same token with the same scopes',
    text: `alice a b\n${digestLine('alice')} b a b\n`,
    want: { lines: [`${alice} a b`, `${alice} b a b`] }
  },
  {
    file: 'the same token with other scopes',
    text: `# tokens\nalice a b\nbob\n${digestLine('alice')} a\nbob b\n`,
    want: {
      problems: [
        'line 4: the token of line 2 again, with other scopes',
        'line 5: the token of line 3 again, with other scopes'
      ]
    }
  },
  { file: 'a quote in a scope', text: 'alice a"b\n', want: { problems: [/^line 1: a scope .*RFC 6749/] } },
  { file: 'a backslash in a scope', text: 'alice a\\b\n', want: { problems: [/^line 1: a scope /] } },
  { file: 'an umlaut in a scope', text: 'alice ä\n', want: { problems: [/^line 1: a scope /] } },
  { file: 'a NUL in a scope', text: 'alice a\0\n', want: { problems: [/^line 1: a scope /] } },
  {
    file: 'scopes without a line feed',
    text: 'alice plants:read',
    want: { lines: [`${alice} plants:read`] }
  },
  {
    file: 'all wrong',
    text: 'no=token\nsécret',
    want: { problems: [`line 1: ${expected}`, `line 2: ${expected}`] }
  }
]

test('a token file is its digests, or all its problems by line', async (t) => {
  for (const { file, text, want } of cases) t.match(parsed(text), want, file)
})

test('a file without a final line feed is read again until it stands still', async (t) => {
  const folder = t.testdir({})
  const digest = digestLine('alice')
  const rows: readonly (readonly [writings: readonly string[], want: object])[] = [
    [['alice'], { lines: { length: 1 } }],
    [[`plain\n${digest}`], { lines: { length: 2 } }],
    [['alice scope'], { lines: [{ scopes: ['scope'] }] }],
    [['al', 'alice'], { lines: [{ length: 5 }] }],
    [['al', 'alice\nbo', 'alice\nbob'], { lines: [{ length: 5 }, { length: 3 }] }],
    [[digest.slice(0, 20), digest], { lines: [{ length: undefined }] }],
    [['', 'alice'], { lines: { length: 1 } }],
    [['al', 'alice\n'], { lines: { length: 1 } }],
    [['# tokens'], { problems: ['the file holds no token'] }],
    [[''], { problems: ['the file holds no token'] }],
    [[digest.slice(0, 20)], { problems: [`line 1: ${expected}`] }],
    [
      Array.from({ length: 12 }, (_, index) => 'a'.repeat(index + 1)),
      { problems: [/^it is still being written/] }
    ]
  ]
  for (const [index, [writings, want]] of rows.entries()) {
    const path = `${folder}/${index}`
    let next = 0
    const write = () => writeFileSync(path, writings[Math.min(next++, writings.length - 1)] ?? '')
    write()
    t.match(await readTokenFile(path, async () => write()), want, JSON.stringify(writings))
  }
})

test('at most five problems are listed, then their number', async (t) => {
  t.match(parseTokenFile('no=token\n'.repeat(100)), { problems: { length: 6, 5: /95/ } })
  t.match(parseTokenFile('no=token\n'.repeat(6)), { problems: { length: 6, 5: /^line 6:/ } })
})

/** Returns the digests of a file as text, or its problems. */
function parsed(text: string): object {
  const file = parseTokenFile(text)
  if ('problems' in file) return file
  return { lines: file.lines.map(({ digest, scopes }) => [digest.toString('hex'), ...scopes].join(' ')) }
}

test('the file is read from its path', async (t) => {
  const folder = t.testdir({ tokens: 'alice\n' })
  chmodSync(`${folder}/tokens`, 0o644)
  t.match(await readTokenFile(`${folder}/tokens`), {
    lines: [{ line: 1, digest: digestOf('alice'), length: 5 }],
    isReadableByAll: true
  })
  chmodSync(`${folder}/tokens`, 0o640)
  t.match(await readTokenFile(`${folder}/tokens`), { isReadableByAll: false })
})

test('what is not a regular file of a usual size is a problem, and is not read', async (t) => {
  const folder = t.testdir({ large: '' })
  execFileSync('mkfifo', [`${folder}/pipe`])
  truncateSync(`${folder}/large`, 16_777_217)
  writeFileSync(`${folder}/utf16`, '\ufeffalice\n', 'utf16le')
  symlinkSync('loop', `${folder}/loop`)
  const rows: readonly (readonly [path: string, problem: RegExp])[] = [
    [`${folder}/none`, /^ENOENT/],
    [`${folder}/loop`, /^ELOOP/],
    [folder, /^it is not a regular file$/],
    [`${folder}/pipe`, /^it is not a regular file$/],
    ['/dev/zero', /^it is not a regular file$/],
    [`${folder}/large`, /^it is larger than 16777216 bytes$/],
    [`${folder}/utf16`, /^line 1: expected a token/]
  ]
  for (const [path, problem] of rows) t.match(await readTokenFile(path), { problems: [problem] }, path)
})

test('a secret as it is mounted, without a final line feed, is read', async (t) => {
  const folder = t.testdir({ tokens: 'alice' })
  t.match(await readTokenFile(`${folder}/tokens`), { lines: [{ digest: digestOf('alice') }] })
})

const long = 'x'.repeat(16)

function fileOf(text: string, isReadableByAll = false): TokenFile {
  const parsed = parseTokenFile(text)
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'))
  return { ...parsed, isReadableByAll }
}

test('a short token is a warning that names its place and not its text', async (t) => {
  const warnings = credentialWarnings([long, 'hunter2'], fileOf(`${long}\nhunter2 # old\n\n`))
  t.match(warnings, [
    /^AUTH_TOKENS: token 2 of 2 has fewer than 16/,
    /^AUTH_TOKENS_FILE: the token in line 2 /
  ])
  t.equal(warnings.length, 2)
  t.notMatch(warnings.join(), 'hunter2')
})

test('a token file that every user can read is a warning', async (t) => {
  t.match(credentialWarnings([], fileOf(`${long}\n`, true)), [/every user of this machine can read it/])
  t.strictSame(credentialWarnings([], fileOf(`${long}\n`)), [])
  t.strictSame(credentialWarnings([], undefined), [])
})
