import { chmodSync } from 'node:fs'
import { test } from 'tap'
import { credentialWarnings } from '../../../src/service/credentials/warnings.ts'

const long = 'x'.repeat(16)
const nothing = { tokens: [], tokensFile: undefined, jwks: undefined }

test('a short token is a warning that names its place and not its text', async (t) => {
  const file = `${t.testdir({ tokens: `${long}\nhunter2 # old\n\n` })}/tokens`
  chmodSync(file, 0o600)
  const warnings = await credentialWarnings({ ...nothing, tokens: [long, 'hunter2'], tokensFile: file })
  t.match(warnings, [
    /^AUTH_TOKENS: token 2 of 2 has fewer than 16/,
    /^AUTH_TOKENS_FILE: the token in line 2 /
  ])
  t.equal(warnings.length, 2)
  t.notMatch(warnings.join(), 'hunter2')
})

test('a token file that every user can read is a warning', async (t) => {
  const file = `${t.testdir({ tokens: long })}/tokens`
  chmodSync(file, 0o644)
  t.match(await credentialWarnings({ ...nothing, tokensFile: file }), [
    /every user of this machine can read it/
  ])
  chmodSync(file, 0o640)
  t.strictSame(await credentialWarnings({ ...nothing, tokensFile: file }), [])
})
