import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import t, { type Test, test } from 'tap'
import type { Config } from '../../../src/service/config/config.ts'
import { type BearerAuth, jwksReporter, openBearerAuth } from '../../../src/service/credentials/bearer.ts'
import { credentialProblemOf } from '../../../src/service/credentials/principal.ts'
import { digestLine } from '../../../src/service/credentials/tokens.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import { createKey, sign, startIssuer } from './issuer.ts'

const unheard = { onFailure: () => {}, onSuccess: () => {} }
const nothing: Config['auth'] = { tokens: [], tokensFile: undefined, jwks: undefined }

async function open(t: Test, config: Partial<Config['auth']>): Promise<BearerAuth> {
  const opened = await openBearerAuth({ ...nothing, ...config }, unheard)
  if ('problems' in opened) throw new Error(opened.problems.join('\n'))
  t.teardown(opened.auth.close)
  return opened.auth
}

/** Returns the accepted ones of some tokens. */
async function opening(auth: BearerAuth, tokens: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(tokens.map((token) => auth.authenticate(token)))
  return tokens.filter((_, index) => answers[index] !== undefined)
}

test('tokens of the environment, of the file and of the issuer open side by side', async (t) => {
  const key = await createKey('first')
  const issuer = await startIssuer(key)
  t.teardown(issuer.close)
  const auth = await open(t, {
    tokens: ['alice'],
    tokensFile: `${t.testdir({ tokens: `${digestLine('bob')}\n` })}/tokens`,
    jwks: { url: issuer.url, issuer: 'https://id.example', audience: 'plants' }
  })
  const jwt = await sign(key)
  t.strictSame(await opening(auth, ['alice', 'bob', jwt, 'carol', 'a.b.c']), ['alice', 'bob', jwt])
})

test('without an issuer every JWT is refused', async (t) => {
  const auth = await open(t, { tokens: ['alice'] })
  t.strictSame(await opening(auth, ['alice', await sign(await createKey('first'))]), ['alice'])
})

test('a reload puts the file that is there now in force', async (t) => {
  const file = `${t.testdir({ tokens: 'bob\n' })}/tokens`
  const auth = await open(t, { tokens: ['alice'], tokensFile: file })
  t.strictSame(await opening(auth, ['alice', 'bob', 'carol']), ['alice', 'bob'])
  writeFileSync(file, 'carol\n')
  t.strictSame(await opening(auth, ['alice', 'bob', 'carol']), ['alice', 'bob'], 'not before the reload')
  t.strictSame(await auth.reload(), [])
  t.strictSame(await opening(auth, ['alice', 'bob', 'carol']), ['alice', 'carol'])
})

test('a reload of a file with problems returns them and changes nothing', async (t) => {
  const file = `${t.testdir({ tokens: 'bob\n' })}/tokens`
  const auth = await open(t, { tokensFile: file })
  writeFileSync(file, 'carol\ntwo=words\n')
  t.match(await auth.reload(), [/^AUTH_TOKENS_FILE: line 2: /])
  t.strictSame(await opening(auth, ['bob', 'carol']), ['bob'])
})

test('the last of several reloads counts', async (t) => {
  const file = `${t.testdir({ tokens: 'bob\n' })}/tokens`
  const auth = await open(t, { tokensFile: file })
  const reloads = Array.from({ length: 20 }, async (_, index) => {
    writeFileSync(file, `token${index}\n`)
    return auth.reload()
  })
  await Promise.all(reloads)
  t.strictSame(await opening(auth, ['bob', 'token0', 'token19']), ['token19'])
})

test('a file that cannot be read is a problem', async (t) => {
  const opened = await openBearerAuth({ ...nothing, tokensFile: `${t.testdir({})}/none` }, unheard)
  t.match(opened, { problems: [/^AUTH_TOKENS_FILE: ENOENT/] })
})

test('a reload of an empty file is refused, and the tokens stay', async (t) => {
  const file = `${t.testdir({ tokens: 'bob\n' })}/tokens`
  const auth = await open(t, { tokensFile: file })
  writeFileSync(file, '')
  t.strictSame(await auth.reload(), ['AUTH_TOKENS_FILE: the file holds no token'])
  t.strictSame(await opening(auth, ['bob']), ['bob'])
  t.equal(auth.tokens().length, 1)
})

test('a reload of a file that is being written waits for its end; no final line feed is needed', async (t) => {
  const file = `${t.testdir({ tokens: 'bob-the-second' })}/tokens`
  const auth = await open(t, { tokensFile: file })
  t.strictSame(await opening(auth, ['bob-the-second']), ['bob-the-second'])
  writeFileSync(file, 'carol\nbob')
  const reloading = auth.reload()
  await readFile(file)
  writeFileSync(file, 'carol\nbob-the-third')
  t.strictSame(await reloading, [])
  t.strictSame(await opening(auth, ['bob-the-second', 'bob', 'carol', 'bob-the-third']), [
    'carol',
    'bob-the-third'
  ])
})

test('a token that is not known is noted with its reason, for the request', async (t) => {
  const auth = await open(t, { tokens: ['alice'] })
  const request = {}
  t.equal(auth.authenticate('eve', { request }), undefined)
  t.equal(credentialProblemOf(request), 'no known token')
  t.equal(auth.authenticate('eve'), undefined, 'the reason is optional')
  t.ok(auth.isReady(), 'without an issuer')
})

t.test('the log reports whether the last keys stay valid', async (t) => {
  const lines: object[] = []
  const report = jwksReporter(createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }))
  report.onFailure(new Error('refused'), false)
  report.onFailure(new Error('refused'), true)
  report.onSuccess()
  const failed = 'AUTH_JWKS_URL: the keys could not be fetched;'
  t.match(lines, [
    {
      level: 40,
      err: { message: 'refused' },
      msg: `${failed} no JWT can be checked, and the service is not ready`
    },
    { level: 40, msg: `${failed} the last ones stay in force` },
    { level: 30, msg: 'AUTH_JWKS_URL: the keys are fetched' }
  ])
})
